#include "knead/bulge/brush.hpp"
#include "knead/mesh/geodesic.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/closest_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "input_error.hpp"

namespace knead {
namespace {

using std::numbers::pi;

FacePoint at(const Surface& surface, const Vec3& position) {
    return closest_point(surface, position)->point;
}

TEST(Geodesic, IsTheDistanceOnAPlaneAndOnASphere) {
    const TriangleMesh plane = make_grid({4, 4}, {40, 40}), ball = make_sphere(1, 4);
    const Surface flat = make_surface(plane), round = make_surface(ball);
    const Vec3 start(0.13, 0, 0.04), pole = Vec3(0.3, 1, 0.2).normalized();
    const std::vector<double> on_plane =
        geodesic_distances(plane.positions, plane.faces, flat.topology(), at(flat, start), 1.5);
    for (std::size_t v = 0; v < on_plane.size(); ++v) {
        const double expected = (plane.positions[v] - start).norm();
        if (expected < 1.48) {
            EXPECT_NEAR(on_plane[v], expected, 0.006 + 0.01 * expected);
        }
        if (expected > 1.52) {
            EXPECT_TRUE(std::isinf(on_plane[v]));
        }
    }
    const std::vector<double> on_ball =
        geodesic_distances(ball.positions, ball.faces, round.topology(), at(round, pole), 10);
    for (std::size_t v = 0; v < on_ball.size(); ++v) {
        const double expected = std::acos(std::clamp(pole.dot(ball.positions[v]), -1.0, 1.0));
        EXPECT_NEAR(on_ball[v], expected, 0.01 + 0.01 * expected);
    }
}

TEST(Brush, ALocalBrushFallsOffToItsRadius) {
    const TriangleMesh mesh = make_grid({4, 4}, {60, 60});
    const Surface surface = make_surface(mesh);
    const Vec3 center(0.1, 0, -0.2);
    for (const BrushDistance distance : {BrushDistance::geodesic, BrushDistance::euclidean})
        for (const double falloff : {0.0, 0.5, 1.0}) {
            const BrushWeights weights =
                local_brush(surface, at(surface, center), {0.8, falloff, distance});
            for (std::size_t v = 0; v < weights.size(); ++v) {
                const double r = (mesh.positions[v] - center).norm() / 0.8;
                if (std::abs(r - 1) < 0.02) continue;
                const double t = falloff > 0 ? std::max(0.0, (r - 1 + falloff) / falloff) : 0;
                EXPECT_NEAR(weights[v], r < 1 ? std::pow(1 - t * t, 2) : 0, 0.03);
            }
        }
}

// Two sheets that nearly touch: over the surface they are far apart.
TEST(Brush, AGeodesicBrushLeavesTheNextFingerAlone) {
    TriangleMesh mesh = make_grid({2, 2}, {20, 20});
    const std::size_t first = mesh.positions.size();
    TriangleMesh other = mesh;
    for (Vec3& p : other.positions) p.y() += 0.01;
    append(mesh, other);
    const Surface surface = make_surface(mesh);
    const FacePoint center{5, Vec3(0.2, 0.3, 0.5)};
    const auto sum = [&](BrushDistance distance) {
        const BrushWeights weights = local_brush(surface, center, {0.7, 1, distance});
        return std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(first), weights.end(),
                               0.0);
    };
    EXPECT_EQ(sum(BrushDistance::geodesic), 0);
    EXPECT_GT(sum(BrushDistance::euclidean), 1);
}

TEST(Brush, StrokesDoWhatTheyAreCalled) {
    const TriangleMesh mesh = make_grid({2, 2}, {20, 20});
    const Surface surface = make_surface(mesh);
    const BrushWeights weights = local_brush(surface, at(surface, Vec3(0.05, 0, 0.05)), {0.6});
    const auto stroked = [&](const BrushStroke& stroke, double before) {
        std::vector<double> map(weights.size(), before);
        paint(surface.topology(), weights, stroke, map);
        return map;
    };
    const auto set = stroked({BrushOperation::set, 3}, 1),
               half = stroked({BrushOperation::set, 3, 0.5}, 1),
               add = stroked({BrushOperation::add, 0.2}, 1),
               subtract = stroked({BrushOperation::subtract, 0.2}, 1),
               limited = stroked({BrushOperation::add, 5, 1, 0, 2}, 1),
               smooth = stroked({BrushOperation::smooth}, 1);
    for (std::size_t v = 0; v < weights.size(); ++v) {
        EXPECT_DOUBLE_EQ(set[v], 1 + 2 * weights[v]);
        EXPECT_DOUBLE_EQ(half[v], 1 + weights[v]);
        EXPECT_DOUBLE_EQ(add[v], 1 + 0.2 * weights[v]);
        EXPECT_DOUBLE_EQ(subtract[v], 1 - 0.2 * weights[v]);
        EXPECT_LE(limited[v], 2);
        EXPECT_DOUBLE_EQ(smooth[v], 1);
    }
    // Smoothing makes what is rough smoother, and only there.
    std::vector<double> rough(weights.size());
    for (std::size_t v = 0; v < rough.size(); ++v) rough[v] = v % 2 == 0 ? 0 : 1;
    std::vector<double> smoothed = rough;
    for (int i = 0; i < 5; ++i)
        paint(surface.topology(), weights, {BrushOperation::smooth}, smoothed);
    for (std::size_t v = 0; v < rough.size(); ++v) {
        if (weights[v] == 0) {
            EXPECT_EQ(smoothed[v], rough[v]);
        }
        if (weights[v] > 0.8) {
            EXPECT_NEAR(smoothed[v], 0.5, 0.2);
        }
    }
}

// A stroke that reaches across the plane is the same on both sides of it, and not twice in the
// middle.
TEST(Brush, MirroredStrokesAreMirrorImages) {
    const TriangleMesh mesh = make_grid({2, 2}, {20, 20});
    const Surface surface = make_surface(mesh);
    const FacePoint center = at(surface, Vec3(0.21, 0, 0.1));
    const MirrorPlane plane{Vec3::Zero(), Vec3(-2, 0, 0)};
    const FacePoint image = mirrored(surface, center, plane);
    const Vec3 to = interpolate<Vec3>(image, surface.faces(), surface.positions);
    EXPECT_LT((to - Vec3(-0.21, 0, 0.1)).norm(), 1e-12);
    const LocalBrush brush{0.5, 1, BrushDistance::euclidean};
    const BrushWeights both =
        together(local_brush(surface, center, brush), local_brush(surface, image, brush));
    EXPECT_LE(*std::max_element(both.begin(), both.end()), 1);
    for (std::size_t v = 0; v < both.size(); ++v) {
        Vec3 p = mesh.positions[v];
        p.x() = -p.x();
        std::size_t twin = 0;
        for (std::size_t w = 0; w < both.size(); ++w)
            if ((mesh.positions[w] - p).norm() < (mesh.positions[twin] - p).norm()) twin = w;
        EXPECT_NEAR(both[v], both[twin], 1e-12);
    }
}

struct Ring {
    TriangleMesh mesh = make_grid({4.4, 4.4}, {88, 88});
    Surface surface = make_surface(mesh);
    std::vector<double> u;

