#include "knead/base/parallel.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;
using Corners = std::array<Vec3, 3>;
using Pairs = std::vector<std::array<int, 2>>;

Pairs self_intersections(const TriangleMesh& mesh) {
    return find_self_intersections(make_surface(mesh));
}

// Whether some edge of one passes through the other, by plain arithmetic; right for triangles in
// general position.
bool edges_cross(const Corners& a, const Corners& b) {
    for (const auto& [s, t] : {std::pair(a, b), std::pair(b, a)})
        for (int i = 0; i < 3; ++i) {
            Mat3 system;
            system << s[i] - s[(i + 1) % 3], t[1] - t[0], t[2] - t[0];
            const Vec3 x = system.fullPivLu().solve(s[i] - t[0]);
            if (x[0] > 0 && x[0] < 1 && x[1] > 0 && x[2] > 0 && x[1] + x[2] < 1) return true;
        }
    return false;
}

TEST(TrianglesCross, AgreesWithEdgesInGeneralPosition) {
    Random random(61);
    int crossing = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Corners a, b;
        for (Vec3& p : a) p = random.in_cube(1);
        for (Vec3& p : b) p = random.in_cube(1);
        const bool expected = edges_cross(a, b);
        crossing += expected;
        ASSERT_EQ(triangles_cross(a, b), expected);
        std::swap(a[1], a[2]);
        ASSERT_EQ(triangles_cross(b, a), expected);
    }
    EXPECT_GT(crossing, 2000);
}

TEST(TrianglesCross, DegenerateCases) {
    const Corners t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
    const auto crosses = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        Corners other{a, b, c};
        const bool result = triangles_cross(t, other);
        for (int i = 0; i < 6; ++i) {
            std::next_permutation(other.begin(), other.end(), [](const Vec3& x, const Vec3& y) {
                return std::lexicographical_compare(x.data(), x.data() + 3, y.data(), y.data() + 3);
            });
            EXPECT_EQ(triangles_cross(t, other), result);
            EXPECT_EQ(triangles_cross(other, t), result);
        }
        return result;
    };
    // Touching: a corner on the inside, on an edge, on a corner; an edge on the inside.
    EXPECT_FALSE(crosses({1, 1, 0}, {1, 1, 2}, {2, 1, 2}));
    EXPECT_FALSE(crosses({2, 0, 0}, {1, 1, 2}, {2, 1, 2}));
    EXPECT_FALSE(crosses({0, 0, 0}, {1, 1, 2}, {2, 1, 2}));
    EXPECT_FALSE(crosses({1, 1, 0}, {2, 1, 0}, {2, 1, 2}));
    // Through: from a corner on the inside, exactly through an edge, exactly through a corner.
    EXPECT_TRUE(crosses({1, 1, 0}, {1, 0.5, 2}, {2, 1, -2}));
    EXPECT_FALSE(crosses({2, 0, -1}, {2, 0, 1}, {2, -3, 0}));
    EXPECT_TRUE(crosses({2, 0, -1}, {2, 0, 1}, {2, 3, 0}));
    EXPECT_TRUE(crosses({0, 0, -1}, {0, 0, 1}, {3, 3, 0}));
    EXPECT_FALSE(crosses({0, 0, -1}, {0, 0, 1}, {-3, -3, 0}));
    // Sharing a corner: apart, and through each other away from it.
    EXPECT_FALSE(crosses({0, 0, 0}, {-1, -2, 1}, {-2, -1, -1}));
    EXPECT_TRUE(crosses({0, 0, 0}, {1, 2, 1}, {2, 1, -1}));
    // Sharing an edge: at any angle no, folded onto each other yes, flat no.
    EXPECT_FALSE(crosses({0, 0, 0}, {4, 0, 0}, {1, 1, 1}));
    EXPECT_TRUE(crosses({0, 0, 0}, {4, 0, 0}, {1, 1, 0}));
    EXPECT_FALSE(crosses({0, 0, 0}, {4, 0, 0}, {1, -1, 0}));
    // Coplanar: overlapping, inside, the same, side by side, apart.
    EXPECT_TRUE(crosses({1, 1, 0}, {5, 1, 0}, {5, 5, 0}));
    EXPECT_TRUE(crosses({0.5, 0.5, 0}, {1, 0.5, 0}, {0.5, 1, 0}));
    EXPECT_TRUE(crosses({0, 0, 0}, {4, 0, 0}, {0, 4, 0}));
    EXPECT_FALSE(crosses({1, 0, 0}, {3, 0, 0}, {2, -1, 0}));
    EXPECT_FALSE(crosses({5, 5, 0}, {6, 5, 0}, {5, 6, 0}));
    // Without area: a point and a line have no inside.
    EXPECT_FALSE(crosses({1, 1, 0}, {1, 1, 0}, {1, 1, 0}));
    EXPECT_FALSE(crosses({1, 1, -1}, {1, 1, 1}, {1, 1, 3}));
    EXPECT_FALSE(crosses({1, 1, 0}, {2, 1, 0}, {1.5, 1, 0}));
}

