#include "knead/contact/mapping.hpp"

#include "knead/contact/fades.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/ray.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

struct Passage {
    MappedPoint point;
    double inside = 0; ///< how much of the way there is inside the other mesh
};

// The last point where the ray leaves the other mesh within the reach. Where it goes further
// through the open before that than through the mesh, the point before counts, too: more and more,
// so that nothing jumps when the ray misses what it grazes, or when an opening closes.
std::optional<Passage> last_left(const PairSide& other, const SidePoint& from, double reach) {
    constexpr double before = 1 - 1e-9;
    const auto hit = farthest_hit(*other.surface, {from.position, from.inward, 0, reach});
    if (!hit || hit->front) return std::nullopt;
    const Passage last{meet(other, from, hit->point, from.inward, hit->t), hit->t};
    // A side that is open at its crease says too little of what is inside of it.
    if (other.is_cut_out) return last;
    const auto enters =
        farthest_hit(*other.surface, {from.position, from.inward, 0, before * hit->t});
    if (!enters || !enters->front) return last;
    // Outside of the other mesh there is nothing to go before it is met.
    Passage nearer = last;
    nearer.point.gap = nearer.point.depth = nearer.inside = 0;
    if (const auto left = last_left(other, from, before * enters->t)) nearer = *left;
    const double passed = hit->t - enters->t, open = enters->t - nearer.point.gap;
    const double counts = fades::passed_against_open(passed / (passed + std::max(0.0, open)));
    return Passage{interpolate(nearer.point, last.point, counts), nearer.inside + passed};
}

} // namespace

std::optional<MappedPoint> map_point(const PairSide& other, const SidePoint& from) {
    const auto left = last_left(other, from, from.reach);
    if (!left || !(left->point.facing > 0)) return std::nullopt;
    MappedPoint point = left->point;
    if (point.gap > 0) {
        // What goes mostly through the open is about to miss what it meets.
        point.depth *= fades::inside_of_way(left->inside / point.gap);
        if (from.reach_fades) point.depth *= fades::within_reach(point.gap / from.reach);
    }
    return point;
}

double gone_through(double way, double deepest, double edge_length) {
    const double all = 0.01 * std::max(deepest, 0.1 * edge_length);
    return all > 0 ? fades::gone_through(way / all) : 1;
}

double gone_out(const Surface& other, const Vec3& position, double deepest, double edge_length) {
    ClosestPointOptions near;
    near.max_squared_distance = std::pow(std::max(0.01 * deepest, 0.001 * edge_length), 2);
    const auto nearest = closest_point(other, position, near);
    return nearest ? gone_through(std::sqrt(nearest->squared_distance), deepest, edge_length) : 1;
}

namespace {

// Where the line along the mapping direction begins to miss the other mesh, between the parameter
// `in`, where it still meets it, and `out`.
double last_mapped(const PairSide& side, const PairSide& other, const Edge& ends, double in,
                   double out) {
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (in + out);
        const bool mapped = map_point(other, point_at(side, ends, middle)).has_value();
        (mapped ? in : out) = middle;
    }
    return in;
}

// Near enough to the end that nothing changes on the way, far enough for a ray to be sure which
// side of it it is on, and for normals to be sure that they face the other mesh before a contour.
double just_before(double end, double from) {
    return end + 1e-6 * (from - end);
}

// Where the line along the mapping direction leaves the region on an edge with one end in it.
struct RegionEnd {
    double at = 0;      ///< parameter of the edge
    double goes_on = 1; ///< 0 where the mesh leaves the other, 1 past a side wall of it
    /// Where it is when the end outside of the region goes into the other mesh, if that changes.
    std::optional<double> then = std::nullopt;
};

RegionEnd find_end(const PairSide& side, const PairSide& other, const CutSet& part, int e,
                   int in_end, double deepest) {
    const Edge& ends = side.surface->topology().edges[e];
    const int in = ends[in_end], out = ends[1 - in_end];
    const double at_in = in_end, at_out = 1 - in_end;
    const auto mapped_at = [&](double t) { return map_point(other, point_at(side, ends, t)); };
    const auto last_before = [&](double t) {
        return mapped_at(just_before(t, at_in)) ? t : last_mapped(side, other, ends, at_in, t);
    };
    const double facing_in = -side.inward_at(in).dot(side.normals[in]);
    const double facing_out = -side.inward_at(out).dot(side.normals[out]);
    const double contour =
        facing_out > 0 ? at_out : at_in + (at_out - at_in) * facing_in / (facing_in - facing_out);
    const bool leaves = part.inside[in] && !part.inside[out] &&
                        std::abs(part.cut[e] - at_in) <= std::abs(contour - at_in);
    std::optional<double> then;
    if (!part.inside[out] && (leaves || facing_out > 0)) then = contour;
    if (!leaves) return {last_before(contour), 1, then};
    // Where the mesh leaves the other there is nothing to go. Past a side wall of the other mesh
    // the region goes on, down to the same bottom. That is asked just before the wall: from the
    // wall itself a ray may or may not meet it.
    double wall = part.cut[e];
    auto at_wall = mapped_at(just_before(wall, at_in));
    const bool missed = !at_wall;
    if (missed) {
        wall = last_mapped(side, other, ends, at_in, wall);
        at_wall = mapped_at(wall);
    }
    const double goes_on =
        at_wall && deepest > 0 ? fades::past_wall(at_wall->depth / (0.02 * deepest)) : 0;
    if (missed || goes_on == 0) return {wall, goes_on, then};
    return {wall + goes_on * (last_before(contour) - wall), goes_on, then};
}

