#include "knead/spatial/ray.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;

// All hits by plain arithmetic, sorted along the line.
std::vector<double> brute_force(const Surface& surface, const Line& line) {
    std::vector<double> hits;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const auto [a, b, c] = surface.corners(f);
        Mat3 system;
        system << -line.direction, b - a, c - a;
        const Vec3 x = system.fullPivLu().solve(line.origin - a);
        if (x[1] >= 0 && x[2] >= 0 && x[1] + x[2] <= 1 && x[0] >= line.t_min && x[0] <= line.t_max)
            hits.push_back(x[0]);
    }
    std::sort(hits.begin(), hits.end());
    return hits;
}

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Ray, NearestAndFarthestAgreeWithBruteForce) {
    Random random(21);
    int hits = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        static const std::vector<TriangleMesh> all = testing::shapes();
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh mesh = moved(all[random.index(5)], pose.transform);
        const Surface surface = make_surface(mesh);
        Line line;
        line.origin = pose.transform * random.in_cube(1.5);
        line.direction = std::pow(10.0, random.uniform(-3, 3)) *
                         (pose.transform * random.in_cube(0.8) - line.origin);
        const double unit = pose.scale / line.direction.norm();
        switch (random.index(3)) {
        case 0:
            break;
        case 1:
            line.t_min = -infinity;
            break;
        case 2:
            line.t_min = random.uniform(-1, 0) * unit;
            line.t_max = random.uniform(0, 2) * unit;
            break;
        }
        const std::vector<double> expected = brute_force(surface, line);
        const auto nearest = nearest_hit(surface, line), farthest = farthest_hit(surface, line);
        ASSERT_EQ(nearest.has_value(), !expected.empty());
        ASSERT_EQ(farthest.has_value(), !expected.empty());
        if (expected.empty()) continue;
        ++hits;
        EXPECT_NEAR(nearest->t, expected.front(), 1e-9 * unit);
        EXPECT_NEAR(farthest->t, expected.back(), 1e-9 * unit);
        for (const auto& hit : {nearest, farthest}) {
            EXPECT_LT((line.origin + hit->t * line.direction - hit->position).norm(),
                      1e-9 * pose.scale);
            EXPECT_NEAR(hit->point.barycentric.sum(), 1, 1e-14);
            EXPECT_GE(hit->point.barycentric.minCoeff(), 0);
            const auto [a, b, c] = surface.corners(hit->point.face);
            EXPECT_EQ(hit->front, (b - a).cross(c - a).dot(line.direction) < 0);
        }
    }
    EXPECT_GT(hits, 1000);
}

// What is found is what meeting the faces one by one finds, to the last bit, however large the
// surface is and wherever it and the line lie.
TEST(Ray, IsThatOfALookAtAllFaces) {
    Random random(23);
    int hits = 0;
    for (const TriangleMesh& shape : testing::shapes())
        for (const double size : {1.0, 1e-12, 1e12, 1e-60, 1e60})
            for (const double away : {0.0, 1e5, 1e10}) {
                const Vec3 center = away * Vec3(0.3, 1, -0.6);
                TriangleMesh mesh = shape;
                for (Vec3& p : mesh.positions) p = size * (p + center);
                const Surface surface = make_surface(mesh);
                std::vector<Surface> faces;
                for (const Triangle& face : mesh.faces)
                    faces.push_back(make_surface(
                        make_structure(mesh.positions, std::span(&face, 1)), mesh.positions));
                for (int trial = 0; trial < 30; ++trial) {
                    Line line;
                    Vec3 from = random.in_cube(1.5);
                    Vec3 to = random.in_cube(0.8);
                    if (trial % 3 == 0) to = shape.positions[random.index(shape.vertex_count())];
                    if (trial % 5 == 0) from[trial % 2] = to[trial % 2]; // along a plane
                    if (trial % 7 == 0) from = to + Vec3::Unit(trial % 3);
                    if (trial % 11 == 0) from = to + 1e4 * (from - to);
                    line.origin = size * (from + center);
                    line.direction = std::pow(10.0, random.uniform(-3, 3)) * size * (to - from);
                    if (trial % 2 == 0) line.t_min = -infinity;
                    if (trial % 4 == 1) line.t_max = size / line.direction.norm();
                    const auto found = nearest_hit(surface, line);
                    std::optional<Hit> expected;
                    for (std::size_t f = 0; f < faces.size(); ++f)
                        if (auto hit = nearest_hit(faces[f], line);
                            hit && (!expected || hit->t < expected->t)) {
                            expected = hit;
                            expected->point.face = static_cast<int>(f);
                        }
                    ASSERT_EQ(found.has_value(), expected.has_value())
                        << size << " " << away << " " << trial;
                    if (!found) continue;
                    ++hits;
                    ASSERT_EQ(found->t, expected->t);
                    ASSERT_EQ(found->point.face, expected->point.face);
                    ASSERT_EQ(found->point.barycentric, expected->point.barycentric);
                    ASSERT_EQ(found->position, expected->position);
                }
            }
    EXPECT_GT(hits, 500);
}

