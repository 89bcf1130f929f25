#include "knead/spatial/depth.hpp"

#include <cmath>

namespace knead {
namespace {

// Candidates looked at by one thread at a time; part of the result's definition only in that
// pieces are independent.
constexpr std::size_t piece_size = 512;

struct Deepest {
    int vertex = -1;
    ClosestPoint nearest;
    double squared_depth = -1;
};

// The candidate that is furthest from `other`. A vertex is given up as soon as it is known to be
// nearer than the deepest so far, which for most is after the face nearest to the vertex before.
Deepest deepest_of(std::span<const int> candidates, std::span<const Vec3> positions,
                   const Surface& other) {
    Deepest deepest;
    ClosestPointOptions options;
    for (const int vertex : candidates) {
        options.enough_squared_distance = deepest.squared_depth;
        const auto nearest = closest_point(other, positions[vertex], options);
        if (!nearest) continue;
        options.first_face = nearest->point.face;
        if (nearest->squared_distance <= deepest.squared_depth) continue;
        if (!other.closed() &&
            (on_border(other, *nearest) || side_of(other, positions[vertex], *nearest) >= 0))
            continue;
        deepest = {vertex, *nearest, nearest->squared_distance};
    }
    return deepest;
}

void look_for_deepest(const Surface& surface, int mesh, std::span<const int> winding_numbers,
                      const Surface& other, std::vector<int>& candidates, Penetration& result) {
    candidates.clear();
    const Topology& topology = surface.topology();
    for (int v = 0; v < topology.vertex_count; ++v)
        if ((!other.closed() || winding_numbers[v] > 0) && !topology.vertex_faces[v].empty())
            candidates.push_back(v);

    std::vector<Deepest> pieces((candidates.size() + piece_size - 1) / piece_size);
    parallel_for(pieces.size(), 1, [&](std::size_t i) {
        const std::size_t begin = i * piece_size;
        pieces[i] = deepest_of(std::span<const int>(candidates)
                                   .subspan(begin, std::min(piece_size, candidates.size() - begin)),
                               surface.positions, other);
    });
    for (const Deepest& piece : pieces) {
        const double depth = std::sqrt(std::max(0.0, piece.squared_depth));
        if (piece.vertex < 0 || (result.deepest_vertex >= 0 && depth <= result.depth)) continue;
        result.depth = depth;
        result.deepest_mesh = mesh;
        result.deepest_vertex = piece.vertex;
        result.nearest = piece.nearest;
    }
}

} // namespace

Penetration measure_penetration(const Surface& a, const Surface& b) {
    PenetrationWorkspace workspace;
    return measure_penetration(a, b, workspace);
}

Penetration measure_penetration(const Surface& a, const Surface& b,
                                PenetrationWorkspace& workspace) {
    Penetration result;
    find_crossings(a, b, workspace.crossings, workspace.crossing);
    result.crossings = count_crossing_edges(workspace.crossings);
    vertex_winding_numbers(a, b, workspace.crossings, workspace.winding);
    look_for_deepest(a, 0, workspace.winding.of_a, b, workspace.candidates, result);
    look_for_deepest(b, 1, workspace.winding.of_b, a, workspace.candidates, result);
    return result;
}

Penetration measure_penetration(const TriangleMesh& a, const TriangleMesh& b) {
    return measure_penetration(make_surface(a), make_surface(b));
}

} // namespace knead
