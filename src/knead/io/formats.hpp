#pragma once

#include "knead/io/mesh_file.hpp"

// The readers behind `read_mesh`, one a format. `file` stands for the file in messages.
namespace knead::formats {

MeshFile read_obj(std::string_view content, const std::string& file);
MeshFile read_ply(std::string_view content, const std::string& file);
MeshFile read_stl(std::string_view content, const std::string& file);
MeshFile read_off(std::string_view content, const std::string& file);
/// glTF or GLB. Buffers in files of their own are looked for in `folder`, when there is one.
MeshFile read_gltf(std::string_view content, const std::string& file,
                   const std::optional<std::filesystem::path>& folder);
/// The files in `folder` that hold buffers of a glTF.
std::vector<std::filesystem::path> gltf_buffers(std::string_view content, const std::string& file,
                                                const std::filesystem::path& folder);
/// Anything assimp knows by this extension, static geometry only.
MeshFile read_by_assimp(std::string_view content, const std::string& file,
                        const std::string& extension);
bool assimp_reads(const std::string& extension);

/// Checks what every mesh must have, triangulates `polygons` into `mesh.faces`, and drops
/// `polygons` when they are triangles anyway.
void complete(MeshFile& result, const std::string& file);

/// Adds the vertices of the faces of each name to the mesh's groups; with `split`, words of a name
/// are names of their own.
void add_groups_of_faces(MeshFile& result, const FaceLabels& labels, bool split);

/// Throws InputError when a position is not finite or beyond `max_coordinate`.
void check_positions(std::span<const Vec3> positions, const std::string& file);

/// Throws when the number of positions is not that of the mesh.
void check_position_count(const MeshFile& source, std::span<const Vec3> positions,
                          const std::filesystem::path& path);

/// Throws when an attribute has not `components` numbers a mesh vertex.
void check_attributes(const MeshFile& source,
                      const std::map<std::string, VertexAttribute>& attributes,
                      const std::filesystem::path& path);

} // namespace knead::formats