TEST(Ray, ClosedMeshesHaveNoGaps) {
    // From inside, aimed as exactly as doubles allow at vertices and edges; from far and near.
    Random random(22);
    for (const TriangleMesh& shape :
         {make_sphere(1, 3), make_box({2, 2, 2}, {4, 4, 4}), make_capsule(0.5, 1, 10)})
        for (int turn = 0; turn < 4; ++turn) {
            const testing::Pose pose = testing::random_pose(random);
            const Affine3 placed = turn == 0 ? Affine3::Identity() : pose.transform;
            const TriangleMesh mesh = moved(shape, placed);
            const Surface surface = make_surface(mesh);
            const auto expect_hit = [&](const Vec3& target) {
                for (const Vec3& inside : {Vec3(0, 0, 0), Vec3(0.1, 0.25, -0.125)}) {
                    const Vec3 origin = placed * inside;
                    ASSERT_TRUE(nearest_hit(surface, {origin, target - origin}));
                    ASSERT_TRUE(farthest_hit(surface, {origin, target - origin}));
                }
            };
            for (const Vec3& p : mesh.positions) expect_hit(p);
            for (const Edge& edge : surface.topology().edges)
                for (const double t : {0.5, 1.0 / 3})
                    expect_hit((1 - t) * mesh.positions[edge[0]] + t * mesh.positions[edge[1]]);
        }
}

TEST(Ray, ThroughVerticesAlongAnAxis) {
    const TriangleMesh box = make_box({2, 2, 2}, {2, 2, 2});
    const Surface surface = make_surface(box);
    for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0}) {
            Line line;
            line.direction = sign * Vec3::Unit(axis);
            line.origin = -3 * line.direction;
            const auto nearest = nearest_hit(surface, line), farthest = farthest_hit(surface, line);
            ASSERT_TRUE(nearest && farthest);
            EXPECT_EQ(nearest->t, 2);
            EXPECT_EQ(farthest->t, 4);
            EXPECT_TRUE(nearest->front);
            EXPECT_FALSE(farthest->front);
            // Along an edge of the box, seen edge-on by two walls and met by the two ends.
            line.origin[(axis + 1) % 3] = 1;
            line.origin[(axis + 2) % 3] = 1;
            ASSERT_TRUE(nearest_hit(surface, line));
            EXPECT_EQ(nearest_hit(surface, line)->t, 2);
            EXPECT_EQ(farthest_hit(surface, line)->t, 4);
        }
}

TEST(Ray, BoundsAreInclusive) {
    const TriangleMesh grid = make_grid({2, 2}, {2, 2});
    const Surface surface = make_surface(grid);
    const Line line{{0.3, 2, 0.1}, {0, -1, 0}, 0, 2};
    EXPECT_TRUE(nearest_hit(surface, line));
    EXPECT_TRUE(nearest_hit(surface, {line.origin, line.direction, 2, 2}));
    EXPECT_FALSE(nearest_hit(surface, {line.origin, line.direction, 0, 1.999}));
    EXPECT_FALSE(nearest_hit(surface, {line.origin, line.direction, 2.001, 9}));
    EXPECT_FALSE(farthest_hit(surface, {line.origin, -line.direction}));
    EXPECT_TRUE(farthest_hit(surface, {line.origin, -line.direction, -infinity}));
}

TEST(Ray, OfNothingOrNowhereMisses) {
    const TriangleMesh none, grid = make_grid({2, 2}, {2, 2});
    const Surface nothing = make_surface(none), surface = make_surface(grid);
    EXPECT_FALSE(nearest_hit(nothing, {}));
    EXPECT_FALSE(nearest_hit(surface, {Vec3::Zero(), Vec3::Zero()}));
    EXPECT_FALSE(nearest_hit(surface, {Vec3::Zero(), Vec3(std::nan(""), 1, 0)}));
    EXPECT_FALSE(nearest_hit(surface, {Vec3(std::nan(""), 1, 0), Vec3(0, -1, 0)}));
    // Within the plane of the grid, which is then seen edge-on.
    EXPECT_FALSE(nearest_hit(surface, {Vec3(-3, 0, 0.1), Vec3(1, 0, 0)}));
}

} // namespace
} // namespace knead
