#include "knead/mesh/bumps.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

TEST(Bumps, StayWithinTheirAmplitudeAndUseMuchOfIt) {
    TriangleMesh grid = make_grid({10, 10}, {100, 100});
    const TriangleMesh flat = grid;
    add_bumps(grid, 0.3, 2);
    double highest = 0;
    for (int v = 0; v < grid.vertex_count(); ++v) {
        const Vec3 moved = grid.positions[v] - flat.positions[v];
        EXPECT_LT(std::hypot(moved.x(), moved.z()), 1e-15); // along the normal
        highest = std::max(highest, std::abs(moved.y()));
    }
    EXPECT_LE(highest, 0.3);
    EXPECT_GT(highest, 0.15);
}

TEST(Bumps, DoNotDependOnTheTriangulation) {
    TriangleMesh coarse = make_grid({4, 4}, {4, 4}), fine = make_grid({4, 4}, {8, 8});
    add_bumps(coarse, 0.1, 1.5);
    add_bumps(fine, 0.1, 1.5);
    int common = 0;
    for (const Vec3& a : coarse.positions)
        for (const Vec3& b : fine.positions)
            if (std::hypot(a.x() - b.x(), a.z() - b.z()) < 1e-9) {
                EXPECT_NEAR(a.y(), b.y(), 1e-14);
                ++common;
            }
    EXPECT_EQ(common, 25);
}

} // namespace
} // namespace knead
