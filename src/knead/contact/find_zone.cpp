#include "knead/contact/find_zone.hpp"

#include "knead/base/parallel.hpp"
#include "knead/contact/fades.hpp"
#include "knead/contact/rolling_ball.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Where a quantity that is `over` a bound at 0 falls below it, on the way to 1. If it does not,
// that is all the way; but not at once when it has just come over the bound at 0: until it is
// `surely` over, the border moves there.
double where_below(double over, double over_at_1, double surely) {
    const double unsure = surely > 0 ? surely * (1 - fades::surely_in_zone(over / surely)) : 0;
    const double below = std::max(-over_at_1, unsure);
    return below > 0 ? over / (over + below) : 1.0;
}

// What a ray met, as long as that is about what lies between the ends of the edge. It leaves a
// contour of the other mesh at once; what it meets behind counts less the further away it is.
MappedPoint near_interpolated(const std::optional<MappedPoint>& met,
                              const MappedPoint& interpolated, double tolerance) {
    if (!met || !(tolerance > 0)) return interpolated;
    const double away = std::max(std::abs(met->gap - interpolated.gap) / tolerance,
                                 (met->other_normal - interpolated.other_normal).norm() / 0.2);
    return interpolate(*met, interpolated, fades::met_elsewhere(away));
}

// Where a point that knows its way from its neighbours meets the other mesh: the tangent plane at
// the nearest point, whose mesh has no jumps there.
std::optional<MappedPoint> meet_nearby(const PairSide& other, const SidePoint& from,
                                       const MappedPoint& between) {
    const auto nearest =
        closest_point(*other.surface, from.position + between.gap * between.inward);
    if (!nearest) return std::nullopt;
    const Vec3 normal =
        interpolate<Vec3>(nearest->point, other.surface->faces(), other.normals).normalized();
    const double along = std::max(normal.dot(between.inward), least_facing);
    const double gap = std::max(0.0, normal.dot(nearest->position - from.position) / along);
    return meet(other, from, nearest->point, between.inward, gap);
}

// By how much a point of the mapping region fulfils the criterion: 0 on the border of the zone.
class Excess {
public:
    Excess(const PairSide& side, const Mapping& mapping, const DepthField& depths,
           const ZoneCriterion& criterion)
        : side_(side), depths_(depths), criterion_(criterion) {
        if (criterion.ball_radius) ball_ = make_rolling_ball(side, mapping, *criterion.ball_radius);
    }

    /// The point is `t` of the way along an edge from one vertex to the next.
    double operator()(const MappedPoint& point, const Vec3& position, int from, int to,
                      double t) const {
        if (!ball_)
            return point.depth -
                   zone_threshold_at(
                       depths_, position, side_.pair_direction(point.inward), criterion_.threshold,
                       criterion_.apparent_stiffness.value_or(point.apparent_stiffness));
        const auto lift = [&](int vertex) {
            return ring_lift(*ball_, side_.surface->topology(), vertex, point.other_normal);
        };
        return ball_clearance(*ball_, position + point.gap * point.inward, point.other_normal,
                              t == 0 ? lift(from) : (1 - t) * lift(from) + t * lift(to));
    }

private:
    const PairSide& side_;
    const DepthField& depths_;
    const ZoneCriterion& criterion_;
    std::optional<RollingBall> ball_;
};

