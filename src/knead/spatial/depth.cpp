#include "knead/spatial/depth.hpp"

#include "knead/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Candidates looked at by one thread at a time, and looked at beforehand.
constexpr std::size_t candidates_per_piece = 512;
constexpr std::size_t sample_count = 32;

struct Deepest {
    int vertex = -1;
    ClosestPoint nearest;
    double squared_depth = -1;
};

// Takes a vertex into account if it is deeper. It is given up as soon as it is known not to be,
// which for most is after the face that was nearest to the vertex before.
void look_at(int vertex, const Surface& surface, const Surface& other, int& first_face,
             Deepest& deepest) {
    const Vec3& position = surface.positions[vertex];
    ClosestPointOptions options;
    options.first_face = first_face;
    options.enough_squared_distance = deepest.squared_depth;
    const auto nearest = closest_point(other, position, options);
    if (!nearest) return;
    first_face = nearest->point.face;
    if (nearest->squared_distance <= deepest.squared_depth) return;
    if (!other.closed() && (on_border(other, *nearest) || side_of(other, position, *nearest) >= 0))
        return;
    deepest = {vertex, *nearest, nearest->squared_distance};
}

void look_for_deepest(const Surface& surface, int mesh, std::span<const int> winding_numbers,
                      const Surface& other, std::vector<int>& candidates, Penetration& result) {
    candidates.clear();
    const Topology& topology = surface.topology();
    for (int v = 0; v < topology.vertex_count; ++v)
        if ((!other.closed() || winding_numbers[v] > 0) && !topology.vertex_faces[v].empty())
            candidates.push_back(v);

    // A few candidates from everywhere tell how deep it is at least, so that the rest is given up
    // early. Slightly less than that, so that they are found again in the order of vertices.
    Deepest sample;
    int first_face = -1;
    const std::size_t stride = candidates.size() / sample_count + 1;
    for (std::size_t i = 0; i < candidates.size(); i += stride)
        look_at(candidates[i], surface, other, first_face, sample);
    const double at_least = sample.squared_depth * (1 - 1e-12);

    std::vector<Deepest> pieces((candidates.size() + candidates_per_piece - 1) /
                                candidates_per_piece);
    parallel_for(pieces.size(), 1, [&](std::size_t p) {
        pieces[p].squared_depth = at_least;
        int last_face = -1;
        const std::size_t end = std::min(candidates.size(), (p + 1) * candidates_per_piece);
        for (std::size_t i = p * candidates_per_piece; i < end; ++i)
            look_at(candidates[i], surface, other, last_face, pieces[p]);
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

double depth_of_point(const Surface& surface, const Vec3& point) {
    if (surface.closed() && !is_inside(surface, point)) return 0;
    const auto nearest = closest_point(surface, point);
    if (!nearest || (!surface.closed() &&
                     (on_border(surface, *nearest) || side_of(surface, point, *nearest) >= 0)))
        return 0;
    return std::sqrt(nearest->squared_distance);
}

Penetration measure_penetration(const Surface& a, const Surface& b) {
    PenetrationWorkspace workspace;
    return measure_penetration(a, b, workspace);
}

Penetration measure_penetration(const Surface& a, const Surface& b,
                                PenetrationWorkspace& workspace) {
    Penetration result;
    find_crossings(a, b, workspace.crossings, workspace.for_crossings);
    result.crossings = count_crossing_edges(workspace.crossings);
    vertex_winding_numbers(a, b, workspace.crossings, workspace.winding, workspace.for_winding);
    look_for_deepest(a, 0, workspace.winding.of_a, b, workspace.candidates, result);
    look_for_deepest(b, 1, workspace.winding.of_b, a, workspace.candidates, result);
    return result;
}

Penetration measure_penetration(const TriangleMesh& a, const TriangleMesh& b) {
    return measure_penetration(make_surface(a), make_surface(b));
}

} // namespace knead
