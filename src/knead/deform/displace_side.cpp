#include "knead/deform/displace_side.hpp"

#include "knead/base/stopwatch.hpp"
#include "knead/deform/object/part_settings.hpp"
#include "knead/deform/object/softness.hpp"

#include <algorithm>
#include <cmath>

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

// The larger of two lengths, going over from one to the other where they are nearly equal.
double smooth_max(double a, double b) {
    const double width = 0.2 * b, between = width - std::abs(a - b);
    return std::max(a, b) + (between > 0 ? between * between / (4 * width) : 0);
}

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
    // A shorter one would leave the profile too little way to get out of the other object.
    const auto long_enough = [&](double given) { return smooth_max(given, 8 * contact.gap[side]); };
    const VertexNumber& given = surface.settings.extent ? *surface.settings.extent : softness;
    const auto extent_of = [&](double number) {
        return surface.settings.extent ? long_enough(number) : auto_extent(number);
    };
    for (const double at : given.map()) extent_map.push_back(extent_of(at));
    const VertexNumber extent =
        given.is_map() ? VertexNumber(extent_map) : VertexNumber(extent_of(given[0]));

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

    const BulgeTimes times =
        pair_displacement(patch.zone,
                          {patch.positions, patch.normals, part.triangles, &part.topology,
                           patch.border, patch.weights, whole.edge},
                          settings.bulge, extent.is_map() ? gathered(extent.map()) : extent,
                          methods, patch.workspace, displacement);
    displacement.extent = extent.largest();
    for (int& vertex : displacement.vertices) {
        vertex = part.vertices[vertex];
        if (surface.region) vertex = surface.region->vertices[vertex];
    }
    milliseconds.parametrize += times.parametrize;
    milliseconds.direction += times.direction;
    milliseconds.guide += times.guide;
    milliseconds.displace += times.displace;
}

} // namespace knead
