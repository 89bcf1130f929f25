#pragma once

#include "knead/base/error.hpp"
#include "knead/io/mesh_file.hpp"
#include "knead/io/sequence.hpp"
#include "knead/scene/scene_object.hpp"

namespace knead {

/// The mesh of an object at rest in object space: read or made from its sources, with their groups.
/// A mesh that is a sequence is its first file, and `sequence`.
MeshFile build_mesh(const SceneObject& object, std::optional<MeshSequence>& sequence);

/// Adds the attributes of the scene to the object's mesh.
void add_attributes(const SceneObject& object, MeshFile& file);

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
