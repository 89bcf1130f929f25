#include "knead/deform/deform_surface.hpp"

#include "knead/mesh/measures.hpp"

namespace knead {
namespace {

// Values of a part, seen from its object; the rest gets `elsewhere`.
template <typename T>
void spread_values(const Region& region, std::vector<T>& values, const T& elsewhere) {
    std::vector<T> whole(region.of_mesh_vertex.size(), elsewhere);
    scatter(region, values, whole);
    values = std::move(whole);
}

} // namespace

std::vector<Vec3> DeformSurface::gather_positions(std::span<const Vec3> of_object) const {
    if (!region) return {of_object.begin(), of_object.end()};
    std::vector<Vec3> positions;
    positions.reserve(region->vertices.size() + crease.size());
    for (const int v : region->vertices) positions.push_back(of_object[v]);
    for (const EdgeBlend& point : crease)
        positions.push_back((1 - point.t) * of_object[point.a] + point.t * of_object[point.b]);
    return positions;
}

void pose(DeformSurface& surface, const SurfaceStructure& whole, std::span<const Vec3> positions) {
    if (surface.is_posed) return;
    surface.is_posed = true;
    surface.normals = vertex_normals(positions, whole.faces);
    if (surface.region) {
        surface.normals = gather(*surface.region, surface.normals);
        surface.part_positions = surface.gather_positions(positions);
        positions = surface.part_positions;
        if (!surface.structure)
            surface.structure = make_structure(positions, surface.region->triangles);
    }
    surface.border.assign(surface.structure->on_border.begin(), surface.structure->on_border.end());
    surface.surface = make_surface(surface.structure, positions);
}

void spread(const Region& region, std::span<const Vec3> normals, PairDisplacement& displacement) {
    spread_values<Vec3>(region, displacement.base, Vec3::Zero());
    spread_values<Vec3>(region, displacement.raise, Vec3::Zero());
    spread_values(region, displacement.u, 1.0);
    spread_values(region, displacement.fade, 0.0);
    spread_values(region, displacement.amplitude, 0.0);
    spread_values(region, displacement.slope, 0.0);
    spread_values(region, displacement.eta, 0.0);
    std::vector<Vec3> direction(normals.begin(), normals.end());
    scatter(region, displacement.direction, direction);
    displacement.direction = std::move(direction);
}

} // namespace knead
