#pragma once

#include "knead/mesh/topology.hpp"

#include <cstdint>

namespace knead {

/// Some faces of a mesh as a mesh of its own. Vertices, edges and faces keep the order they have in
/// the mesh.
struct SubMesh {
    std::vector<int> vertices, edges, faces; ///< -> those of the mesh
    std::vector<Triangle> triangles;         ///< the faces, in its own vertices
    Topology topology;

    /// Values on the vertices of the mesh, seen from here.
    template <typename T>
    std::vector<T> gather(std::span<const T> on_mesh) const {
        std::vector<T> values;
        gather(on_mesh, values);
        return values;
    }
    /// The same in the memory of others.
    template <typename T>
    void gather(std::span<const T> on_mesh, std::vector<T>& values) const {
        values.resize(vertices.size());
        for (std::size_t v = 0; v < values.size(); ++v) values[v] = on_mesh[vertices[v]];
    }
};

/// Makes sub-meshes of one mesh, each in a time that follows from its own size.
class SubMeshMaker {
public:
    /// `faces` and their `topology` must outlive this.
    SubMeshMaker(std::span<const Triangle> faces, const Topology& topology);

    /// Each of the faces may be named more than once.
    SubMesh make(std::span<const int> chosen_faces);

private:
    using Bits = std::vector<std::uint64_t>; ///< all 0 between calls

    std::span<const Triangle> faces_;
    const Topology& topology_;
    Bits vertex_bits_, edge_bits_, face_bits_;
    std::vector<int> of_vertex_, of_edge_, of_face_; ///< only those of the last one are right
};

} // namespace knead
