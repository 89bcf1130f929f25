#include "knead/mesh/motion_jumps.hpp"

#include <gtest/gtest.h>

#include "pair.hpp"

namespace knead {
namespace {

// The largest jump, in edges, of a pair in motion: in from above the first touch, sideways and out
// of a vertex's way.
double jump_of(const Pair& pair) {
    std::vector<double> times, edges;
    for (int i = 0; i <= 24; ++i) times.push_back(i / 24.0);
    for (const TriangleMesh& mesh : pair.meshes) edges.push_back(mean_edge(mesh));
    const Motion motion = [&](double t) {
        Pair moved = pair;
        for (Vec3& p : moved.meshes[0].positions) p += t * Vec3(0.05, -0.3, 0.02);
        DeformResult result = moved.result();
        return std::vector{std::move(result.objects[0].positions),
                           std::move(result.objects[1].positions)};
    };
    return find_jumps(motion, times, edges).largest.edges;
}

TEST(Continuity, ABallOnARigidFloorDoesNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 16);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, ABallOnASoftFloorDoesNotJump) {
    const Pair pair = ball_on_floor(-0.01, 2, 24);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, TwoBallsDoNotJump) {
    const Pair pair = two_balls(-0.01, 1, 2);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

} // namespace
} // namespace knead
