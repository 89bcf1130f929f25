#include "knead/spatial/surface.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/face_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace knead {
namespace {

// Fewer faces in a cell say nothing that a sum over them would not; more cells take longer to sum
// up than they are worth.
constexpr int least_faces_a_cell = 8, most_cells = 1024;

void check_finite(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const int v : faces[f])
            if (const Vec3& p = positions[v]; !p.allFinite())
                throw GeometryError(fmt::format(
                    "face {}: its vertex {} is at ({}, {}, {}), expected finite numbers", f, v,
                    shortest(p.x()), shortest(p.y()), shortest(p.z())));
}

bool bounds_a_solid(std::span<const Triangle> faces, const Topology& topology) {
    if (faces.empty()) return false;
    std::vector<int> balance(topology.edges.size(), 0);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (int i = 0; i < 3; ++i)
            balance[topology.face_edges[f][i]] += faces[f][i] < faces[f][(i + 1) % 3] ? 1 : -1;
    return std::all_of(balance.begin(), balance.end(), [](int sum) { return sum == 0; });
}

std::shared_ptr<SurfaceStructure> structure_of(std::span<const Triangle> faces, Topology topology,
                                               BoxTree tree) {
    auto structure = std::make_shared<SurfaceStructure>();
    structure->faces.assign(faces.begin(), faces.end());
    structure->topology = std::move(topology);
    const Topology& shape = structure->topology;
    structure->tree = std::move(tree);
    structure->wide_tree = widen(structure->tree);
    for (int v = 0; v < shape.vertex_count && !structure->has_loose_vertices; ++v)
        structure->has_loose_vertices = shape.vertex_faces[v].empty();

    structure->own_edges.assign(faces.size(), 0);
    structure->on_border.assign(static_cast<std::size_t>(shape.vertex_count), 0);
    for (int e = 0; e < shape.edge_count(); ++e) {
        const int owner = shape.edge_faces[e][0];
        for (int i = 0; i < 3; ++i)
            if (shape.face_edges[owner][i] == e)
                structure->own_edges[owner] |= static_cast<std::uint8_t>(1 << i);
        if (!shape.is_boundary_edge(e)) continue;
        structure->border_edges.push_back(e);
        for (const int v : shape.edges[e]) structure->on_border[v] = 1;
    }
    structure->closed = structure->border_edges.empty() && bounds_a_solid(faces, shape);
    return structure;
}

} // namespace

std::shared_ptr<const SurfaceStructure> make_structure(std::span<const Vec3> positions,
                                                       std::span<const Triangle> faces) {
    return make_structure(positions, faces,
                          build_topology(faces, static_cast<int>(positions.size())));
}

std::shared_ptr<const SurfaceStructure> make_structure(std::span<const Vec3> positions,
                                                       std::span<const Triangle> faces,
                                                       Topology topology) {
    if (topology.vertex_count != static_cast<int>(positions.size()) ||
        topology.face_edges.size() != faces.size())
        throw InputError(fmt::format(
            "mesh: the topology is of {} vertices and {} faces, expected {} and {}",
            topology.vertex_count, topology.face_count(), positions.size(), faces.size()));
    check_finite(positions, faces);
    std::vector<Box> face_boxes(faces.size());
    parallel_for(faces.size(), 16384, [&](std::size_t f) {
        for (const int v : faces[f]) face_boxes[f].include(positions[v]);
    });
    const auto structure = structure_of(faces, std::move(topology), build_box_tree(face_boxes));
    structure->components = connected_components(structure->topology);
    structure->face_cells =
        face_cells(structure->topology,
                   std::max(least_faces_a_cell, static_cast<int>(faces.size()) / most_cells));
    for (const int cell : structure->face_cells)
        structure->cell_count = std::max(structure->cell_count, cell + 1);
    return structure;
}

std::shared_ptr<const SurfaceStructure> part_structure(const SurfaceStructure& whole,
                                                       std::span<const int> faces,
                                                       std::span<const Triangle> triangles,
                                                       Topology topology) {
    std::vector<int> starts(whole.faces.size() + 1, 0);
    for (const int face : faces) ++starts[face + 1];
    std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
    auto structure = structure_of(triangles, std::move(topology), tree_of_some(whole.tree, starts));
    for (const int face : faces) structure->face_cells.push_back(whole.face_cells[face]);
    structure->cell_count = whole.cell_count;
    return structure;
}

Surface make_surface(const TriangleMesh& mesh) {
    return make_surface(make_structure(mesh.positions, mesh.faces), mesh.positions);
}

Surface make_surface(std::shared_ptr<const SurfaceStructure> structure,
                     std::span<const Vec3> positions) {
    Surface surface;
    surface.structure = std::move(structure);
    move(surface, positions);
    return surface;
}

void move(Surface& surface, std::span<const Vec3> positions) {
    const SurfaceStructure& structure = *surface.structure;
    surface.positions = positions;
    surface.bounds = Box();
    if (structure.has_loose_vertices)
        for (const Triangle& face : structure.faces)
            for (const int v : face) surface.bounds.include(positions[v]);
    else
        surface.bounds = bounding_box(positions);
    refit(structure.wide_tree, structure.faces, positions, surface.bounds, surface.boxes);
}

} // namespace knead
