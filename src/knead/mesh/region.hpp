#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <span>
#include <vector>

namespace knead {

/// A part of a mesh with maps both ways. Vertices and faces keep the order they have in the mesh.
struct Region {
    std::vector<int> vertices;       ///< region vertex -> mesh vertex
    std::vector<int> faces;          ///< region face -> mesh face
    std::vector<Triangle> triangles; ///< the faces, in region vertices
    std::vector<int> of_mesh_vertex; ///< mesh vertex -> region vertex, or -1
    std::vector<int> of_mesh_face;   ///< mesh face -> region face, or -1

    int vertex_count() const { return static_cast<int>(vertices.size()); }
    int face_count() const { return static_cast<int>(faces.size()); }
};

/// The given vertices and the faces that have all their corners among them.
Region region_of_vertices(const TriangleMesh& mesh, std::span<const int> vertices);

Region whole_mesh(const TriangleMesh& mesh);

/// Values on the mesh, seen from the region.
template <typename T>
std::vector<T> gather(const Region& region, const std::vector<T>& on_mesh) {
    std::vector<T> result;
    result.reserve(region.vertices.size());
    for (const int vertex : region.vertices) result.push_back(on_mesh[vertex]);
    return result;
}

/// Writes the region's values back; the rest of the mesh keeps its own.
template <typename T>
void scatter(const Region& region, const std::vector<T>& on_region, std::vector<T>& on_mesh) {
    for (std::size_t i = 0; i < region.vertices.size(); ++i)
        on_mesh[region.vertices[i]] = on_region[i];
}

} // namespace knead
