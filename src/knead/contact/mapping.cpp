#include "knead/contact/mapping.hpp"

#include "knead/base/smoothstep.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/ray.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// How a quantity of a surface grows along the plane that `inward` is normal to, from its gradient
// over the surface.
Vec3 across(const Vec3& inward, const Vec3& normal, const Vec3& gradient) {
    const double facing = inward.dot(normal);
    if (facing == 0) return Vec3::Zero();
    const Vec3 way = gradient - inward.dot(gradient) / facing * normal;
    return way - inward.dot(way) * inward;
}

// The contact surface lies between both sides at their relative stiffness. Where that changes, the
// surface is tilted against one at a constant part of the way.
Vec3 stiffness_tilt(const PairSide& other, const SidePoint& from, double others,
                    const FacePoint& met, const MappedPoint& point) {
    const double sum = from.stiffness + others;
    if (!std::isfinite(sum) || !(sum > 0)) return Vec3::Zero();
    Vec3 gradient = others * across(point.inward, from.normal, from.stiffness_gradient);
    if (!other.stiffness_gradients.empty())
        gradient -= from.stiffness * across(point.inward, point.other_normal,
                                            interpolate<Vec3>(met, other.surface->faces(),
                                                              other.stiffness_gradients));
    return point.gap * gradient / (sum * sum);
}

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

} // namespace

double gone_through(double way, double deepest, double edge_length) {
    const double all = 0.01 * std::max(deepest, 0.1 * edge_length);
    return all > 0 ? smoothstep(way / all) : 1;
}

double gone_out(const Surface& other, const Vec3& position, double deepest, double edge_length) {
    ClosestPointOptions near;
    near.max_squared_distance = std::pow(std::max(0.01 * deepest, 0.001 * edge_length), 2);
    const auto nearest = closest_point(other, position, near);
    return nearest ? gone_through(std::sqrt(nearest->squared_distance), deepest, edge_length) : 1;
}

Vec3 PairSide::inward_of(const Triangle& face) const {
    if (!directions) return inward;
    const Vec3 sum = inward_at(face[0]) + inward_at(face[1]) + inward_at(face[2]);
    const double length = sum.norm();
    return length > 1e-9 ? Vec3(sum / length) : inward_at(face[0]);
}

SidePoint point_at(const PairSide& side, int vertex) {
    SidePoint point{side.surface->positions[vertex], side.normals[vertex],  side.inward_at(vertex),
                    side.reach_at(vertex),           side.has_directions(), side.stiffness[vertex],
                    side.apparent_stiffness[vertex], side.offset[vertex]};
    if (!side.stiffness_gradients.empty())
        point.stiffness_gradient = side.stiffness_gradients[vertex];
    if (!side.offset_gradients.empty()) point.offset_gradient = side.offset_gradients[vertex];
    return point;
}

SidePoint point_at(const PairSide& side, const Edge& ends, double t) {
    const auto between = [&](std::span<const Vec3> values) -> Vec3 {
        return (1 - t) * values[ends[0]] + t * values[ends[1]];
    };
    SidePoint point{between(side.surface->positions),
                    between(side.normals).normalized(),
                    side.inward,
                    side.reach,
                    side.has_directions(),
                    side.stiffness.at(ends, t),
                    side.apparent_stiffness.at(ends, t),
                    side.offset.at(ends, t)};
    if (side.has_directions()) {
        point.inward =
            ((1 - t) * side.inward_at(ends[0]) + t * side.inward_at(ends[1])).normalized();
        point.reach = (1 - t) * side.reach_at(ends[0]) + t * side.reach_at(ends[1]);
    }
    if (!side.stiffness_gradients.empty())
        point.stiffness_gradient = between(side.stiffness_gradients);
    if (!side.offset_gradients.empty()) point.offset_gradient = between(side.offset_gradients);
    return point;
}

double relative_stiffness(double mine, double other) {
    if (std::isinf(mine)) return 1;
    if (std::isinf(other)) return 0;
    const double sum = mine + other;
    return sum > 0 ? mine / sum : 0.5;
}

Vec3 contact_surface_normal(const Vec3& inward, double stiffness, const Vec3& normal,
                            const Vec3& other_normal, const Vec3& tilt) {
    const auto tangential = [&](const Vec3& v) { return Vec3(v - inward.dot(v) * inward); };
    const double mine = std::abs(inward.dot(normal)), others = std::abs(inward.dot(other_normal));
    const Vec3 m = stiffness * others * tangential(normal) -
                   (1 - stiffness) * mine * tangential(other_normal) -
                   mine * others * (inward + tilt);
    const double length = m.norm();
    return length > 0 ? Vec3(m / length) : Vec3(-inward);
}

