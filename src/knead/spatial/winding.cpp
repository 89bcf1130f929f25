#include "knead/spatial/winding.hpp"

#include "knead/spatial/perturbation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace knead {
namespace {

// A point beyond the side of the box that is nearest to `from`, in the direction of an axis.
Vec3 way_out(const Box& box, const Vec3& from) {
    int axis = 0;
    bool upwards = true;
    double shortest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i)
        for (const bool up : {false, true}) {
            const double distance = up ? box.upper[i] - from[i] : from[i] - box.lower[i];
            if (!(distance < shortest)) continue;
            shortest = distance;
            axis = i;
            upwards = up;
        }
    Vec3 target = from;
    const double side = upwards ? box.upper[axis] : box.lower[axis];
    const double step = box.diagonal() + std::abs(side);
    target[axis] = upwards ? side + step : side - step;
    return target;
}

int count_on_way_out(const Surface& surface, double shrink, const PerturbedPoint& from) {
    const Box box = surface.box();
    const PerturbedPoint to(way_out(box, from.position()));
    Box path;
    path.include(from.position());
    path.include(to.position());
    int count = 0;
    visit_overlaps(surface.tree(), surface.boxes, path, [&](int face) {
        const PerturbedFace corners = perturbed_face(surface, face, shrink);
        const int side = orient3d(corners[0], corners[1], corners[2], from);
        if (side != orient3d(corners[0], corners[1], corners[2], to) &&
            passes_through(from, to, corners))
            count -= side; // leaving through the front of a face means having been inside it
    });
    return count;
}

// By how much the winding number changes from the first to the second vertex of an edge.
int change_along(const Edge& edge, const Topology& topology, std::span<const Crossing> crossings) {
    const auto edge_of = [&](const Crossing& c) { return topology.edges[c.edge.edge]; };
    auto found = std::partition_point(crossings.begin(), crossings.end(),
                                      [&](const Crossing& c) { return edge_of(c) < edge; });
    int change = 0;
    for (; found != crossings.end() && edge_of(*found) == edge; ++found)
        change += found->entering ? 1 : -1;
    return change;
}

// The winding numbers of `solid` around the vertices of `surface`.
void spread(const Surface& surface, double shrink, const Surface& solid, double solid_shrink,
            std::span<const Crossing> crossings, std::vector<int>& numbers,
            WindingWorkspace& workspace) {
    const Topology& topology = surface.topology();
    numbers.assign(surface.positions.size(), 0);
    if (!solid.closed()) return;

    constexpr int unknown = std::numeric_limits<int>::min();
    const Box& box = solid.box();
    std::vector<int>& front = workspace.front;
    std::vector<std::uint8_t>& ends_crossing_edge = workspace.ends_crossing_edge;
    front.clear();

    // Only what is in the box of the solid is looked at, most often a small part: the rest is told
    // apart by the tree. It begins at the neighbours of that.
    constexpr std::uint8_t in_box = 1, beside_it = 2;
    std::vector<std::uint8_t>& place = workspace.place;
    place.assign(numbers.size(), 0);
    const auto look_at = [&](int v) {
        if (box.contains(surface.positions[v])) place[v] = in_box;
    };
    if (surface.structure->has_loose_vertices)
        for (int v = 0; v < topology.vertex_count; ++v) look_at(v);
    else
        visit_overlaps(surface.tree(), surface.boxes, box, [&](int face) {
            for (const int v : surface.faces()[face]) look_at(v);
        });
    bool any = false;
    for (int v = 0; v < topology.vertex_count; ++v) {
        if (place[v] != in_box) continue;
        any = true;
        numbers[v] = unknown;
        for (const int next : topology.vertex_vertices[v])
            if (place[next] == 0) place[next] = beside_it;
    }
    if (!any) return;
    for (int v = 0; v < topology.vertex_count; ++v)
        if (place[v] == beside_it) front.push_back(v);

    ends_crossing_edge.assign(numbers.size(), 0);
    for (const Crossing& crossing : crossings)
        for (const int v : topology.edges[crossing.edge.edge]) ends_crossing_edge[v] = 1;
    const auto spread_front = [&] {
        while (!front.empty()) {
            const int from = front.back();
            front.pop_back();
            for (const int to : topology.vertex_vertices[from]) {
                if (numbers[to] != unknown) continue;
                numbers[to] = numbers[from];
                if (ends_crossing_edge[from] && ends_crossing_edge[to])
                    numbers[to] += from < to ? change_along({from, to}, topology, crossings)
                                             : -change_along({to, from}, topology, crossings);
                front.push_back(to);
            }
        }
    };
    spread_front();
    for (int v = 0; v < topology.vertex_count; ++v) {
        if (place[v] != in_box || numbers[v] != unknown) continue;
        numbers[v] = count_on_way_out(solid, solid_shrink, PerturbedPoint(surface, v, shrink));
        front.push_back(v);
        spread_front();
    }
}

} // namespace

int winding_number(const Surface& surface, const Vec3& point) {
    if (!surface.closed() || !surface.box().contains(point)) return 0;
    return count_on_way_out(surface, 1, PerturbedPoint(point));
}

bool is_inside(const Surface& closed_surface, const Vec3& point) {
    return winding_number(closed_surface, point) > 0;
}

void vertex_winding_numbers(const Surface& a, const Surface& b, const Crossings& crossings,
                            WindingNumbers& result, WindingWorkspace& workspace) {
    spread(a, shrink_of_a, b, shrink_of_b, crossings.of_a, result.of_a, workspace);
    spread(b, shrink_of_b, a, shrink_of_a, crossings.of_b, result.of_b, workspace);
}

WindingNumbers vertex_winding_numbers(const Surface& a, const Surface& b,
                                      const Crossings& crossings) {
    WindingNumbers result;
    WindingWorkspace workspace;
    vertex_winding_numbers(a, b, crossings, result, workspace);
    return result;
}

} // namespace knead
