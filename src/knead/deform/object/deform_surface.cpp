#include "knead/deform/object/deform_surface.hpp"

#include "knead/bulge/smooth_field.hpp"
#include "knead/deform/object/part_settings.hpp"
#include "knead/deform/object/softness.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <limits>

namespace knead {
namespace {

void make_softness_map(DeformSurface& surface) {
    surface.softness_map.clear();
    for (const double softness : surface.settings.softness.map())
        surface.softness_map.push_back(apparent_stiffness_of(softness));
}

} // namespace

VertexNumber DeformSurface::apparent_stiffness() const {
    return settings.softness.is_map() ? VertexNumber(softness_map)
                                      : VertexNumber(apparent_stiffness_of(settings.softness[0]));
}

double DeformSurface::shortest_extent(const ContactZone& zone) const {
    double shortest = std::numeric_limits<double>::infinity();
    if (settings.extent)
        for (const ZoneBorderPoint& point : zone.border)
            shortest = std::min(shortest,
                                settings.extent->at(structure->topology.edges[point.on_edge.edge],
                                                    point.on_edge.t));
    return shortest;
}

void DeformSurface::prepare_bulge() {
    if (!patches) patches = std::make_unique<BulgePatches>(structure);
    // Relief that turns as a whole is moved as a whole, too.
    if (!guide_normals.empty() ||
        !(settings.smooth_normals.largest() > 0 || settings.details.largest() > 0))
        return;
    std::vector<double> length(normals.size());
    for (std::size_t v = 0; v < length.size(); ++v)
        length[v] = std::max(settings.smooth_normals[v], settings.details[v]);
    guide_normals =
        smoothed(surface.positions, structure->faces, normals, length, smoothing_workspace());
    for (std::size_t v = 0; v < normals.size(); ++v) {
        const double norm = guide_normals[v].norm();
        guide_normals[v] = norm > 1e-9 ? Vec3(guide_normals[v] / norm) : normals[v];
    }
}

BulgeWorkspace& DeformSurface::smoothing_workspace() {
    if (!smoothing) {
        std::vector<int> order = structure->elimination_order;
        smoothing = order.empty() ? make_bulge_workspace(structure->topology)
                                  : make_bulge_workspace(structure->topology, std::move(order));
    }
    return *smoothing;
}

void take_settings(DeformSurface& part, const DeformSurface& object) {
    part.part_maps.clear();
    part.given_edge = object.given_edge;
    part.settings = part_settings(object.settings, [&](std::span<const double> map) {
        return std::span<const double>(part.part_maps.emplace_back(part.gather_values(map)));
    });
    if (!object.texture_coordinates.empty()) {
        part.part_texture = part.gather_values(object.texture_coordinates);
        part.texture_coordinates = part.part_texture;
    }
    make_softness_map(part);
}

void pose(DeformSurface& surface, DeformSurface& object) {
    if (surface.is_posed) return;
    surface.is_posed = true;
    std::span<const Vec3> positions = object.object_positions;
    surface.guide_normals.clear();
    if (!surface.region) {
        vertex_normals(positions, object.structure->faces, surface.normals);
    } else {
        pose(object, object);
        surface.normals = gather(*surface.region, object.normals);
        surface.gather_values(positions, surface.part_positions);
        positions = surface.part_positions;
        take_settings(surface, object);
        if (!surface.structure)
            surface.structure = part_structure(
                *object.structure, surface.region->faces, surface.region->triangles,
                build_topology(surface.region->triangles, static_cast<int>(positions.size())));
    }
    make_softness_map(surface);
    surface.border.assign(surface.structure->on_border.begin(), surface.structure->on_border.end());
    surface.surface.structure = surface.structure;
    surface.edge = surface.given_edge ? *surface.given_edge
                                      : mean_edge_length(positions, surface.structure->topology);
    move(surface.surface, positions);
}

} // namespace knead
