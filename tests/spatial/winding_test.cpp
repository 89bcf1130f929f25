#include "knead/spatial/winding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;

// The winding number as the sum of solid angles (A. van Oosterom and J. Strackee, "The Solid Angle
// of a Plane Triangle", IEEE Transactions on Biomedical Engineering 30(2), 1983).
double solid_angle_sum(const Surface& surface, const Vec3& point) {
    double sum = 0;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        auto [a, b, c] = surface.corners(f);
        a -= point;
        b -= point;
        c -= point;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += 2 * std::atan2(a.dot(b.cross(c)),
                              la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4 * std::numbers::pi);
}

TEST(Winding, AgreesWithSolidAngles) {
    Random random(41);
    int inside = 0;
    for (const TriangleMesh& shape : testing::shapes()) {
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh mesh = moved(shape, pose.transform);
        const Surface surface = make_surface(mesh);
        if (!surface.closed()) continue;
        for (int trial = 0; trial < 300; ++trial) {
            const Vec3 point = pose.transform * random.in_cube(1.1);
            const double expected = solid_angle_sum(surface, point);
            ASSERT_NEAR(expected, std::round(expected), 1e-6);
            EXPECT_EQ(winding_number(surface, point), static_cast<int>(std::round(expected)));
            EXPECT_EQ(is_inside(surface, point), expected > 0.5);
            inside += expected > 0.5;
        }
    }
    EXPECT_GT(inside, 200);
}

TEST(Winding, CountsOverlapsAndInsideOut) {
    // Three spheres in a row overlapping, one of them inside out.
    TriangleMesh mesh = make_sphere(1, 3);
    append(mesh, moved(make_sphere(1, 3), Vec3(1, 0, 0)));
    TriangleMesh turned = moved(make_sphere(1, 3), Vec3(2, 0, 0));
    for (Triangle& face : turned.faces) std::swap(face[0], face[1]);
    append(mesh, turned);
    const Surface surface = make_surface(mesh);
    EXPECT_EQ(winding_number(surface, {-0.5, 0, 0}), 1);
    EXPECT_EQ(winding_number(surface, {0.5, 0, 0}), 2);
    EXPECT_EQ(winding_number(surface, {1.5, 0, 0}), 0);
    EXPECT_EQ(winding_number(surface, {2.5, 0, 0}), -1);
    EXPECT_FALSE(is_inside(surface, {2.5, 0, 0}));
    EXPECT_EQ(winding_number(surface, {9, 0, 0}), 0);
    Random random(42);
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 point = random.in_cube(3);
        EXPECT_EQ(winding_number(surface, point), std::round(solid_angle_sum(surface, point)));
    }
}

TEST(Winding, WaysOutThroughEdgesAndVerticesCountOnce) {
    // Every lattice point: the way out runs along edges, through vertices and within faces.
    const TriangleMesh box = make_box({4, 4, 4}, {4, 4, 4});
    const Surface surface = make_surface(box);
    for (int x = -5; x <= 5; ++x)
        for (int y = -5; y <= 5; ++y)
            for (int z = -5; z <= 5; ++z) {
                const Vec3 point(0.5 * x, 0.5 * y, 0.5 * z);
                const bool inside = point.cwiseAbs().maxCoeff() < 2; // the surface is outside
                ASSERT_EQ(winding_number(surface, point), inside ? 1 : 0) << point.transpose();
            }
}

TEST(Winding, OfAnOpenSurfaceIsZero) {
    const TriangleMesh grid = make_grid({2, 2}, {2, 2}), none;
    EXPECT_EQ(winding_number(make_surface(grid), {0, 0, 0}), 0);
    EXPECT_EQ(winding_number(make_surface(none), {0, 0, 0}), 0);
}

TEST(Winding, OfVerticesAgreesWithOneByOne) {
    Random random(43);
    int inside = 0;
    for (int trial = 0; trial < 60; ++trial) {
        auto [a, b] = testing::random_pair(random);
        // More components: a small one that is inside, outside or across the other mesh.
        append(a, moved(make_sphere(0.1, 1), random.in_cube(1)));
        const Surface surface_a = make_surface(a), surface_b = make_surface(b);
        const WindingNumbers numbers =
            vertex_winding_numbers(surface_a, surface_b, find_crossings(surface_a, surface_b));
        for (int v = 0; v < a.vertex_count(); ++v)
            ASSERT_EQ(numbers.of_a[v], winding_number(surface_b, a.positions[v]));
        for (int v = 0; v < b.vertex_count(); ++v) {
            ASSERT_EQ(numbers.of_b[v], winding_number(surface_a, b.positions[v]));
            inside += numbers.of_b[v];
        }
    }
    EXPECT_GT(inside, 300);
}

} // namespace
} // namespace knead