    // u goes from 0 on a disc of radius 0.5 to 1 at 1.9.
    Ring() {
        for (const Vec3& p : mesh.positions)
            u.push_back(std::clamp((p.norm() - 0.5) / 1.4, 0.0, 1.0));
    }
};

TEST(Brush, ARadialBrushIsTheSameAllTheWayOut) {
    const Ring ring;
    for (const double angle : {0.3, 2.0, -1.2}) {
        const double r = 1.1, half = 0.6;
        const Vec3 center(r * std::cos(angle), 0, r * std::sin(angle));
        const BrushWeights weights =
            radial_brush(ring.surface, ring.u, at(ring.surface, center), half * r);
        int inside = 0;
        for (std::size_t v = 0; v < weights.size(); ++v) {
            if (!(ring.u[v] > 0.05 && ring.u[v] < 0.95)) {
                if (ring.u[v] == 0 || ring.u[v] == 1) {
                    EXPECT_EQ(weights[v], 0);
                }
                continue;
            }
            const Vec3& p = ring.mesh.positions[v];
            const double turn = std::remainder(std::atan2(p.z(), p.x()) - angle, 2 * pi) / half;
            const double expected = std::abs(turn) < 1 ? std::pow(1 - turn * turn, 2) : 0;
            EXPECT_NEAR(weights[v], expected, 0.1) << p.transpose();
            inside += expected > 0;
        }
        EXPECT_GT(inside, 500);
    }
}

TEST(Brush, ARadialBrushWiderThanTheContactGoesOnceAround) {
    const Ring ring;
    const BrushWeights weights =
        radial_brush(ring.surface, ring.u, at(ring.surface, Vec3(1.1, 0, 0.013)), 20);
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const Vec3& p = ring.mesh.positions[v];
        if (!(ring.u[v] > 0.1 && ring.u[v] < 0.9)) continue;
        if (std::abs(std::atan2(p.z(), p.x())) < 0.3) {
            EXPECT_GT(weights[v], 0.9);
        }
        if (std::abs(std::atan2(p.z(), p.x())) > 3) {
            EXPECT_LT(weights[v], 0.1);
        }
    }
}

