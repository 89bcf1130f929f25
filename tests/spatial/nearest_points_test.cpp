#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/nearest_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shapes.hpp"

namespace knead {
namespace {

using Kind = PrimitivePair::Kind;
using Points = std::array<Vec3, 4>;

Vec3 weighted_sum(const NearestPoints& nearest, const Points& points) {
    Vec3 sum = Vec3::Zero();
    for (int i = 0; i < 4; ++i) sum += nearest.weights[i] * points[i];
    return sum;
}

// What must hold for any input: points of both primitives, and the vector between them.
void expect_consistent(Kind kind, const Points& points, const NearestPoints& nearest) {
    double size = 0;
    for (const Vec3& p : points) size = std::max(size, p.cwiseAbs().maxCoeff());
    const double rounding = 1e-14 * size;
    EXPECT_LE((weighted_sum(nearest, points) - nearest.difference).norm(), rounding);
    EXPECT_EQ(nearest.distance, nearest.difference.norm());
    const int first = kind == Kind::vertex_face ? 1 : 2;
    double of_first = 0, of_second = 0;
    for (int i = 0; i < 4; ++i) {
        (i < first ? of_first : of_second) += nearest.weights[i];
        EXPECT_GE(i < first ? nearest.weights[i] : -nearest.weights[i], 0) << i;
    }
    EXPECT_NEAR(of_first, 1, 1e-15);
    EXPECT_NEAR(of_second, -1, 1e-15);
    const int zeros =
        static_cast<int>(std::count(nearest.weights.begin(), nearest.weights.end(), 0));
    EXPECT_EQ(nearest.inside, zeros == 0);
}

double segment_distance(const Vec3& point, const Vec3& a, const Vec3& b) {
    const double squared = (b - a).squaredNorm();
    const double t = squared > 0 ? std::clamp((point - a).dot(b - a) / squared, 0.0, 1.0) : 0;
    return (point - (1 - t) * a - t * b).norm();
}

// The distance to one edge is convex along the other.
double edge_distance(const Points& p) {
    const auto from = [&](double s) {
        return segment_distance((1 - s) * p[0] + s * p[1], p[2], p[3]);
    };
    double low = 0, high = 1;
    for (int i = 0; i < 100; ++i) {
        const double left = low + (high - low) / 3, right = high - (high - low) / 3;
        if (from(left) < from(right))
            high = right;
        else
            low = left;
    }
    return std::min({from(low), from(0), from(1)});
}

TEST(NearestPoints, VertexAndFaceAgreeWithClosestPoint) {
    Random random(3);
    int inside = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Points points;
        for (Vec3& p : points) p = random.in_cube(1);
        points[0] *= 0.5;
        const NearestPoints nearest = nearest_points(Kind::vertex_face, points);
        expect_consistent(Kind::vertex_face, points, nearest);
        const ClosestPoint expected =
            closest_point_on_triangle(points[0], {points[1], points[2], points[3]});
        ASSERT_NEAR(nearest.distance, std::sqrt(expected.squared_distance), 1e-12);
        inside += nearest.inside;
    }
    EXPECT_GT(inside, 500);
    EXPECT_LT(inside, 15000);
}

TEST(NearestPoints, EdgesAgreeWithASearch) {
    Random random(4);
    int inside = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        Points points;
        for (Vec3& p : points) p = random.in_cube(1);
        const NearestPoints nearest = nearest_points(Kind::edge_edge, points);
        expect_consistent(Kind::edge_edge, points, nearest);
        ASSERT_NEAR(nearest.distance, edge_distance(points), 1e-9);
        inside += nearest.inside;
    }
    EXPECT_GT(inside, 2000);
    EXPECT_LT(inside, 18000);
}

TEST(NearestPoints, EveryPartOfAFace) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    const auto weights_at = [&](const Vec3& p) {
        return nearest_points(Kind::vertex_face, {p, a, b, c}).weights;
    };
    using Weights = std::array<double, 4>;
    EXPECT_EQ(weights_at({0.25, 0.25, 2}), (Weights{1, -0.5, -0.25, -0.25}));
    EXPECT_EQ(weights_at({0.25, -1, 2}), (Weights{1, -0.75, -0.25, 0}));
    EXPECT_EQ(weights_at({-3, 0.5, 2}), (Weights{1, -0.5, 0, -0.5}));
    EXPECT_EQ(weights_at({2, 2, 2}), (Weights{1, 0, -0.5, -0.5}));
    EXPECT_EQ(weights_at({-1, -1, 2}), (Weights{1, -1, 0, 0}));
    EXPECT_EQ(weights_at({3, -1, 2}), (Weights{1, 0, -1, 0}));
    EXPECT_EQ(weights_at({-1, 3, 2}), (Weights{1, 0, 0, -1}));
}

