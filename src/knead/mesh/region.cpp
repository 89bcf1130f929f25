#include "knead/mesh/region.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <numeric>

namespace knead {
namespace {

void check_range(std::span<const int> indices, int count, const char* what) {
    for (const int index : indices)
        if (index < 0 || index >= count)
            throw InputError(fmt::format("region: {} {} is not in the mesh, expected 0 to {}", what,
                                         index, count - 1));
}

// Marks hold 1 for what belongs to the region and 0 elsewhere; they become the maps.
Region finish(const TriangleMesh& mesh, std::vector<int> vertex_marks,
              std::vector<int> face_marks) {
    Region region;
    region.of_mesh_vertex = std::move(vertex_marks);
    region.of_mesh_face = std::move(face_marks);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        int& entry = region.of_mesh_vertex[v];
        entry = entry != 0 ? region.vertex_count() : -1;
        if (entry >= 0) region.vertices.push_back(v);
    }
    for (int f = 0; f < mesh.face_count(); ++f) {
        int& entry = region.of_mesh_face[f];
        entry = entry != 0 ? region.face_count() : -1;
        if (entry < 0) continue;
        region.faces.push_back(f);
        const Triangle& face = mesh.faces[f];
        region.triangles.push_back({region.of_mesh_vertex[face[0]], region.of_mesh_vertex[face[1]],
                                    region.of_mesh_vertex[face[2]]});
    }
    return region;
}

} // namespace

Region region_of_vertices(const TriangleMesh& mesh, std::span<const int> vertices) {
    check_range(vertices, mesh.vertex_count(), "vertex");
    std::vector<int> vertex_marks(mesh.positions.size(), 0), face_marks(mesh.faces.size(), 0);
    for (const int v : vertices) vertex_marks[v] = 1;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Triangle& face = mesh.faces[f];
        face_marks[f] = vertex_marks[face[0]] & vertex_marks[face[1]] & vertex_marks[face[2]];
    }
    return finish(mesh, std::move(vertex_marks), std::move(face_marks));
}

Region whole_mesh(const TriangleMesh& mesh) {
    return finish(mesh, std::vector<int>(mesh.positions.size(), 1),
                  std::vector<int>(mesh.faces.size(), 1));
}

} // namespace knead
