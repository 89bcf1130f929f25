#include "knead/deform/pair_contact.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/smoothstep.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/contact/parametrized_mapping.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace knead {
namespace {

struct Interval {
    double low = std::numeric_limits<double>::infinity(), high = -low;

    void include(double at) {
        low = std::min(low, at);
        high = std::max(high, at);
    }
    double length() const { return std::max(0.0, high - low); }
};

// How far the connected pieces of a part reach along the mapping direction: the longest of them. A
// second touch on the far side of a stem is a piece of its own, and no reason to look that far.
double longest_piece(const CutSet& part, const Surface& surface,
                     std::span<const Crossing> crossings, const Vec3& direction) {
    const Topology& topology = surface.topology();
    std::vector<int> piece_of(part.inside.size(), -1), stack;
    std::vector<Interval> pieces;
    for (std::size_t v = 0; v < part.inside.size(); ++v) {
        if (!part.inside[v] || piece_of[v] >= 0) continue;
        const int piece = static_cast<int>(pieces.size());
        pieces.emplace_back();
        piece_of[v] = piece;
        stack.push_back(static_cast<int>(v));
        while (!stack.empty()) {
            const int vertex = stack.back();
            stack.pop_back();
            pieces[piece].include(direction.dot(surface.positions[vertex]));
            for (const int next : topology.vertex_vertices[vertex]) {
                if (!part.inside[next] || piece_of[next] >= 0) continue;
                piece_of[next] = piece;
                stack.push_back(next);
            }
        }
    }
    for (const Crossing& crossing : crossings)
        for (const int end : topology.edges[crossing.edge.edge])
            if (piece_of[end] >= 0) pieces[piece_of[end]].include(direction.dot(crossing.position));
    double longest = 0;
    for (const Interval& piece : pieces) longest = std::max(longest, piece.length());
    return longest;
}

// How far the parts reach along the direction, all pieces together.
double span_along(const Intersection& intersection, const std::array<PairPart, 2>& parts,
                  const Vec3& direction) {
    Interval all;
    for (int s = 0; s < 2; ++s)
        for (std::size_t v = 0; v < parts[s].surface->positions.size(); ++v)
            if (intersection.parts[s].inside[v])
                all.include(direction.dot(parts[s].surface->positions[v]));
    for (const auto* crossings : {&intersection.crossings.of_a, &intersection.crossings.of_b})
        for (const Crossing& crossing : *crossings) all.include(direction.dot(crossing.position));
    return all.length();
}

// The same of the longest pieces alone.
double span_of_pieces(const Intersection& intersection, const std::array<PairPart, 2>& parts,
                      const Vec3& direction) {
    return longest_piece(intersection.parts[0], *parts[0].surface, intersection.crossings.of_a,
                         direction) +
           longest_piece(intersection.parts[1], *parts[1].surface, intersection.crossings.of_b,
                         direction);
}

// The parts with borders that do not jump, and their normals.
struct EasedParts {
    std::array<CutSet, 2> sets;
    std::array<NormalStatistics, 2> normals;
};

EasedParts eased_parts(const Intersection& intersection, const std::array<PairPart, 2>& parts) {
    EasedParts eased;
    parallel_for(2, 1, [&](std::size_t s) {
        const Surface& surface = *parts[s].surface;
        eased.sets[s] =
            ease_border(intersection.parts[s], surface, *parts[1 - s].surface, parts[s].edge);
        eased.normals[s] = normal_statistics(eased.sets[s], surface, parts[s].normals);
    });
    return eased;
}

// How deep every vertex is in the other part.
std::vector<double> depths_inside(const CutSet& part, const Surface& surface,
                                  const Surface& other) {
    std::vector<double> depth(surface.positions.size(), 0);
    ClosestPointOptions options;
    for (std::size_t v = 0; v < depth.size(); ++v) {
        if (!part.inside[v]) continue;
        const auto nearest = closest_point(other, surface.positions[v], options);
        if (!nearest) continue;
        options.first_face = nearest->point.face;
        depth[v] = std::sqrt(nearest->squared_distance);
    }
    return depth;
}

// Where normals agree too little for one direction.
void find_directions(const std::array<PairPart, 2>& parts, const EasedParts& eased,
                     double agreement, PairContact& contact) {
    auto directions = std::make_shared<PairDirections>();
    parallel_for(2, 1, [&](std::size_t s) {
        directions->depth[s] =
            depths_inside(contact.intersection.parts[s], *parts[s].surface, *parts[1 - s].surface);
    });
    std::array<DirectionPart, 2> looked_at;
    double deepest = 0;
    for (int s = 0; s < 2; ++s) {
        looked_at[s] = {parts[s].surface, parts[s].normals, &eased.sets[s], directions->depth[s]};
        for (const double depth : directions->depth[s]) deepest = std::max(deepest, depth);
    }
    directions->field.rebuild(looked_at, {contact.direction, contact.reach}, agreement);
    for (int s = 0; s < 2; ++s)
        contact.side_directions[s].begin(directions->field, s, parts[s].surface->positions,
                                         directions->depth[s]);
    // The pair's span along one direction says less and less.
    const double whole = directions->field.share_of_whole();
    contact.reach = whole * contact.reach + (1 - whole) * 4 * deepest;
    contact.directions = std::move(directions);
}

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
                       MappingMethod method, const std::optional<Vec3>& direction,
                       IntersectionWorkspace& workspace, PairContact& contact,
                       PairTimes& milliseconds, bool share_border) {
    contact.note.clear();
    contact.direction.setZero();
    contact.certainty = 0;
    contact.directions.reset();
    Stopwatch watch;
    intersect(*parts[0].surface, *parts[1].surface, contact.intersection, workspace, share_border);
    if (contact.intersection.empty()) {
        milliseconds.intersect += watch.lap();
        return false;
    }
    std::optional<Vec3> chosen;
    const bool found_alone = !direction && !share_border && method == MappingMethod::direction;
    double agreement = 1;
    EasedParts eased;
    if (direction) {
        chosen = direction->normalized();
    } else {
        eased = eased_parts(contact.intersection, parts);
        chosen = mapping_direction(eased.normals[0], eased.normals[1]);
        if (found_alone) agreement = chosen ? agreement_of(eased.normals[0], eased.normals[1]) : 0;
    }
    const bool any =
        !contact.intersection.parts[0].empty() || !contact.intersection.parts[1].empty();
    if (!chosen && !(any && agreement < one_direction_from)) {
        contact.note = any ? "no mapping direction: the normals cancel; give one"
                           : "zone empty: edges cross, but no vertex is inside the other";
        milliseconds.intersect += watch.lap();
        return false;
    }
    // Of a ring on a stem it is any: nothing goes by it.
    contact.direction = chosen.value_or(Vec3::UnitY());
    // What lies further along the direction than twice the overlap belongs to something else.
    contact.reach = 2 * (found_alone ? span_of_pieces : span_along)(contact.intersection, parts,
                                                                    contact.direction);
    if (any && agreement < one_direction_from) find_directions(parts, eased, agreement, contact);
    milliseconds.intersect += watch.lap();

    std::array<PairSide, 2> sides;
    std::array<std::vector<Vec3>, 2> stiffness_gradients, offset_gradients;
    for (int s = 0; s < 2; ++s) {
        const Surface& surface = *parts[s].surface;
        stiffness_gradients[s] =
            vertex_gradients(parts[s].stiffness, surface.positions, surface.faces());
        offset_gradients[s] = vertex_gradients(parts[s].offset, surface.positions, surface.faces());
        sides[s] = {parts[s].surface,
                    parts[s].normals,
                    s == 0 ? contact.direction : Vec3(-contact.direction),
                    contact.reach,
                    parts[s].stiffness,
                    parts[s].apparent_stiffness,
                    parts[s].offset,
                    stiffness_gradients[s],
                    offset_gradients[s],
                    parts[s].texture_coordinates,
                    contact.directions ? &contact.side_directions[s] : nullptr};
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
