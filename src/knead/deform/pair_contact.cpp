#include "knead/deform/pair_contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/smoothstep.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/contact/parametrized_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace knead {
namespace {

// How far the parts reach along the mapping direction.
double span_along(const Intersection& intersection, const std::array<PairPart, 2>& parts,
                  const Vec3& direction) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto include = [&](const Vec3& position) {
        const double at = direction.dot(position);
        low = std::min(low, at);
        high = std::max(high, at);
    };
    for (int s = 0; s < 2; ++s)
        for (std::size_t v = 0; v < parts[s].surface->positions.size(); ++v)
            if (intersection.parts[s].inside[v]) include(parts[s].surface->positions[v]);
    for (const auto* crossings : {&intersection.crossings.of_a, &intersection.crossings.of_b})
        for (const Crossing& crossing : *crossings) include(crossing.position);
    return std::max(0.0, high - low);
}

std::optional<Vec3> automatic_direction(const Intersection& intersection,
                                        const std::array<PairPart, 2>& parts) {
    std::array<NormalStatistics, 2> statistics;
    parallel_for(2, 1, [&](std::size_t s) {
        const Surface& surface = *parts[s].surface;
        statistics[s] = normal_statistics(
            ease_border(intersection.parts[s], surface, *parts[1 - s].surface, parts[s].edge),
            surface, parts[s].normals);
    });
    return mapping_direction(statistics[0], statistics[1]);
}

// The extent follows the size of the contact: long enough for the profile to keep to its tangent
// until it has left the other object, and for a bulge to have a few vertices.
void measure_extents(const std::array<PairSide, 2>& sides, PairContact& contact) {
    std::array<CutMeasure, 2> zone;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *sides[s].surface;
        zone[s] = measure(contact.zones[s], surface.positions, surface.faces(), surface.topology(),
                          sides[s].inward);
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
                       MappingMethod method, const std::optional<Vec3>& direction,
                       IntersectionWorkspace& workspace, PairContact& contact,
                       PairTimes& milliseconds, bool share_border) {
    contact.note.clear();
    contact.direction.setZero();
    contact.certainty = 0;
    Stopwatch watch;
    intersect(*parts[0].surface, *parts[1].surface, contact.intersection, workspace, share_border);
    const std::optional<Vec3> chosen = contact.intersection.empty() ? std::nullopt
                                       : direction
                                           ? std::optional<Vec3>(direction->normalized())
                                           : automatic_direction(contact.intersection, parts);
    milliseconds.intersect += watch.lap();
    if (contact.intersection.empty()) return false;
    if (!chosen) {
        const bool any =
            !contact.intersection.parts[0].empty() || !contact.intersection.parts[1].empty();
        contact.note = any ? "no mapping direction: the normals cancel; give one"
                           : "zone empty: edges cross, but no vertex is inside the other";
        return false;
    }
    contact.direction = *chosen;

    std::array<PairSide, 2> sides;
    std::array<std::vector<Vec3>, 2> stiffness_gradients, offset_gradients;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *parts[s].surface;
        stiffness_gradients[s] =
            vertex_gradients(parts[s].stiffness, surface.positions, surface.faces());
        offset_gradients[s] = vertex_gradients(parts[s].offset, surface.positions, surface.faces());
        sides[s] = {parts[s].surface,
                    parts[s].normals,
                    s == 0 ? *chosen : Vec3(-*chosen),
                    parts[s].stiffness,
                    parts[s].apparent_stiffness,
                    parts[s].offset,
                    stiffness_gradients[s],
                    offset_gradients[s],
                    parts[s].texture_coordinates};
    }
    // What lies further along the direction than twice the overlap belongs to something else.
    contact.reach = 2 * span_along(contact.intersection, parts, *chosen);
    if (method == MappingMethod::parametrization)
        contact.note = map_by_parametrization(sides, contact.intersection, contact.mappings);
    else
        parallel_for(2, 1, [&](std::size_t s) {
            map_side(sides[s], sides[1 - s], contact.intersection.parts[s], contact.reach,
                     contact.mappings[s], share_border);
        });
    find_depths(sides, contact.mappings, criterion.apparent_stiffness, contact.depths);
    const double edge = contact.depths.edge;
    contact.threshold =
        zone_threshold(contact.depths.overall, apparent_stiffness_of(contact, criterion));
    contact.certainty = edge > 0 ? smoothstep(contact.depths.area / (0.25 * edge * edge)) : 0;
    milliseconds.map += watch.lap();

    find_zones(sides, contact.mappings, contact.depths, criterion, contact.reach, contact.for_zones,
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
