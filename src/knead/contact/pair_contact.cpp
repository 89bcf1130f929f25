#include "knead/contact/pair_contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/smoothstep.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/parametrized_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

// The extent follows the size of the contact: long enough for the profile to keep to its tangent
// until it has left the other object, and for a bulge to have a few vertices.
void measure_extents(const std::array<PairSide, 2>& sides, PairContact& contact) {
    std::array<CutMeasure, 2> zone;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *sides[s].surface;
        zone[s] = measure(contact.zones[s], surface.positions, surface.faces(), surface.topology(),
                          [&](int f) { return sides[s].inward_of(surface.faces()[f]); });
    }
    const double area = contact.depths.area, radius = contact.depths.radius;
    for (int s = 0; s < 2; ++s) {
        // The area between the two borders over their mean length.
        const double perimeters = 2 * area / radius + zone[s].perimeter;
        contact.gap[s] = std::max(0.0, 2 * (area - zone[s].area) / perimeters);
        contact.least_extent[s] = std::max(8 * contact.gap[s], 5 * contact.depths.sizes[s].edge);
    }
    contact.usual_extent = 2.5 * radius;
}

// tau of the contact, or the mean of what its points have.
double apparent_stiffness_of(const PairContact& contact, const ZoneCriterion& criterion) {
    if (criterion.apparent_stiffness) return *criterion.apparent_stiffness;
    double sum = 0;
    int count = 0;
    for (const Mapping& mapping : contact.mappings)
        for (std::size_t v = 0; v < mapping.region.inside.size(); ++v)
            if (mapping.region.inside[v]) {
                sum += mapping.of_vertex[v].apparent_stiffness;
                ++count;
            }
    return count > 0 ? sum / count : 0;
}

} // namespace

bool find_pair_contact(const std::array<PairPart, 2>& parts, const ZoneCriterion& criterion,
                       MappingMethod method, const std::optional<GivenDirection>& given,
                       IntersectionWorkspace& workspace, PairContact& contact,
                       PairTimes& milliseconds, bool share_border) {
    contact.note.clear();
    contact.way = {};
    contact.certainty = 0;
    Stopwatch watch;
    intersect(*parts[0].surface, *parts[1].surface, contact.intersection, workspace, share_border);
    if (contact.intersection.empty()) {
        milliseconds.intersect += watch.lap();
        return false;
    }
    const bool may_vary = !share_border && method == MappingMethod::direction;
    contact.note = find_pair_direction(parts, contact.intersection, given, may_vary, contact.way);
    milliseconds.intersect += watch.lap();
    if (!contact.way.is_found()) return false;
    const PairDirection& way = contact.way;
    if (way.places)
        for (int s = 0; s < 2; ++s)
            contact.side_directions[s].begin(way.places->field, s, parts[s].surface->positions,
                                             way.places->depth[s]);

    std::array<PairSide, 2> sides;
    std::array<std::vector<Vec3>, 2> stiffness_gradients, offset_gradients;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *parts[s].surface;
        stiffness_gradients[s] =
            vertex_gradients(parts[s].stiffness, surface.positions, surface.faces());
        offset_gradients[s] = vertex_gradients(parts[s].offset, surface.positions, surface.faces());
        sides[s] = {parts[s].surface,
                    parts[s].normals,
                    s == 0 ? way.direction : Vec3(-way.direction),
                    way.reach,
                    parts[s].stiffness,
                    parts[s].apparent_stiffness,
                    parts[s].offset,
                    stiffness_gradients[s],
                    offset_gradients[s],
                    parts[s].texture_coordinates,
                    way.places ? &contact.side_directions[s] : nullptr};
    }
    if (method == MappingMethod::parametrization)
        contact.note = map_by_parametrization(sides, contact.intersection, contact.mappings);
    else
        parallel_for(2, 1, [&](std::size_t s) {
            map_side(sides[s], sides[1 - s], contact.intersection.parts[s], contact.mappings[s],
                     share_border);
        });
    find_depths(sides, contact.mappings, criterion.apparent_stiffness, contact.depths);
    const double edge = contact.depths.edge;
    contact.threshold =
        zone_threshold(contact.depths.overall, apparent_stiffness_of(contact, criterion));
    contact.certainty = edge > 0 ? smoothstep(contact.depths.area / (0.25 * edge * edge)) : 0;
    milliseconds.map += watch.lap();

    find_zones(sides, contact.mappings, contact.depths, criterion, contact.for_zones,
               contact.zones);
    const bool found = !contact.zones[0].empty() || !contact.zones[1].empty();
    if (found)
        measure_extents(sides, contact);
    else
        contact.note = criterion.ball_radius
                           ? fmt::format("zone empty: a ball with the radius {:.4g} does not fit",
                                         *criterion.ball_radius)
                           : fmt::format("zone empty: threshold {:.4g}", contact.threshold);
    milliseconds.zone += watch.lap();
    return found;
}

} // namespace knead
