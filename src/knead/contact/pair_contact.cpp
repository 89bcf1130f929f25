#include "knead/contact/pair_contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/fades.hpp"
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

// The parts as the stages after the direction see them.
std::array<PairSide, 2> make_sides(const std::array<PairPart, 2>& parts, const PairDirection& way,
                                   bool are_cut_out, ContactWorkspace& workspace,
                                   std::array<SideDirections, 2>& directions) {
    std::array<PairSide, 2> sides;
    for (int s = 0; s < 2; ++s) {
        const PairPart& part = parts[s];
        const Surface& surface = *part.surface;
        if (way.places)
            directions[s].begin(way.places->field, s, surface.positions, way.places->depth[s]);
        std::vector<Vec3>&stiffness = workspace.stiffness_gradients[s],
        &offset = workspace.offset_gradients[s];
        stiffness = vertex_gradients(part.stiffness, surface.positions, surface.faces());
        offset = vertex_gradients(part.offset, surface.positions, surface.faces());
        sides[s] = {&surface,
                    part.normals,
                    s == 0 ? way.direction : Vec3(-way.direction),
                    way.reach,
                    part.stiffness,
                    part.apparent_stiffness,
                    part.offset,
                    stiffness,
                    offset,
                    part.texture_coordinates,
                    way.places ? &directions[s] : nullptr,
                    are_cut_out};
    }
    return sides;
}

// Gives what is wrong with the mapping, or nothing.
std::string map_sides(const std::array<PairSide, 2>& sides, const Intersection& intersection,
                      MappingMethod method, bool share_border, ContactWorkspace& workspace,
                      std::array<Mapping, 2>& mappings) {
    if (method == MappingMethod::parametrization)
        return map_by_parametrization(sides, intersection, mappings);
    parallel_for(2, 1, [&](std::size_t s) {
        map_side(sides[s], sides[1 - s], intersection.parts[s], share_border, workspace.mappings[s],
                 mappings[s]);
    });
    return {};
}

// A contact grows from a point to a part of a face.
double certainty_of(const DepthField& depths) {
    const double edge = depths.edge;
    return edge > 0 ? fades::certainty(depths.area / (edge * edge)) : 0;
}

std::string note_of_empty_zone(const PairContact& contact, const ZoneCriterion& criterion) {
    return criterion.ball_radius
               ? fmt::format("zone empty: a ball with the radius {:.4g} does not fit",
                             *criterion.ball_radius)
               : fmt::format("zone empty: threshold {:.4g}", contact.threshold);
}

} // namespace

bool find_pair_contact(const std::array<PairPart, 2>& parts, const ZoneCriterion& criterion,
                       MappingMethod method, const std::optional<GivenDirection>& given,
                       ContactWorkspace& workspace, PairContact& contact, PairTimes& milliseconds,
                       bool share_border) {
    contact.note.clear();
    contact.way = {};
    contact.certainty = 0;
    Stopwatch watch;
    intersect(*parts[0].surface, *parts[1].surface, contact.intersection, workspace.intersection,
              share_border);
    if (!contact.intersection.empty()) {
        const bool may_vary = !share_border && method == MappingMethod::direction;
        contact.note =
            find_pair_direction(parts, contact.intersection, given, may_vary, contact.way);
    }
    milliseconds.intersect += watch.lap();
    if (!contact.way.is_found()) return false;

    const std::array<PairSide, 2> sides =
        make_sides(parts, contact.way, share_border, workspace, contact.side_directions);
    contact.note =
        map_sides(sides, contact.intersection, method, share_border, workspace, contact.mappings);
    find_depths(sides, contact.mappings, contact.depths);
    contact.threshold =
        zone_threshold(contact.depths.overall, apparent_stiffness_of(contact, criterion));
    contact.certainty = certainty_of(contact.depths);
    milliseconds.map += watch.lap();

    find_zones(sides, contact.mappings, contact.depths, criterion, workspace.zones, contact.zones);
    const bool found = !contact.zones[0].empty() || !contact.zones[1].empty();
    if (found)
        measure_extents(sides, contact);
    else
        contact.note = note_of_empty_zone(contact, criterion);
    milliseconds.zone += watch.lap();
    return found;
}

} // namespace knead