TEST(NearestPoints, CrossedEdges) {
    const NearestPoints nearest = nearest_points(
        Kind::edge_edge, {Vec3(-1, 0, 2), Vec3(1, 0, 2), Vec3(0, -1, -1), Vec3(0, 3, -1)});
    EXPECT_EQ(nearest.weights, (std::array<double, 4>{0.5, 0.5, -0.75, -0.25}));
    EXPECT_EQ(nearest.difference, Vec3(0, 0, 3));
    EXPECT_EQ(nearest.distance, 3);
    EXPECT_TRUE(nearest.inside);
}

TEST(NearestPoints, ParallelEdgesAreNearestAtAnEnd) {
    for (const double shift : {-3.0, -1.0, -0.5, 0.0, 0.25, 1.0, 3.0}) {
        const Vec3 along = Vec3(1, 2, -0.5).normalized(), across = Vec3(2, -1, 0).normalized();
        const Vec3 p = shift * along + 0.3 * across;
        const Points points{Vec3::Zero(), along, p, p + along};
        const NearestPoints nearest = nearest_points(Kind::edge_edge, points);
        expect_consistent(Kind::edge_edge, points, nearest);
        EXPECT_NEAR(nearest.distance, std::hypot(0.3, std::max(0.0, std::abs(shift) - 1)), 1e-15);
    }
}

TEST(NearestPoints, NearlyParallelEdgesAndSlivers) {
    Random random(5);
    for (int trial = 0; trial < 5000; ++trial) {
        const double tilt = std::pow(10.0, random.uniform(-18, -1));
        Points points;
        points[0] = random.in_cube(1);
        points[1] = points[0] + random.direction();
        points[2] = points[0] + random.in_cube(0.5);
        points[3] =
            points[2] + random.uniform(-2, 2) * (points[1] - points[0]) + tilt * random.direction();
        const NearestPoints edges = nearest_points(Kind::edge_edge, points);
        expect_consistent(Kind::edge_edge, points, edges);
        ASSERT_NEAR(edges.distance, edge_distance(points), 1e-8);

        // A face whose corners are nearly on one line: as near as its nearest side, or nearer.
        std::swap(points[0], points[2]);
        points[3] =
            points[1] + random.uniform(-1, 2) * (points[2] - points[1]) + tilt * random.direction();
        const NearestPoints face = nearest_points(Kind::vertex_face, points);
        expect_consistent(Kind::vertex_face, points, face);
        double sides = 1e300;
        for (int i = 0; i < 3; ++i)
            sides = std::min(sides,
                             segment_distance(points[0], points[1 + i], points[1 + (i + 1) % 3]));
        ASSERT_LE(face.distance, sides + 1e-14);
        ASSERT_GE(face.distance, sides - tilt - 1e-14);
    }
}

TEST(NearestPoints, WithoutAreaOrLength) {
    const Vec3 p(1, 2, 3), q(4, 6, 3), r(2.5, 4, 5);
    const auto distance = [](Kind kind, const Points& points) {
        const NearestPoints nearest = nearest_points(kind, points);
        expect_consistent(kind, points, nearest);
        EXPECT_FALSE(nearest.inside);
        return nearest.distance;
    };
    EXPECT_DOUBLE_EQ(distance(Kind::vertex_face, {p, q, q, q}), 5);
    EXPECT_DOUBLE_EQ(distance(Kind::vertex_face, {r, p, q, p}), 2);
    EXPECT_DOUBLE_EQ(distance(Kind::vertex_face, {r, p, p, q}), 2);
    EXPECT_DOUBLE_EQ(distance(Kind::vertex_face, {r, q, p, 0.5 * (p + q)}), 2);
    EXPECT_DOUBLE_EQ(distance(Kind::edge_edge, {p, p, q, q}), 5);
    EXPECT_DOUBLE_EQ(distance(Kind::edge_edge, {r, r, p, q}), 2);
    EXPECT_DOUBLE_EQ(distance(Kind::edge_edge, {p, q, r, r}), 2);
    EXPECT_DOUBLE_EQ(distance(Kind::edge_edge, {p, q, p, q}), 0);
    EXPECT_DOUBLE_EQ(distance(Kind::vertex_face, {p, p, p, p}), 0);
}

TEST(NearestPoints, ScalesAndFarPlaces) {
    Random random(6);
    for (int trial = 0; trial < 2000; ++trial) {
        Points points;
        for (Vec3& p : points) p = random.in_cube(1);
        for (const Kind kind : {Kind::vertex_face, Kind::edge_edge}) {
            const NearestPoints plain = nearest_points(kind, points);
            // Powers of two: nothing is rounded differently.
            for (const double scale : {0x1p-20, 0x1p20, 0x1p-60, 0x1p60}) {
                Points scaled = points;
                for (Vec3& p : scaled) p *= scale;
                const NearestPoints nearest = nearest_points(kind, scaled);
                EXPECT_EQ(nearest.weights, plain.weights);
                EXPECT_EQ(nearest.distance, scale * plain.distance);
            }
            Points far = points;
            for (Vec3& p : far) p += Vec3(1e6, -2e6, 3e6);
            EXPECT_NEAR(nearest_points(kind, far).distance, plain.distance, 1e-8);
        }
    }
}

} // namespace
} // namespace knead