// Which vertices are in the zone, and where its border passes.
void outline_zone(const PairSide& side, const PairSide& other, const Mapping& mapping,
                  const DepthField& depths, const ZoneCriterion& criterion, ContactZone& zone,
                  std::vector<MappedPoint>& mapped_border, std::vector<double>& vertex_excess) {
    const Topology& topology = side.surface->topology();
    const std::span<const Vec3> positions = side.surface->positions;
    const Excess excess(side, mapping, depths, criterion);
    zone.outward = -side.inward;
    zone.outwards.clear();
    zone.bulge_room.clear();
    const bool varies = mapping.own_directions || side.has_directions();
    if (varies) zone.outwards.assign(positions.size(), zone.outward);
    zone.inside.assign(positions.size(), 0);
    zone.target.assign(positions.begin(), positions.end());
    zone.border_of_edge.assign(topology.edges.size(), -1);
    zone.border.clear();
    mapped_border.clear();
    vertex_excess.assign(positions.size(), 0);
    for (std::size_t v = 0; v < positions.size(); ++v) {
        if (!mapping.region.inside[v]) continue;
        const MappedPoint& mapped = mapping.of_vertex[v];
        vertex_excess[v] =
            excess(mapped, positions[v], static_cast<int>(v), static_cast<int>(v), 0);
        zone.inside[v] = vertex_excess[v] >= 0 && mapped.facing >= least_facing;
        if (varies && zone.inside[v]) zone.outwards[v] = -mapped.inward;
    }
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
        const auto along_edge = [&](double t) -> Vec3 {
            return (1 - t) * positions[ends[0]] + t * positions[ends[1]];
        };
        const int in_end = zone.inside[ends[0]] ? 0 : 1;
        const int in = ends[in_end], out = ends[1 - in_end];
        const bool out_mapped = mapping.region.inside[out];
        const MappedPoint& beyond = out_mapped ? mapping.of_vertex[out] : mapping.of_edge[e];
        const double reach_on_edge = out_mapped ? 1.0 : std::abs(mapping.region.cut[e] - in_end);
        const double beyond_excess =
            out_mapped ? vertex_excess[out]
                       : excess(beyond, along_edge(mapping.region.cut[e]), in, out, reach_on_edge);
        const double facing = mapping.of_vertex[in].facing - least_facing,
                     beyond_facing = beyond.facing - least_facing;
        const double sure_excess = 0.02 * depths.overall.mean, sure_facing = 0.02 * least_facing;
        // 0 where the far end is about to come into the zone itself.
        const double out_of_zone =
            std::clamp(std::max({-beyond_excess / sure_excess, -beyond_facing / sure_facing,
                                 20 * (1 - reach_on_edge)}),
                       0.0, 1.0);
        const double part =
            std::min(where_below(vertex_excess[in], beyond_excess, out_of_zone * sure_excess),
                     where_below(facing, beyond_facing, out_of_zone * sure_facing));
        const double t = in_end == 0 ? part * reach_on_edge : 1 - part * reach_on_edge;
        const SidePoint at = point_at(side, ends, t);
        ZoneBorderPoint point;
        point.on_edge = {e, t};
        point.position = at.position;
        point.normal = at.normal;
        const Vec3 edge = positions[out] - positions[in];
        // The far end counts as far as it may be in the zone itself soon.
        const double threshold =
            out_mapped && !criterion.ball_radius ? beyond.depth - vertex_excess[out] : 0;
        const double counts =
            threshold > 0 ? fades::far_end_counts(beyond.depth / threshold) : out_mapped;
        const MappedPoint far =
            mapping.own_directions
                ? beyond
                : interpolate(carried_on(mapping.of_vertex[in], reach_on_edge * edge), beyond,
                              counts);
        const MappedPoint between = interpolate(mapping.of_vertex[in], far, part);
        const auto met =
            mapping.own_directions ? meet_nearby(other, at, between) : map_point(other, at);
        const double tolerance = std::min(0.1 * edge.norm(), 0.3 * mapping.of_vertex[in].gap);
        mapped_border.push_back(near_interpolated(met, between, tolerance));
        point.outward = -mapped_border.back().inward;
        zone.border_of_edge[e] = static_cast<int>(zone.border.size());
        zone.border.push_back(point);
    }
}

