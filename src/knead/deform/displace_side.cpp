#include "knead/deform/displace_side.hpp"

#include "knead/base/stopwatch.hpp"
#include "knead/deform/object_settings.hpp"
#include "knead/deform/softness.hpp"

#include <algorithm>

namespace knead {
namespace {

// Numbers that are gathered one after the other, each where it stays.
class Gathered {
public:
    explicit Gathered(const SubMesh& part) : part_(part) {}

    std::span<const double> operator()(std::span<const double> map) {
        return maps_.emplace_back(part_.gather(map));
    }

private:
    const SubMesh& part_;
    std::vector<std::vector<double>> maps_; ///< their memory does not move with the list
};

} // namespace

void displace_side(const PairContact& contact, int side, double edge, DeformSurface& surface,
                   const FieldMethods& methods, DeformTimes& milliseconds,
                   PairDisplacement& displacement) {
    Stopwatch watch;
    surface.prepare_bulge();
    milliseconds.plan += watch.lap();
    const VertexNumber& softness = surface.settings.softness;
    const auto auto_extent = [&](double at) {
        return std::max(contact.least_extent[side], extent_scale_of(at) * contact.usual_extent);
    };
    std::vector<double> extent_map;
    for (const double at : softness.map()) extent_map.push_back(auto_extent(at));
    const VertexNumber extent = surface.settings.extent ? *surface.settings.extent
                                : softness.is_map()     ? VertexNumber(extent_map)
                                                        : VertexNumber(auto_extent(softness[0]));

    const BulgeMesh whole = surface.mesh();
    BulgePatch& patch = surface.patches->about(contact.zones[side], surface.surface, extent, edge);
    const SubMesh& part = patch.mesh;
    zone_of_part(contact.zones[side], part, patch.zone);
    part.gather(whole.positions, patch.positions);
    part.gather(whole.normals, patch.normals);
    part.gather(whole.border, patch.border);
    Gathered gathered(part);
    const DeformSettings settings =
        part_settings(surface.settings, [&](std::span<const double> map) { return gathered(map); });
    milliseconds.parametrize += watch.lap();

    pair_displacement(patch.zone,
                      {patch.positions, patch.normals, part.triangles, &part.topology, patch.border,
                       patch.weights, whole.edge},
                      settings.bulge, extent.is_map() ? gathered(extent.map()) : extent, methods,
                      patch.workspace, displacement);
    displacement.extent = extent.largest();
    for (int& vertex : displacement.vertices) {
        vertex = part.vertices[vertex];
        if (surface.region) vertex = surface.region->vertices[vertex];
    }
    milliseconds.parametrize += displacement.parametrize_milliseconds;
    milliseconds.direction += displacement.direction_milliseconds;
    milliseconds.guide += displacement.guide_milliseconds;
    milliseconds.displace += displacement.displace_milliseconds;
}

} // namespace knead
