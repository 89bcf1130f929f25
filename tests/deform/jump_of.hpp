#pragma once

#include "knead/mesh/motion_jumps.hpp"

#include "pair.hpp"

namespace knead {

/// The largest jump, in edges, of a pair whose first object goes `way` in so many steps: by default
/// in from above the first touch, sideways and out of a vertex's way.
inline double jump_of(const Pair& pair, const Vec3& way = {0.05, -0.3, 0.02}, int steps = 24) {
    std::vector<double> times, edges;
    for (int i = 0; i <= steps; ++i) times.push_back(static_cast<double>(i) / steps);
    for (const TriangleMesh& mesh : pair.meshes) edges.push_back(mean_edge(mesh));
    const Motion motion = [&](double t) {
        Pair moved = pair;
        for (Vec3& p : moved.meshes[0].positions) p += t * way;
        DeformResult result = moved.result();
        return std::vector{std::move(result.objects[0].positions),
                           std::move(result.objects[1].positions)};
    };
    return find_jumps(motion, times, edges).largest.edges;
}

} // namespace knead
