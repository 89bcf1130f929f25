#include "knead/contact/intersection.hpp"

#include "knead/base/parallel.hpp"
#include "knead/solve/cubic.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Vertices at the same place as one of the other surface's border.
void find_shared_border(const Surface& surface, const Surface& other, std::vector<char>& shared) {
    const auto before = [](const Vec3& a, const Vec3& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::vector<Vec3> border;
    for (const int edge : other.structure->border_edges)
        for (const int end : other.topology().edges[edge]) border.push_back(other.positions[end]);
    std::sort(border.begin(), border.end(), before);
    shared.clear();
    for (const Vec3& position : surface.positions)
        shared.push_back(std::binary_search(border.begin(), border.end(), position, before));
}

// A place is behind an open surface when its nearest point is not on the border, and it is on the
// back of that.
bool is_behind(const Surface& open, const Vec3& position, const ClosestPoint& nearest) {
    return !on_border(open, nearest) && side_of(open, position, nearest) < 0;
}

// Behind an open surface: tags spread from the crossings along edges that cross nothing. Where the
// border of the open surface lies within the other mesh, tags of both kinds may reach a vertex; its
// nearest point then decides. A vertex nearest to the border is not behind; what is `shared` with
// that border (empty: nothing is) is on the surface.
void tag_behind(const Surface& surface, const Surface& open, const std::vector<Crossing>& crossings,
                IntersectionWorkspace::Part& workspace, std::vector<char>& inside) {
    const Topology& topology = surface.topology();
    std::vector<char>&crossed = workspace.crossed, &seen = workspace.seen;
    std::vector<int>& stack = workspace.stack;
    crossed.assign(topology.edges.size(), 0);
    seen.assign(workspace.shared.begin(), workspace.shared.end());
    seen.resize(surface.positions.size(), 0);
    int near_face = -1;
    const auto visit = [&](int vertex) {
        if (seen[vertex]) return;
        seen[vertex] = 1;
        const Vec3& position = surface.positions[vertex];
        const auto nearest = closest_point(open, position, {near_face});
        if (!nearest) return;
        near_face = nearest->point.face;
        if (!is_behind(open, position, *nearest)) return;
        inside[vertex] = 1;
        stack.push_back(vertex);
    };
    for (const Crossing& crossing : crossings) crossed[crossing.edge.edge] = 1;
    for (const Crossing& crossing : crossings)
        for (const int end : topology.edges[crossing.edge.edge]) visit(end);
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[vertex])
            if (!seen[neighbour] && !crossed[topology.find_edge(vertex, neighbour)])
                visit(neighbour);
    }
}

// The square of the distance to the plane, line or point that a nearest point lies on, from what is
// `t` of the `way` from a `start`: c[0] + c[1] t + c[2] t^2.
std::array<double, 3> squared_distance_on_way(const Surface& surface, const ClosestPoint& nearest,
                                              const Vec3& start, const Vec3& way) {
    const auto across = [&](const Vec3& v) -> Vec3 {
        if (nearest.feature == Feature::vertex) return v;
        if (nearest.feature == Feature::face) {
            const Vec3 normal = face_pseudonormal(surface, nearest.element);
            return normal.dot(v) * normal;
        }
        const Edge& ends = surface.topology().edges[nearest.element];
        const Vec3 along = (surface.positions[ends[1]] - surface.positions[ends[0]]).normalized();
        return v - along.dot(v) * along;
    };
    const Vec3 from = across(start - nearest.position), change = across(way);
    return {from.squaredNorm(), 2 * from.dot(change), change.squaredNorm()};
}

