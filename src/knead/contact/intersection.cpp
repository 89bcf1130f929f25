#include "knead/contact/intersection.hpp"

#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Vertices at the same place as one of the other surface's border.
std::vector<char> on_shared_border(const Surface& surface, const Surface& other) {
    const auto before = [](const Vec3& a, const Vec3& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    };
    std::vector<Vec3> border;
    for (const int edge : other.structure->border_edges)
        for (const int end : other.topology().edges[edge]) border.push_back(other.positions[end]);
    std::sort(border.begin(), border.end(), before);
    std::vector<char> shared;
    for (const Vec3& position : surface.positions)
        shared.push_back(std::binary_search(border.begin(), border.end(), position, before));
    return shared;
}

enum class Seen { behind, in_front, by_border };

// Where a place is, seen from an open surface. `near_face` saves time when it is that of a place
// nearby, and becomes that of this one.
Seen seen_from(const Surface& open, const Vec3& position, int& near_face) {
    ClosestPointOptions options;
    options.first_face = near_face;
    const auto nearest = closest_point(open, position, options);
    if (!nearest) return Seen::in_front;
    near_face = nearest->point.face;
    if (on_border(open, *nearest)) return Seen::by_border;
    return side_of(open, position, *nearest) < 0 ? Seen::behind : Seen::in_front;
}

// Behind an open surface: tags spread from the crossings along edges that cross nothing. Where the
// border of the open surface lies within the other mesh, tags of both kinds may reach a vertex; its
// nearest point then decides. A vertex nearest to the border is not behind, unless there is no way
// around that border because it is `shared` (empty: it is not): then its neighbours tell, and
// whether it takes a crossing to get there. The border itself is on the surface, not behind it.
void tag_behind(const Surface& surface, const Surface& open, const std::vector<Crossing>& crossings,
                std::span<const char> shared, std::vector<char>& inside) {
    const Topology& topology = surface.topology();
    std::vector<char> crossed(topology.edges.size(), 0), odd(topology.edges.size(), 0);
    std::vector<int> stack, unsure;
    int near_face = -1;
    std::vector<char> seen(shared.begin(), shared.end()), outside(surface.positions.size(), 0);
    seen.resize(surface.positions.size(), 0);
    const auto visit = [&](int vertex) {
        if (seen[vertex]) return;
        seen[vertex] = 1;
        switch (seen_from(open, surface.positions[vertex], near_face)) {
        case Seen::by_border:
            unsure.push_back(vertex);
            break;
        case Seen::behind:
            inside[vertex] = 1;
            stack.push_back(vertex);
            break;
        case Seen::in_front:
            outside[vertex] = 1;
        }
    };
    const auto spread = [&] {
        while (!stack.empty()) {
            const int vertex = stack.back();
            stack.pop_back();
            for (const int neighbour : topology.vertex_vertices[vertex])
                if (!seen[neighbour] && !crossed[topology.find_edge(vertex, neighbour)])
                    visit(neighbour);
        }
    };
    for (const Crossing& crossing : crossings) {
        crossed[crossing.edge.edge] = 1;
        odd[crossing.edge.edge] ^= 1;
    }
    for (const Crossing& crossing : crossings)
        for (const int end : topology.edges[crossing.edge.edge]) visit(end);
    spread();
    if (shared.empty()) return;
    // One ring of neighbours after the other.
    std::vector<int> told;
    do {
        told.clear();
        for (const int vertex : unsure) {
            bool says_inside = false, says_outside = false;
            for (const int neighbour : topology.vertex_vertices[vertex]) {
                const bool differs = odd[topology.find_edge(vertex, neighbour)];
                says_inside |= differs ? outside[neighbour] : inside[neighbour];
                says_outside |= differs ? inside[neighbour] : outside[neighbour];
            }
            if (says_inside) stack.push_back(vertex);
            if (says_inside || says_outside) told.push_back(vertex);
        }
        for (const int vertex : stack) inside[vertex] = 1;
        for (const int vertex : told) outside[vertex] = !inside[vertex];
        std::erase_if(unsure, [&](int v) { return inside[v] || outside[v]; });
        spread();
    } while (!told.empty());
}

// Where what is behind an open surface ends on an edge that does not pass through it: where the
// border of that surface becomes its nearest point.
double last_behind(const Surface& surface, const Surface& open, const Edge& ends, bool from_first) {
    int near_face = -1;
    double in = from_first ? 0 : 1, out = 1 - in;
    while (std::abs(out - in) > 1e-9) {
        const double t = 0.5 * (in + out);
        const Vec3 position = (1 - t) * surface.positions[ends[0]] + t * surface.positions[ends[1]];
        (seen_from(open, position, near_face) == Seen::behind ? in : out) = t;
    }
    return in;
}

void fill_part(const Surface& surface, const Surface& other, const std::vector<Crossing>& crossings,
               const std::vector<int>& winding, bool share_border, CutSet& part) {
    const Topology& topology = surface.topology();
    part.inside.assign(surface.positions.size(), 0);
    part.cut.assign(topology.edges.size(), 0.5);
    std::vector<char> shared;
    if (share_border) shared = on_shared_border(surface, other);
    if (other.closed())
        for (std::size_t v = 0; v < winding.size(); ++v) part.inside[v] = winding[v] > 0;
    else
        tag_behind(surface, other, crossings, shared, part.inside);
    // Crossings come by edge, then along it. An edge that leaves and comes back is cut where its
    // parts inside, put together, would end: two crossings that appear or vanish at one place then
    // change nothing, which the first crossing alone would not promise.
    std::vector<char> is_cut(topology.edges.size(), 0);
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

void drop_touching(const Surface& surface, const Surface& other, std::vector<Crossing>& crossings) {
    std::erase_if(crossings, [&](const Crossing& crossing) {
        for (const int end : surface.topology().edges[crossing.edge.edge])
            for (const Vec3& corner : other.corners(crossing.face.face))
                if (surface.positions[end] == corner) return true;
        return false;
    });
}

} // namespace

void intersect(const Surface& first, const Surface& second, Intersection& result,
               IntersectionWorkspace& workspace, bool share_border) {
    find_crossings(first, second, result.crossings, workspace.crossings);
    if (share_border) {
        drop_touching(first, second, result.crossings.of_a);
        drop_touching(second, first, result.crossings.of_b);
    }
    if (result.crossings.empty()) return;
    vertex_winding_numbers(first, second, result.crossings, workspace.winding,
                           workspace.for_winding);
    fill_part(first, second, result.crossings.of_a, workspace.winding.of_a, share_border,
              result.parts[0]);
    fill_part(second, first, result.crossings.of_b, workspace.winding.of_b, share_border,
              result.parts[1]);
}

} // namespace knead
