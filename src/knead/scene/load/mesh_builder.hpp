#pragma once

#include "knead/base/error.hpp"
#include "knead/io/mesh_file.hpp"
#include "knead/io/sequence.hpp"
#include "knead/scene/load/load_workspace.hpp"
#include "knead/scene/spec/scene_object.hpp"

namespace knead {

/// What follows from an object's `mesh` alone.
struct BuiltMesh {
    /// At rest in object space: read or made from its sources, with their groups; the first file
    /// of a sequence.
    MeshFile file;
    std::optional<MeshSequence> sequence;
    std::vector<Vec2> texture_coordinates; ///< see `vertex_texture_coordinates`
    std::vector<std::string> notes;        ///< what is wrong with it and may show in results
};

BuiltMesh build_mesh(const SceneObject& object);

/// What the mesh of an object is made from, in words: the same words, the same mesh. Nothing when
/// it is made from files that words and a look at one file do not tell apart.
std::optional<std::string> words_for(const std::string& text, std::span<const MeshSource> sources);
/// The same for a file.
std::optional<std::string> words_for(const SceneFile& file);

/// Adds the attributes of the scene to the object's mesh. With a workspace, paintings on the mesh
/// of these words are gone on with where the scene has only added strokes.
void add_attributes(const SceneObject& object, MeshFile& file, LoadWorkspace* workspace = nullptr,
                    const std::optional<std::string>& mesh_words = std::nullopt);

/// The mesh that stands in for an object, at rest in object space.
MeshFile build_proxy(const SceneObject& object);

/// A CSV with a row for each vertex of the source's file, brought to the vertices of its mesh.
/// Where several are one in the mesh, the first counts.
VertexAttribute read_csv_painting(const SceneFile& file, const MeshFile& source);

/// Calls `read`; an InputError from it gets the key in front.
template <typename Read>
auto at_key(const std::string& where, const Read& read) {
    try {
        return read();
    } catch (const InputError& error) {
        const std::string what = error.what();
        throw InputError(what.starts_with(where) ? what : where + ": " + what);
    }
}

} // namespace knead
