#include "knead/base/parallel.hpp"
#include "knead/spatial/depth.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;

// The contract's words, vertex by vertex: every face for the distance, one winding number each.
double brute_force_depth(const Surface& a, const Surface& b) {
    double depth = 0;
    const auto take = [&](const Surface& surface, const Surface& other) {
        for (const Vec3& p : surface.positions) {
            const auto nearest = closest_point(other, p);
            const bool counts =
                other.closed() ? is_inside(other, p)
                               : !on_border(other, *nearest) && side_of(other, p, *nearest) < 0;
            if (counts) depth = std::max(depth, std::sqrt(nearest->squared_distance));
        }
    };
    take(a, b);
    take(b, a);
    return depth;
}

TEST(Depth, OfBoxesHasAClosedForm) {
    Random random(51);
    for (int trial = 0; trial < 50; ++trial) {
        // A corner of the small box is in the large one, nearest to its top.
        const testing::Pose pose = testing::random_pose(random);
        const double depth = random.uniform(0.01, 0.3);
        const TriangleMesh large = moved(make_box({4, 2, 4}, {1, 1, 1}), pose.transform);
        const TriangleMesh small = moved(
            moved(make_box({1, 1, 1}, {2, 3, 4}), Vec3(0.1, 1.5 - depth, 0.2)), pose.transform);
        const Penetration found = measure_penetration(small, large);
        EXPECT_NEAR(found.depth, depth * pose.scale, 1e-9 * pose.scale);
        EXPECT_EQ(found.deepest_mesh, 0);
        EXPECT_NEAR((small.positions[found.deepest_vertex] - found.nearest.position).norm(),
                    depth * pose.scale, 1e-9 * pose.scale);
        // Upright edges and diagonals of the lowest ring of cells: two and two around 2 + 4 cells,
        // and two sides each.
        EXPECT_EQ(found.crossings - 2 * (2 * 2 + 2 * 4), 1) << "the diagonal of the large top";
        EXPECT_EQ(measure_penetration(large, small).depth, found.depth);
    }
}

TEST(Depth, OfATipThroughAPlane) {
    Random random(52);
    for (int trial = 0; trial < 50; ++trial) {
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh floor = moved(make_grid({8, 8}, {6, 6}), pose.transform);
        const double depth = random.uniform(0.1, 2);
        TriangleMesh tip;
        tip.positions = {{0.11, -depth, 0.07}, {0.6, 1, 0.1}, {-0.3, 1, 0.6}, {-0.3, 1, -0.6}};
        tip.faces = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
        transform(tip, pose.transform);
        const Penetration found = measure_penetration(tip, floor);
        EXPECT_NEAR(found.depth, depth * pose.scale, 1e-9 * pose.scale);
        EXPECT_EQ(found.deepest_mesh, 0);
        EXPECT_EQ(found.deepest_vertex, 0);
        EXPECT_GE(found.crossings, 3);
    }
}

TEST(Depth, OneInsideTheOther) {
    const TriangleMesh large = make_box({4, 4, 4}, {2, 2, 2});
    const TriangleMesh small = moved(make_box({1, 1, 1}, {1, 1, 1}), Vec3(0.25, 0, 0));
    const Penetration found = measure_penetration(large, small);
    EXPECT_EQ(found.crossings, 0);
    EXPECT_EQ(found.depth, 1.5);
    EXPECT_EQ(found.deepest_mesh, 1);
}

TEST(Depth, OfOverlappingComponentsIsByWindingNumber) {
    // Where the other mesh overlaps itself is inside it; where it is inside out is not.
    TriangleMesh mesh = make_sphere(1, 3);
    append(mesh, moved(make_sphere(1, 3), Vec3(1, 0, 0)));
    const TriangleMesh probe = moved(make_sphere(0.01, 1), Vec3(0.5, 0, 0));
    EXPECT_NEAR(measure_penetration(probe, mesh).depth, 0.5, 0.02);
    EXPECT_EQ(measure_penetration(probe, mesh).crossings, 0);
    TriangleMesh inside_out = make_sphere(1, 3);
    for (Triangle& face : inside_out.faces) std::swap(face[0], face[1]);
    EXPECT_EQ(measure_penetration(probe, inside_out).depth, 0);
}

