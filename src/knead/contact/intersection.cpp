#include "knead/contact/intersection.hpp"

#include "knead/spatial/closest_point.hpp"

#include <algorithm>

namespace knead {
namespace {

// Behind an open surface: tags spread from the crossings along edges that cross nothing. Where the
// border of the open surface lies within the other mesh, tags of both kinds may reach a vertex; its
// nearest point then decides. A vertex nearest to the border is not behind, unless there is no way
// around that border (`share_border`): then its neighbours tell, and whether it takes a crossing to
// get there.
void tag_behind(const Surface& surface, const Surface& open, const std::vector<Crossing>& crossings,
                bool share_border, std::vector<char>& inside) {
    const Topology& topology = surface.topology();
    std::vector<char> crossed(topology.edges.size(), 0), odd(topology.edges.size(), 0);
    std::vector<int> stack, unsure;
    std::vector<char> seen(surface.positions.size(), 0), outside(surface.positions.size(), 0);
    const auto visit = [&](int vertex) {
        if (seen[vertex]) return;
        seen[vertex] = 1;
        const auto nearest = closest_point(open, surface.positions[vertex]);
        if (!nearest) return;
        if (on_border(open, *nearest)) {
            unsure.push_back(vertex);
        } else if (side_of(open, surface.positions[vertex], *nearest) < 0) {
            inside[vertex] = 1;
            stack.push_back(vertex);
        } else {
            outside[vertex] = 1;
        }
    };
    for (const Crossing& crossing : crossings) {
        crossed[crossing.edge.edge] = 1;
        odd[crossing.edge.edge] ^= 1;
    }
    for (const Crossing& crossing : crossings)
        for (const int end : topology.edges[crossing.edge.edge]) visit(end);
    while (!stack.empty()) {
        const int vertex = stack.back();
        stack.pop_back();
        for (const int neighbour : topology.vertex_vertices[vertex])
            if (!seen[neighbour] && !crossed[topology.find_edge(vertex, neighbour)])
                visit(neighbour);
    }
    if (!share_border) return;
    std::erase_if(unsure, [&](int vertex) {
        const std::span<const int> neighbours = topology.vertex_vertices[vertex];
        return std::none_of(neighbours.begin(), neighbours.end(), [&](int neighbour) {
            return odd[topology.find_edge(vertex, neighbour)] ? outside[neighbour]
                                                              : inside[neighbour];
        });
    });
    for (const int vertex : unsure) inside[vertex] = 1;
}

void fill_part(const Surface& surface, const Surface& other, const std::vector<Crossing>& crossings,
               const std::vector<int>& winding, bool share_border, CutSet& part) {
    const Topology& topology = surface.topology();
    part.inside.assign(surface.positions.size(), 0);
    if (other.closed())
        for (std::size_t v = 0; v < winding.size(); ++v) part.inside[v] = winding[v] > 0;
    else
        tag_behind(surface, other, crossings, share_border, part.inside);
    part.cut.assign(topology.edges.size(), 0.5);
    // Crossings come by edge, then along it. An edge that leaves and comes back is cut where its
    // parts inside, put together, would end: two crossings that appear or vanish at one place then
    // change nothing, which the first crossing alone would not promise.
    for (std::size_t c = 0; c < crossings.size();) {
        const int edge = crossings[c].edge.edge;
        double cut = 0, sign = 1;
        for (; c < crossings.size() && crossings[c].edge.edge == edge; ++c, sign = -sign)
            cut += sign * crossings[c].edge.t;
        // An even number: tags of an open surface, where the way around it counts.
        part.cut[edge] = sign < 0 ? std::clamp(cut, 0.0, 1.0) : crossings[c - 1].edge.t;
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