TEST(Brush, WhatIsWrongIsNamed) {
    const Ring ring;
    const FacePoint on_ring = at(ring.surface, Vec3(1.1, 0, 0));
    std::vector<double> map(3, 0.0);
    const BrushWeights weights(ring.u.size(), 1.0);
    EXPECT_EQ(input_error([&] {
                  local_brush(ring.surface, {-1, Vec3(1, 0, 0)}, {1});
              }),
              "brush: the centre is on face -1, expected 0 to 15487");
    EXPECT_EQ(input_error([&] {
                  local_brush(ring.surface, {3, Vec3(1, 1, 0)}, {1});
              }),
              "brush: the centre has the barycentric coordinates (1, 1, 0), expected three of at "
              "least 0 that sum to 1");
    EXPECT_EQ(input_error([&] { local_brush(ring.surface, on_ring, {0}); }),
              "brush: the radius is 0, expected more than 0");
    EXPECT_EQ(input_error([&] {
                  local_brush(ring.surface, on_ring, {1, 2});
              }),
              "brush: the falloff is 2, expected 0 to 1");
    EXPECT_EQ(input_error([&] { radial_brush(ring.surface, map, on_ring, 1); }),
              "brush: u has 3 values, expected 7921");
    EXPECT_EQ(input_error([&] { radial_brush(ring.surface, ring.u, on_ring, -1); }),
              "brush: the radius is -1, expected more than 0");
    EXPECT_EQ(
        input_error([&] { radial_brush(ring.surface, ring.u, at(ring.surface, Vec3::Zero()), 1); }),
        "brush: u is 0 at the centre, expected a place between the contact zone, 0, and the "
        "end of its deformation, 1");
    EXPECT_EQ(input_error([&] {
                  mirrored(ring.surface, on_ring, {Vec3::Zero(), Vec3::Zero()});
              }),
              "brush: the mirror plane is not finite or has the normal 0");
    EXPECT_EQ(input_error([&] { together(weights, {1.0}); }),
              "brush: found 7921 and 1 weights, expected as many");
    EXPECT_EQ(input_error([&] { paint(ring.surface.topology(), weights, {}, map); }),
              "brush: found a map of 3 values and 7921 weights, expected 7921");
    map.resize(weights.size());
    const auto stroke_error = [&](const BrushStroke& stroke) {
        return input_error([&] { paint(ring.surface.topology(), weights, stroke, map); });
    };
    EXPECT_EQ(stroke_error({BrushOperation::add, 1, 1.5}),
              "brush: the strength is 1.5, expected 0 to 1");
    EXPECT_EQ(stroke_error({BrushOperation::add, std::nan("")}),
              "brush: the value is nan, expected a number");
    EXPECT_EQ(stroke_error({BrushOperation::add, 1, 1, 2, 1}),
              "brush: the limits are 2 and 1, expected them in order");
}

} // namespace
} // namespace knead