TEST(Depth, FarBehindAnOpenSurfaceCountsBesideItDoesNot) {
    const TriangleMesh floor = make_grid({2, 2}, {4, 4});
    const TriangleMesh ball = make_sphere(0.1, 1);
    EXPECT_NEAR(measure_penetration(moved(ball, Vec3(0, -50, 0)), floor).depth, 50.1, 1e-12);
    EXPECT_EQ(measure_penetration(moved(ball, Vec3(3, -1, 0)), floor).depth, 0);
    EXPECT_EQ(measure_penetration(moved(ball, Vec3(0, 1, 0)), floor).depth, 0);
}

TEST(Depth, TouchingIsNone) {
    const TriangleMesh box = make_box({2, 2, 2}, {3, 3, 3});
    for (const Vec3& by : {Vec3(0, 2, 0), Vec3(0.5, 2, 0.25), Vec3(2, 2, 0), Vec3(2, 2, 2)}) {
        const Penetration found = measure_penetration(box, moved(box, by));
        EXPECT_EQ(found.depth, 0);
        EXPECT_EQ(found.crossings, 0);
    }
    const Penetration on_floor =
        measure_penetration(moved(box, Vec3(0, 1, 0)), make_grid({6, 6}, {6, 6}));
    EXPECT_EQ(on_floor.depth, 0);
    EXPECT_EQ(on_floor.crossings, 0);
    EXPECT_EQ(on_floor.deepest_vertex, -1);
}

TEST(Depth, OfNothing) {
    const TriangleMesh none, box = make_box({1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(measure_penetration(none, box).depth, 0);
    EXPECT_EQ(measure_penetration(box, none).depth, 0);
    EXPECT_EQ(measure_penetration(none, none).crossings, 0);
    // A vertex without a face is not on the surface.
    TriangleMesh loose = moved(box, Vec3(5, 0, 0));
    loose.positions.push_back(Vec3::Zero());
    EXPECT_EQ(measure_penetration(loose, box).depth, 0);
}

TEST(Depth, AgreesWithBruteForceAtRandomPoses) {
    Random random(53);
    int deep = 0;
    for (int trial = 0; trial < 100; ++trial) {
        const auto [a, b] = testing::random_pair(random);
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh at_a = moved(a, pose.transform), at_b = moved(b, pose.transform);
        const Surface surface_a = make_surface(at_a), surface_b = make_surface(at_b);
        const Penetration found = measure_penetration(surface_a, surface_b);
        EXPECT_NEAR(found.depth, brute_force_depth(surface_a, surface_b), 1e-9 * pose.scale);
        deep += found.depth > 0;
    }
    EXPECT_GT(deep, 80);
}

TEST(Depth, DoesNotDependOnThreadsOrHistory) {
    const TriangleMesh a = make_sphere(1, 4), b = moved(make_torus(1, 0.5, 40), Vec3(1, 0.2, 0.1));
    const TriangleMesh floor = moved(make_grid({4, 4}, {30, 30}), Vec3(0, -0.5, 0));
    for (const TriangleMesh* other : {&b, &floor}) {
        const Surface surface_a = make_surface(a), surface_b = make_surface(*other);
        const Penetration expected = measure_penetration(surface_a, surface_b);
        EXPECT_GT(expected.depth, 0.1);
        PenetrationWorkspace workspace;
        for (const int threads : {1, 2, 8}) {
            const ThreadLimit limit(threads);
            measure_penetration(surface_b, surface_b, workspace);
            const Penetration found = measure_penetration(surface_a, surface_b, workspace);
            EXPECT_EQ(found.depth, expected.depth);
            EXPECT_EQ(found.crossings, expected.crossings);
            EXPECT_EQ(found.deepest_mesh, expected.deepest_mesh);
            EXPECT_EQ(found.deepest_vertex, expected.deepest_vertex);
            EXPECT_EQ(found.nearest.point.face, expected.nearest.point.face);
        }
    }
}

} // namespace
} // namespace knead