TEST(SelfIntersections, CleanMeshesHaveNone) {
    Random random(62);
    for (const TriangleMesh& shape : testing::shapes()) {
        EXPECT_TRUE(self_intersections(shape).empty());
        for (int turn = 0; turn < 5; ++turn)
            EXPECT_TRUE(
                self_intersections(moved(shape, testing::random_pose(random).transform)).empty());
    }
    EXPECT_TRUE(self_intersections(TriangleMesh()).empty());
    // Components in contact only touch.
    TriangleMesh stacked = make_box({1, 1, 1}, {2, 2, 2});
    append(stacked, moved(make_sphere(0.5, 2), Vec3(0.1, 1, 0.1)));
    EXPECT_TRUE(self_intersections(stacked).empty());
}

TEST(SelfIntersections, AgreeWithAllPairs) {
    Random random(63);
    for (int trial = 0; trial < 20; ++trial) {
        auto [mesh, other] = testing::random_pair(random);
        append(mesh, other);
        const Surface surface = make_surface(mesh);
        Pairs expected;
        for (int f = 0; f < mesh.face_count(); ++f)
            for (int g = f + 1; g < mesh.face_count(); ++g)
                if (triangles_cross(surface.corners(f), surface.corners(g)))
                    expected.push_back({f, g});
        EXPECT_EQ(find_self_intersections(surface), expected);
    }
}

TEST(SelfIntersections, FigureEightTube) {
    // A closed tube around a curve that passes through itself at the origin.
    const int along = 96, around = 12;
    TriangleMesh tube;
    for (int i = 0; i < along; ++i) {
        const double s = 2 * std::numbers::pi * i / along;
        const Vec3 center(2 * std::sin(s), std::sin(2 * s), 0);
        const Vec3 tangent = Vec3(2 * std::cos(s), 2 * std::cos(2 * s), 0).normalized();
        const Vec3 normal = Vec3::UnitZ().cross(tangent);
        for (int j = 0; j < around; ++j) {
            const double angle = 2 * std::numbers::pi * j / around;
            tube.positions.push_back(
                center + 0.2 * (std::cos(angle) * normal + std::sin(angle) * Vec3::UnitZ()));
        }
    }
    for (int i = 0; i < along; ++i)
        for (int j = 0; j < around; ++j) {
            const int a = i * around + j, b = i * around + (j + 1) % around;
            const int c = (i + 1) % along * around + j,
                      d = (i + 1) % along * around + (j + 1) % around;
            tube.faces.push_back({a, b, d});
            tube.faces.push_back({a, d, c});
        }
    const Pairs pairs = self_intersections(tube);
    EXPECT_GT(pairs.size(), 20u);
    for (const auto& [f, g] : pairs)
        for (const int face : {f, g})
            for (const int v : tube.faces[face]) EXPECT_LT(tube.positions[v].norm(), 0.8);
}

TEST(SelfIntersections, StripFoldedOntoAndThroughItself) {
    TriangleMesh strip = make_grid({8, 1}, {8, 1});
    EXPECT_TRUE(self_intersections(strip).empty());
    // Exactly back onto itself: the faces on both sides of the fold are the first to overlap.
    TriangleMesh folded = strip;
    for (Vec3& p : folded.positions) p.x() = std::abs(p.x());
    EXPECT_FALSE(self_intersections(folded).empty());
    // Around and down through its own beginning.
    TriangleMesh curled = strip;
    for (Vec3& p : curled.positions) {
        const double angle = p.x();
        p = {(1 + 0.1 * angle) * std::cos(angle), (1 - 0.1 * angle) * std::sin(angle), p.z()};
    }
    EXPECT_FALSE(self_intersections(curled).empty());
}

TEST(SelfIntersections, DoNotDependOnThreads) {
    TriangleMesh mesh = make_sphere(1, 4);
    append(mesh, moved(make_sphere(1, 4), Vec3(0.7, 0.1, 0.2)));
    const Surface surface = make_surface(mesh);
    std::vector<Pairs> results;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        results.push_back(find_self_intersections(surface));
    }
    EXPECT_GT(results[0].size(), 50u);
    EXPECT_EQ(results[1], results[0]);
    EXPECT_EQ(results[2], results[0]);
}

TEST(SelfIntersections, OfFacesOnEachOtherAreNotAllLookedFor) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    mesh.faces.assign(3000, {0, 1, 2});
    const Surface surface = make_surface(mesh);
    Pairs first;
    for (int i = 1; i <= 1000; ++i) first.push_back({0, i});
    for (const int threads : {1, 4}) {
        const ThreadLimit limit(threads);
        EXPECT_EQ(find_self_intersections(surface, 1000), first);
    }
    mesh.faces.resize(20);
    EXPECT_EQ(find_self_intersections(make_surface(mesh), 1000).size(), 190u);
}

} // namespace
} // namespace knead