// Where the zone goes: onto the contact surface.
void place_zone(const PairSide& side, const Mapping& mapping, const ZonePresence& other,
                std::span<const MappedPoint> mapped_border, ContactZone& zone) {
    const std::span<const Vec3> positions = side.surface->positions;
    // What the other side would do but cannot, this side does, unless it is much stiffer.
    const auto still_there = [&](const Vec3& position, const MappedPoint& mapped) {
        const double k = mapped.relative_stiffness;
        if (k <= 0 || k >= 1) return 1.0;
        const double unmoved = std::pow(std::max(0.0, 2 * k - 1), 2);
        const double follows = other.at(position + mapped.gap * mapped.inward);
        return follows + (1 - follows) * unmoved;
    };
    // A gap is kept against the direction that all go; where each goes its own, across the other.
    const auto way = [&](double moving, const MappedPoint& mapped) -> Vec3 {
        if (!mapping.own_directions) return (moving * mapped.gap + mapped.offset) * mapped.inward;
        return moving * mapped.gap * mapped.inward + mapped.offset * mapped.other_normal;
    };
    for (std::size_t v = 0; v < positions.size(); ++v) {
        if (!zone.inside[v]) continue;
        const MappedPoint& mapped = mapping.of_vertex[v];
        const double moving = 1 - mapped.relative_stiffness * still_there(positions[v], mapped);
        zone.target[v] = positions[v] + way(moving, mapped);
    }
    for (std::size_t b = 0; b < zone.border.size(); ++b) {
        ZoneBorderPoint& point = zone.border[b];
        const MappedPoint& mapped = mapped_border[b];
        const double there = still_there(point.position, mapped);
        const double kept = mapped.relative_stiffness * there;
        point.target = point.position + way(1 - kept, mapped);
        point.target_normal =
            contact_surface_normal(mapped.inward, kept, point.normal, mapped.other_normal,
                                   there * mapped.stiffness_tilt + mapped.offset_tilt);
    }
}

double area_on_surface(const ContactZone& zone, const Surface& surface) {
    double area = 0;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const CutFace cut = cut_face(zone, f, surface.faces(), surface.topology());
        const auto at = [&](int i) -> const Vec3& {
            const CutCorner& corner = cut.corners[i];
            return corner.edge < 0 ? zone.target[corner.a]
                                   : zone.border[zone.border_of_edge[corner.edge]].target;
        };
        for (int i = 2; i < cut.count; ++i)
            area += 0.5 * area_vector(at(0), at(i - 1), at(i)).norm();
    }
    return area;
}

} // namespace

void find_zones(const std::array<PairSide, 2>& sides, const std::array<Mapping, 2>& mappings,
                const DepthField& depths, const ZoneCriterion& criterion, ZoneWorkspace& workspace,
                std::array<ContactZone, 2>& zones) {
    // By name: clang 14 lets no lambda capture a structured binding.
    auto& mapped_border = workspace.mapped_border;
    auto& excess = workspace.excess;
    auto& presence = workspace.presence;
    parallel_for(2, 1, [&](std::size_t s) {
        if (criterion.ball_radius && sides[s].is_rigid()) {
            zones[s] = {};
            zones[s].inside.assign(sides[s].surface->positions.size(), 0);
            zones[s].border_of_edge.assign(sides[s].surface->topology().edges.size(), -1);
            presence[s].clear();
            return;
        }
        outline_zone(sides[s], sides[1 - s], mappings[s], depths, criterion, zones[s],
                     mapped_border[s], excess[s]);
        find_presence(zones[s], sides[s], depths.sizes[s].edge, presence[s]);
        fade_zone(presence[s], sides[s], zones[s]);
    });
    parallel_for(2, 1, [&](std::size_t s) {
        place_zone(sides[s], mappings[s], presence[1 - s], mapped_border[s], zones[s]);
        zones[s].area = area_on_surface(zones[s], *sides[s].surface);
    });
    if (criterion.ball_radius)
        for (int s = 0; s < 2; ++s)
            if (sides[s].is_rigid()) zones[s].area = zones[1 - s].area;
}

} // namespace knead