// Where the region ends on an edge with one end in it, and what is there.
void end_on_edge(const PairSide& side, const PairSide& other, const CutSet& part, int e,
                 double deepest, Mapping& result) {
    const std::span<const Vec3> positions = side.surface->positions;
    const Edge& ends = side.surface->topology().edges[e];
    const int in_end = result.region.inside[ends[0]] ? 0 : 1;
    const int in = ends[in_end], out = ends[1 - in_end];
    const double at_in = in_end;
    auto [cut, goes_on, then] = find_end(side, other, part, e, in_end, deepest);
    // What a vertex has that comes into the region here, so that nothing jumps when it does; just
    // before the end, where a ray would meet either side of a contour.
    const MappedPoint& from = result.of_vertex[in];
    const SidePoint end = point_at(side, ends, just_before(cut, at_in));
    MappedPoint& at_end = result.of_edge[e];
    if (const auto mapped = map_point(other, end)) {
        at_end = *mapped;
    } else {
        at_end = carried_on(from, end.position - positions[in]);
        at_end.depth = 0;
    }
    at_end.gap *= goes_on;
    at_end.depth *= goes_on;
    // An edge may pass through the other mesh more than once. When a vertex goes in, the whole
    // way to the next crossing would be in the region at once, and when it goes out, out of it;
    // so the border moves there from the vertex while that goes through, or comes out from
    // behind the contour. A vertex that goes in or out has no depth.
    const double length = (positions[ends[1]] - positions[ends[0]]).norm();
    cut = at_in + (cut - at_in) * gone_through(from.depth, deepest, length) *
                      fades::border_at_contour(10 * from.facing);
    if (then) {
        const double gone = gone_out(*other.surface, positions[out], deepest, length);
        cut = *then + (cut - *then) * gone;
        at_end.depth *= gone;
    }
    result.region.cut[e] = cut;
}

} // namespace

Mapping map_side(const PairSide& side, const PairSide& other, const CutSet& part,
                 bool share_border) {
    MappingWorkspace workspace;
    Mapping result;
    map_side(side, other, part, share_border, workspace, result);
    return result;
}

void map_side(const PairSide& side, const PairSide& other, const CutSet& part, bool share_border,
              MappingWorkspace& workspace, Mapping& result) {
    const Topology& topology = side.surface->topology();
    const std::span<const Vec3> positions = side.surface->positions;
    const auto facing = [&](int vertex) {
        return -side.inward_at(vertex).dot(side.normals[vertex]);
    };

    result.region.inside.assign(positions.size(), 0);
    result.region.cut.assign(topology.edges.size(), 0.5);
    result.of_vertex.resize(positions.size());
    result.of_edge.resize(topology.edges.size());
    result.own_directions = false;

    // From what is inside and faces the other mesh, on to everything that is met from there.
    std::vector<char>& seen = workspace.seen;
    std::vector<int>& stack = workspace.stack;
    seen.assign(positions.size(), 0);
    const auto visit = [&](int vertex) {
        if (seen[vertex]) return;
        seen[vertex] = 1;
        if (facing(vertex) <= 0) return;
        const auto mapped = map_point(other, point_at(side, vertex));
        if (!mapped) return;
        result.region.inside[vertex] = 1;
        result.of_vertex[vertex] = *mapped;
        stack.push_back(vertex);
    };
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (part.inside[v] || share_border) visit(static_cast<int>(v));
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[vertex]) visit(neighbour);
    }

    double deepest = 0;
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (result.region.inside[v]) deepest = std::max(deepest, result.of_vertex[v].depth);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        if (result.region.inside[ends[0]] != result.region.inside[ends[1]])
            end_on_edge(side, other, part, e, deepest, result);
    }
}

} // namespace knead