// Where what is behind an open surface ends on an edge that does not pass through it: where its
// border, or another sheet of it, becomes as near as what the edge is behind of. A guess is where
// what is nearest on either side of that place would be equally near, were it endless; a look next
// to it on both sides tells whether it is right.
double last_behind(const Surface& surface, const Surface& open, const Edge& ends, bool from_first) {
    constexpr double next_to = 1e-10;
    const Vec3 &start = surface.positions[ends[0]], way = surface.positions[ends[1]] - start;
    double in = from_first ? 0 : 1, out = 1 - in;
    auto at_in = closest_point(open, start + in * way),
         at_out = closest_point(open, start + out * way);
    const auto look = [&](double t) {
        if (!((t - in) * (t - out) < 0)) return;
        const Vec3 position = start + t * way;
        const auto nearest = closest_point(open, position, {at_in->point.face});
        const bool behind = is_behind(open, position, *nearest);
        (behind ? in : out) = t;
        (behind ? at_in : at_out) = nearest;
    };
    double left = std::abs(out - in);
    while (left > 3 * next_to) {
        const auto first = squared_distance_on_way(open, *at_in, start, way),
                   second = squared_distance_on_way(open, *at_out, start, way);
        const CubicRoots equal =
            cubic_roots(0, first[2] - second[2], first[1] - second[1], first[0] - second[0]);
        for (const double root : equal.span()) {
            look(root - next_to);
            look(root + next_to);
            if ((root - in) * (root - out) < 0 && std::abs(out - in) <= 3 * next_to) return root;
        }
        if (std::abs(out - in) > 0.5 * left) look(0.5 * (in + out));
        left = std::abs(out - in);
    }
    return in;
}

void fill_part(const Surface& surface, const Surface& other, const std::vector<Crossing>& crossings,
               const std::vector<int>& winding, bool share_border,
               IntersectionWorkspace::Part& workspace, CutSet& part) {
    const Topology& topology = surface.topology();
    part.inside.assign(surface.positions.size(), 0);
    part.cut.assign(topology.edges.size(), 0.5);
    std::vector<char>& shared = workspace.shared;
    shared.clear();
    if (share_border) find_shared_border(surface, other, shared);
    if (other.closed())
        for (std::size_t v = 0; v < winding.size(); ++v) part.inside[v] = winding[v] > 0;
    else
        tag_behind(surface, other, crossings, workspace, part.inside);
    // Crossings come by edge, then along it. An edge that leaves and comes back is cut where its
    // parts inside, put together, would end: two crossings that appear or vanish at one place then
    // change nothing, which the first crossing alone would not promise.
    std::vector<char>& is_cut = workspace.crossed;
    is_cut.assign(topology.edges.size(), 0);
    for (std::size_t c = 0; c < crossings.size();) {
        const int edge = crossings[c].edge.edge;
        double cut = 0, sign = 1;
        for (; c < crossings.size() && crossings[c].edge.edge == edge; ++c, sign = -sign)
            cut += sign * crossings[c].edge.t;
        // An even number: tags of an open surface, where the way around it counts.
        part.cut[edge] = sign < 0 ? std::clamp(cut, 0.0, 1.0) : crossings[c - 1].edge.t;
        is_cut[edge] = 1;
    }
    if (other.closed()) return;
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        if (is_cut[e] || part.inside[ends[0]] == part.inside[ends[1]]) continue;
        const int out = part.inside[ends[0]] ? 1 : 0;
        part.cut[e] =
            share_border && shared[ends[out]] ? out : last_behind(surface, other, ends, out == 1);
    }
}

} // namespace

void intersect(const Surface& first, const Surface& second, Intersection& result,
               IntersectionWorkspace& workspace, bool share_border) {
    find_crossings(first, second, result.crossings, workspace.crossings, share_border);
    if (result.crossings.empty()) return;
    vertex_winding_numbers(first, second, result.crossings, workspace.winding,
                           workspace.for_winding);
    const std::array<const Surface*, 2> surfaces = {&first, &second};
    parallel_for(2, 1, [&](std::size_t s) {
        fill_part(*surfaces[s], *surfaces[1 - s],
                  s == 0 ? result.crossings.of_a : result.crossings.of_b,
                  s == 0 ? workspace.winding.of_a : workspace.winding.of_b, share_border,
                  workspace.parts[s], result.parts[s]);
    });
}

} // namespace knead
