#include "knead/contact/parametrized_mapping.hpp"

#include "knead/contact/shared_parameters.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Ways shorter than this part of the longest are of no sure direction.
constexpr double unsure = 0.01;

// A point of a side and where it goes on the other.
struct Correspondence {
    FacePoint met;
    Vec3 way = Vec3::Zero();
};

MappedPoint mapped_point(const PairSide& side, const PairSide& other, const SidePoint& from,
                         const Correspondence& found, double longest) {
    const Vec3 inward = (found.way + unsure * longest * side.inward).normalized();
    const Vec3 normal =
        interpolate<Vec3>(found.met, other.surface->faces(), other.normals).normalized();
    const double along = std::max(normal.dot(inward), least_facing);
    return meet(other, from, found.met, inward, std::max(0.0, normal.dot(found.way) / along));
}

// Where the region ends on an edge with one end in it: where the mesh leaves the other, or turns
// away from it.
void end_on_edge(const PairSide& side, const PairSide& other, const CutSet& part,
                 std::span<const MappedPoint> mapped, int e, double deepest, Mapping& result) {
    const Edge& ends = side.surface->topology().edges[e];
    const int in_end = result.region.inside[ends[0]] ? 0 : 1;
    const int in = ends[in_end], out = ends[1 - in_end];
    MappedPoint& end = result.of_edge[e];
    end = mapped[in];
    if (part.inside[out]) {
        // Past the contour, or in a part of the mesh that the curve does not reach.
        const double facing = mapped[in].facing, beyond = std::min(0.0, mapped[out].facing);
        const double t = facing / (facing - beyond);
        result.region.cut[e] = in_end == 0 ? t : 1 - t;
        end.gap = (1 - t) * mapped[in].gap + t * mapped[out].gap;
        end.facing = 0;
        end.depth = 0;
        return;
    }
    const SidePoint at = point_at(side, ends, part.cut[e]);
    if (const auto nearest = closest_point(*other.surface, at.position))
        end = meet(other, at, nearest->point, side.inward, 0);
    const std::span<const Vec3> positions = side.surface->positions;
    const double length = (positions[out] - positions[in]).norm();
    const double entered = gone_through(mapped[in].depth, deepest, length);
    const double left = gone_out(*other.surface, positions[out], deepest, length);
    const double cut = in_end + (part.cut[e] - in_end) * entered;
    result.region.cut[e] = 1 - in_end + (cut - (1 - in_end)) * left;
}

} // namespace

std::string map_by_parametrization(const std::array<PairSide, 2>& sides,
                                   const Intersection& intersection,
                                   std::array<Mapping, 2>& mappings) {
    const std::vector<CurvePoint> curve = intersection_curve(sides, intersection.crossings);
    std::array<ParameterPatch, 2> patches;
    for (int s = 0; s < 2; ++s) patches[s] = parameter_patch(sides, intersection, curve, s);
    const auto [parameters, note] = shared_parameters(sides, patches, curve);
    for (int s = 0; s < 2; ++s) {
        const PairSide &side = sides[s], &other = sides[1 - s];
        const Surface& surface = *side.surface;
        const CutSet& part = intersection.parts[s];
        const ParameterInverse inverse(patches[1 - s], other.surface->faces(), parameters[1 - s]);
        std::vector<Correspondence> found(surface.positions.size());
        double longest = 0;
        for (std::size_t i = 0; i < patches[s].vertices.size(); ++i) {
            const int v = patches[s].vertices[i];
            if (!part.inside[v]) continue;
            found[v].met = *inverse(parameters[s].row(static_cast<Eigen::Index>(i)).transpose());
            found[v].way =
                interpolate<Vec3>(found[v].met, other.surface->faces(), other.surface->positions) -
                surface.positions[v];
            longest = std::max(longest, found[v].way.norm());
        }
        Mapping& result = mappings[s];
        result.own_directions = true;
        result.region.inside.assign(surface.positions.size(), 0);
        result.region.cut.assign(surface.topology().edges.size(), 0.5);
        result.of_vertex.assign(surface.positions.size(), {});
        result.of_edge.assign(surface.topology().edges.size(), {});
        for (std::size_t v = 0; v < surface.positions.size(); ++v) {
            if (found[v].met.face < 0) continue;
            result.of_vertex[v] =
                mapped_point(side, other, point_at(side, static_cast<int>(v)), found[v], longest);
            result.region.inside[v] = result.of_vertex[v].facing > 0;
        }
        double deepest = 0;
        for (const MappedPoint& mapped : result.of_vertex)
            deepest = std::max(deepest, mapped.depth);
        for (int e = 0; e < surface.topology().edge_count(); ++e) {
            const Edge& ends = surface.topology().edges[e];
            if (result.region.inside[ends[0]] != result.region.inside[ends[1]])
                end_on_edge(side, other, part, result.of_vertex, e, deepest, result);
        }
    }
    return note;
}

} // namespace knead