MappedPoint meet(const PairSide& other, const SidePoint& from, const FacePoint& met,
                 const Vec3& inward, double gap) {
    const std::span<const Triangle> faces = other.surface->faces();
    MappedPoint point;
    point.inward = inward;
    point.other_normal = interpolate<Vec3>(met, faces, other.normals).normalized();
    point.gap = gap;
    const double others = other.stiffness.at(met, faces);
    point.relative_stiffness = relative_stiffness(from.stiffness, others);
    point.stiffness_tilt = stiffness_tilt(other, from, others, met, point);
    // What moves more has more to say about how it looks.
    point.apparent_stiffness = (1 - point.relative_stiffness) * from.apparent_stiffness +
                               point.relative_stiffness * other.apparent_stiffness.at(met, faces);
    point.offset = from.offset;
    point.offset_tilt = -across(inward, from.normal, from.offset_gradient);
    // A rigid object's gap is kept by the other.
    if (std::isinf(others)) {
        point.offset += other.offset.at(met, faces);
        if (!other.offset_gradients.empty())
            point.offset_tilt -= across(inward, point.other_normal,
                                        interpolate<Vec3>(met, faces, other.offset_gradients));
    }
    const Vec3 surface_normal = contact_surface_normal(
        inward, point.relative_stiffness, from.normal, point.other_normal, point.stiffness_tilt);
    point.facing = std::min(-inward.dot(from.normal), inward.dot(point.other_normal));
    // Towards a contour no depth is left.
    point.depth = -gap * inward.dot(surface_normal) * smoothstep(point.facing / least_facing);
    return point;
}

MappedPoint interpolate(const MappedPoint& a, const MappedPoint& b, double t) {
    MappedPoint point;
    point.inward = ((1 - t) * a.inward + t * b.inward).normalized();
    point.other_normal = ((1 - t) * a.other_normal + t * b.other_normal).normalized();
    point.gap = (1 - t) * a.gap + t * b.gap;
    point.depth = (1 - t) * a.depth + t * b.depth;
    point.facing = (1 - t) * a.facing + t * b.facing;
    point.relative_stiffness = (1 - t) * a.relative_stiffness + t * b.relative_stiffness;
    point.apparent_stiffness = (1 - t) * a.apparent_stiffness + t * b.apparent_stiffness;
    point.offset = (1 - t) * a.offset + t * b.offset;
    point.stiffness_tilt = (1 - t) * a.stiffness_tilt + t * b.stiffness_tilt;
    point.offset_tilt = (1 - t) * a.offset_tilt + t * b.offset_tilt;
    return point;
}

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
    const auto enters =
        farthest_hit(*other.surface, {from.position, from.inward, 0, before * hit->t});
    if (!enters || !enters->front) return last;
    // Outside of the other mesh there is nothing to go before it is met.
    Passage nearer = last;
    nearer.point.gap = nearer.point.depth = nearer.inside = 0;
    if (const auto left = last_left(other, from, before * enters->t)) nearer = *left;
    const double passed = hit->t - enters->t, open = enters->t - nearer.point.gap;
    const double counts = smoothstep(2 * passed / (passed + std::max(0.0, open)));
    return Passage{interpolate(nearer.point, last.point, counts), nearer.inside + passed};
}

} // namespace

std::optional<MappedPoint> map_point(const PairSide& other, const SidePoint& from) {
    const auto left = last_left(other, from, from.reach);
    if (!left || !(left->point.facing > 0)) return std::nullopt;
    MappedPoint point = left->point;
    if (point.gap > 0) {
        // What goes mostly through the open is about to miss what it meets.
        point.depth *= smoothstep(2 * left->inside / point.gap);
        if (from.reach_fades) point.depth *= smoothstep(2 - 2 * point.gap / from.reach);
    }
    return point;
}

MappedPoint carried_on(const MappedPoint& from, const Vec3& way) {
    MappedPoint point = from;
    const double slope =
        from.other_normal.dot(way) / std::max(from.other_normal.dot(from.inward), least_facing);
    point.gap = std::clamp(from.gap - slope, 0.0, 2 * from.gap);
    if (from.gap > 0) point.depth *= point.gap / from.gap;
    return point;
}

namespace {

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
        at_wall && deepest > 0 ? smoothstep(at_wall->depth / (0.02 * deepest) - 1) : 0;
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
    cut = at_in +
          (cut - at_in) * gone_through(from.depth, deepest, length) * smoothstep(10 * from.facing);
    if (then) {
        const double gone = gone_out(*other.surface, positions[out], deepest, length);
        cut = *then + (cut - *then) * gone;
        at_end.depth *= gone;
    }
    result.region.cut[e] = cut;
}

} // namespace

void map_side(const PairSide& side, const PairSide& other, const CutSet& part, Mapping& result,
              bool share_border) {
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
    std::vector<char>& seen = result.seen;
    std::vector<int>& stack = result.stack;
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
