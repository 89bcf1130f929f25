#pragma once

#include "knead/io/mesh_rig.hpp"
#include "knead/io/polygons.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

/// A name on each polygon: its group, its object or its material.
struct FaceLabels {
    std::vector<std::string> names = {};
    std::vector<int> of_polygon = {}; ///< polygon -> name, or -1; empty when the file has none

    bool empty() const { return of_polygon.empty(); }
};

/// A mesh as a file holds it: the triangle mesh the methods work on, and what is needed to write it
/// back with the vertex order, faces, names, groups and UVs it came with.
struct MeshFile {
    std::string name = {};  ///< as the file has it; may be empty
    TriangleMesh mesh = {}; ///< triangulated, and welded where vertices are split at seams
    /// File vertex -> mesh vertex; empty when they are the same.
    std::vector<int> mesh_vertex_of = {};
    Polygons polygons = {}; ///< faces as they came, in file vertices; none = mesh.faces
    std::vector<Vec2> texture_coordinates = {};
    /// Polygon corner -> texture coordinate or -1; empty = no UVs.
    std::vector<int> corner_texture = {};
    FaceLabels face_groups = {};  ///< OBJ `g`; several names on one line are joined by a space
    FaceLabels face_objects = {}; ///< OBJ `o`, glTF nodes; when the file holds more than one
    FaceLabels face_materials = {};
    /// OBJ `mtllib` lines, where materials are kept.
    std::vector<std::string> material_libraries = {};
    std::optional<Rig> rig = {}; ///< what animates the mesh; glTF only

    int file_vertex_count() const {
        return mesh_vertex_of.empty() ? mesh.vertex_count()
                                      : static_cast<int>(mesh_vertex_of.size());
    }
    int mesh_vertex(int file_vertex) const {
        return mesh_vertex_of.empty() ? file_vertex : mesh_vertex_of[file_vertex];
    }
    int polygon_count() const {
        return polygons.count() == 0 ? mesh.face_count() : polygons.count();
    }
    /// Corners of a polygon, in file vertices.
    std::span<const int> polygon(int index) const {
        return polygons.count() == 0 ? std::span<const int>(mesh.faces[index]) : polygons[index];
    }
};

enum class MeshFormat { obj, ply, stl, off, gltf };

/// Files larger than this are refused unread.
inline constexpr std::uintmax_t max_mesh_file_bytes = std::uintmax_t(1) << 30;

/// Coordinates beyond this, on either side of zero, are refused: areas and volumes of what is
/// accepted are finite.
inline constexpr double max_coordinate = 1e100;

/// Reads .obj .ply .stl .off .glb .gltf by our own readers, and other formats through assimp.
///
/// Faces with more than three corners are triangulated in `mesh` and kept in `polygons`. glTF
/// splits vertices where normals or UVs jump: those at one place that also move together are one
/// vertex in `mesh`. STL and what assimp reads have no vertex order worth keeping: equal positions
/// become one vertex of the file too. Throws InputError: file, line or element, what was found,
/// what was expected.
MeshFile read_mesh(const std::filesystem::path& path);

/// Whether `read_mesh` would try: the extension is of a format it knows.
bool is_mesh_name(const std::filesystem::path& path);

/// Files besides it that `read_mesh` looks into: the buffers that a glTF names.
std::vector<std::filesystem::path> buffers_of_mesh(const std::filesystem::path& path);

/// What `read_mesh` does, for a program that has the file in memory; `name` stands for the file in
/// messages. A glTF must bring its buffers.
MeshFile read_mesh_from_memory(MeshFormat format, std::string_view content,
                               const std::string& name);

/// Positions of the mesh at `time` seconds of clip `clip` (an index into `rig->clips`, -1 = at
/// rest), held at both ends; the mesh as it is when nothing animates it.
void posed_positions(const MeshFile& file, int clip, double time, std::vector<Vec3>& positions);

/// The texture coordinates of each mesh vertex; not numbers where its corners have several, as at a
/// seam, or none. Without UVs at corners, from the one-component attributes s and t, u and v, or
/// texture_u and texture_v, as PLY files have them; empty when there are none at all.
std::vector<Vec2> vertex_texture_coordinates(const MeshFile& file);

/// A mesh made by the program, as if it had been read.
MeshFile mesh_file(TriangleMesh mesh, std::string name = {});

/// Adds vertices, faces and what is known about them behind those of `file`; equal names become
/// one. The name stays that of `file`, and a rig that `other` has is left behind.
void append(MeshFile& file, const MeshFile& other);

// Writers take the mesh as it was read and new positions of its *mesh* vertices; the file gets the
// vertices and faces the source came with. Coordinates read back to the same double.

/// Groups, objects, materials, UVs and the attribute `color` ride along.
void write_obj(const std::filesystem::path& path, const MeshFile& source,
               std::span<const Vec3> positions);

/// ASCII, with UVs and the given attributes (say `source.mesh.attributes`). Attributes of several
/// components become properties name_0, name_1 ...; `color` becomes red, green, blue (and alpha),
/// in bytes when the colours are whole 255ths.
void write_ply(const std::filesystem::path& path, const MeshFile& source,
               std::span<const Vec3> positions,
               const std::map<std::string, VertexAttribute>& attributes = {});

} // namespace knead
