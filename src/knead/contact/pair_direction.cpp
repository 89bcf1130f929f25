#include "knead/contact/pair_direction.hpp"

#include "knead/base/parallel.hpp"
#include "knead/contact/fades.hpp"
#include "knead/spatial/closest_point.hpp"

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

// What the normals of both parts say.
struct FoundDirection {
    std::optional<Vec3> direction;
    double agreement = 0; ///< 1: all normals point along it
};

FoundDirection found_direction(const EasedParts& eased) {
    FoundDirection found{mapping_direction(eased.normals[0], eased.normals[1]), 0};
    if (found.direction) found.agreement = agreement_of(eased.normals[0], eased.normals[1]);
    return found;
}

// One that looks far away from where normals point that agree is kept less and less. Where they
// cancel they say nothing against it.
double kept_of(const Vec3& given, const FoundDirection& found) {
    if (!found.direction) return 1;
    const double steep = 1 - fades::given_steep(found.direction->dot(given));
    return 1 - steep * fades::normals_agree(found.agreement);
}

// A given direction is taken at its word where the normals point along it; where they do less, what
// comes of it is looked at.
double fit_of(const Vec3& given, const FoundDirection& found) {
    const double along = found.direction ? found.agreement * found.direction->dot(given) : 0;
    return fades::given_looks_along(along);
}

double deepest(const PlaceDirections& places) {
    double deepest = 0;
    for (const std::vector<double>& depths : places.depth)
        for (const double depth : depths) deepest = std::max(deepest, depth);
    return deepest;
}

// How far a contact spans along its direction says how deep it is, unless it is wide and goes
// round: then a touch at its side, which looks along the direction, would meet the far side. As
// normals begin to disagree, at most this many times the depth counts.
constexpr double reach_in_depths = 6;

double reach_of(double span_reach, double agreement, double depth) {
    const double as_spanned = fades::span_counts(agreement);
    return as_spanned * span_reach +
           (1 - as_spanned) * std::min(span_reach, reach_in_depths * depth);
}

// Where normals agree too little for one direction.
std::shared_ptr<const PlaceDirections> find_place_directions(const std::array<PairPart, 2>& parts,
                                                             const Intersection& intersection,
                                                             const EasedParts& eased,
                                                             double agreement, LocalDirection& own,
                                                             const KeptDirection& given) {
    auto places = std::make_shared<PlaceDirections>();
    parallel_for(2, 1, [&](std::size_t s) {
        places->depth[s] =
            depths_inside(intersection.parts[s], *parts[s].surface, *parts[1 - s].surface);
    });
    own.reach = reach_of(own.reach, agreement, deepest(*places));
    std::array<DirectionPart, 2> looked_at;
    for (int s = 0; s < 2; ++s)
        looked_at[s] = {parts[s].surface, parts[s].normals, &eased.sets[s], places->depth[s]};
    places->field.rebuild(looked_at, own, agreement, given);
    return places;
}

} // namespace

std::string find_pair_direction(const std::array<PairPart, 2>& parts,
                                const Intersection& intersection,
                                const std::optional<GivenDirection>& given, bool may_vary,
                                PairDirection& result) {
    const bool any = !intersection.parts[0].empty() || !intersection.parts[1].empty();
    result = {};
    EasedParts eased;
    FoundDirection found;
    if (!given || may_vary) {
        eased = eased_parts(intersection, parts);
        found = found_direction(eased);
    }
    if (given && may_vary) {
        result.fits = fit_of(given->direction, found);
        result.kept = given->kept * kept_of(given->direction, found);
    }
    const double kept = given ? result.kept : 0;
    const bool varies = any && may_vary && kept < 1 && found.agreement < one_direction_from;
    if (kept == 0 && !found.direction && !varies)
        return any ? "no mapping direction: the normals cancel; give one"
                   : "zone empty: edges cross, but no vertex is inside the other";
    // What lies further along a direction than twice the overlap belongs to something else.
    LocalDirection own, asked;
    if (kept < 1) {
        // Of a ring on a stem it is any: nothing goes by it.
        own.direction = found.direction.value_or(Vec3::UnitY());
        own.reach =
            2 * (may_vary ? span_of_pieces : span_along)(intersection, parts, own.direction);
    }
    if (kept > 0) {
        asked.direction = given->direction;
        asked.reach = 2 * span_along(intersection, parts, asked.direction);
    }
    const LocalDirection both = between(own, asked, kept);
    result.direction = both.direction;
    result.reach = both.reach;
    if (!varies) return {};
    result.places =
        find_place_directions(parts, intersection, eased, found.agreement, own, {asked, kept});
    result.reach = between(own, asked, kept).reach;
    // The pair's span along one direction says less and less.
    const double whole = result.places->field.share_of_whole();
    result.reach = whole * result.reach + (1 - whole) * 4 * deepest(*result.places);
    return {};
}

} // namespace knead
