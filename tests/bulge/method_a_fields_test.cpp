#include "knead/bulge/steady_state.hpp"
#include "knead/bulge/transported_directions.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "boundary_vertices.hpp"
#include "solved_distance.hpp"

namespace knead {
namespace {

// A mesh with a zone: what is below a height. Its border has outward directions that are the
// normals turned by `angle` away from the pole.
struct CappedMesh {
    TriangleMesh mesh;
    Topology topology;
    std::vector<Vec3> normals;
    std::vector<char> border;
    ContactZone zone;
    BulgeWorkspace workspace;
    CutRegion region;

    CappedMesh(TriangleMesh of, const std::function<double(const Vec3&)>& height, double angle)
        : mesh(std::move(of)),
          topology(build_topology(mesh.faces, mesh.vertex_count())),
          normals(vertex_normals(mesh.positions, mesh.faces)),
          workspace(make_bulge_workspace(topology)) {
        border = boundary_vertices(topology);
        zone.target = mesh.positions;
        zone.border_of_edge.assign(topology.edges.size(), -1);
        for (const Vec3& p : mesh.positions) zone.inside.push_back(height(p) < 0);
        for (int e = 0; e < topology.edge_count(); ++e) {
            const Edge& ends = topology.edges[e];
            if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
            const double a = height(mesh.positions[ends[0]]), b = height(mesh.positions[ends[1]]);
            ZoneBorderPoint point;
            point.on_edge = {e, a / (a - b)};
            point.position = interpolate<Vec3>(point.on_edge, topology.edges, mesh.positions);
            point.normal = interpolate<Vec3>(point.on_edge, topology.edges, normals).normalized();
            const Vec3 up = Vec3::UnitY() - point.normal.y() * point.normal;
            point.outward =
                up.norm() > 1e-9 ? tilted(point.normal, angle * up.normalized()) : point.normal;
            zone.border_of_edge[e] = static_cast<int>(zone.border.size());
            zone.border.push_back(point);
        }
        region = cut_region(zone, mesh.positions, mesh.faces, topology);
        assemble_cut_laplacian(region, zone, workspace.pattern, mesh.positions, mesh.faces,
                               workspace.laplacian);
    }
};

CappedMesh capped_sphere(double angle) {
    return {make_sphere(1, 4), [](const Vec3& p) { return p.y() + 0.7; }, angle};
}

// A field f of vectors along the meridians of the unit ball is harmonic when
// f'' + cot(x) f' - cot(x)^2 f = 0, x the angle from a pole; this one vanishes there.
double meridian_field(double angle) {
    double x = 1e-3, f = x, slope = 1;
    const int steps = 2000;
    const double h = (angle - x) / steps;
    const auto bend = [](double at, double value, double rise) {
        const double cotangent = 1 / std::tan(at);
        return cotangent * (cotangent * value - rise);
    };
    for (int i = 0; i < steps; ++i, x += h) {
        const double middle_slope = slope + 0.5 * h * bend(x, f, slope);
        const double middle = f + 0.5 * h * slope;
        f += h * middle_slope;
        slope += h * bend(x + 0.5 * h, middle, middle_slope);
    }
    return f;
}

TEST(TransportedDirections, ATiltIsAnAngle) {
    const Vec3 normal = Vec3(1, 2, 3).normalized(),
               tangent = normal.cross(Vec3::UnitX()).normalized();
    for (const double angle : {0.1, 0.7, 1.5, 2.5}) {
        const Vec3 direction = std::cos(angle) * normal + std::sin(angle) * tangent;
        EXPECT_LT((tilt_of(direction, normal) - angle * tangent).norm(), 1e-14);
        EXPECT_LT((tilted(normal, tilt_of(direction, normal)) - direction).norm(), 1e-14);
    }
    EXPECT_EQ(tilt_of(normal, normal).norm(), 0);
    EXPECT_EQ(tilted(normal, Vec3::Zero()), normal);
}

TEST(TransportedDirections, CarryingKeepsLengthsAndStaysTangent) {
    const Vec3 from = Vec3(0.2, 1, 0.1).normalized(), to = Vec3(1, 0.3, -0.4).normalized();
    const Vec3 tangent = 0.6 * from.cross(Vec3::UnitZ());
    const Vec3 there = carried(tangent, from, to);
    EXPECT_NEAR(there.norm(), tangent.norm(), 1e-14);
    EXPECT_NEAR(there.dot(to), 0, 1e-14);
    EXPECT_LT((carried(there, to, from) - tangent).norm(), 1e-14);
    // About the axis of the turn nothing changes.
    const Vec3 axis = from.cross(to);
    EXPECT_LT((carried(axis, from, to) - axis).norm(), 1e-14);
}

// Along meridians a tilt towards the pole stays one: to the side of it there is nothing.
TEST(TransportedDirections, TiltsFollowTheMeridiansOfABall) {
    CappedMesh ball = capped_sphere(0.5);
    const std::vector<Vec3> tilts =
        transported_tilts(ball.region, ball.zone, ball.normals, ball.topology, ball.workspace);
    int count = 0;
    for (int v = 0; v < ball.mesh.vertex_count(); ++v) {
        const Vec3& n = ball.normals[v];
        EXPECT_NEAR(tilts[v].dot(n), 0, 1e-12);
        if (ball.zone.inside[v]) {
            EXPECT_EQ(tilts[v].norm(), 0);
            continue;
        }
        if (ball.mesh.positions[v].y() > 0) continue;
        ++count;
        const Vec3 up = (Vec3::UnitY() - n.y() * n).normalized();
        EXPECT_NEAR(tilts[v].dot(n.cross(up)), 0, 0.02);
        EXPECT_GT(tilts[v].dot(up), 0.1);
        EXPECT_LT(tilts[v].norm(), 0.5 + 1e-9);
    }
    EXPECT_GT(count, 100);
    const double rim = std::acos(0.7);
    const double at_rim = meridian_field(std::numbers::pi - rim);
    for (int v = 0; v < ball.mesh.vertex_count(); ++v) {
        if (ball.zone.inside[v]) continue;
        const double from_far_pole = std::acos(std::clamp(ball.mesh.positions[v].y(), -1.0, 1.0));
        EXPECT_NEAR(tilts[v].norm(), 0.5 * meridian_field(from_far_pole) / at_rim, 0.01);
    }
}

TEST(TransportedDirections, OnFlatGroundTheyAreTheSameEverywhere) {
    CappedMesh flat(
        make_grid({4, 4}, {30, 30}),
        [](const Vec3& p) { return (p - Vec3(0.013, 0, 0.02)).norm() - 0.7; }, 0);
    for (ZoneBorderPoint& point : flat.zone.border) point.outward = Vec3(0.3, 1, 0.1).normalized();
    const std::vector<Vec3> tilts =
        transported_tilts(flat.region, flat.zone, flat.normals, flat.topology, flat.workspace);
    for (int v = 0; v < flat.mesh.vertex_count(); ++v)
        if (!flat.zone.inside[v]) {
            EXPECT_LT((tilted(flat.normals[v], tilts[v]) - Vec3(0.3, 1, 0.1).normalized()).norm(),
                      1e-9);
        }
}

// Against finite differences along a meridian of the ball.
TEST(TransportedDirections, HowADirectionChangesAtTheBorder) {
    const CappedMesh ball = capped_sphere(0.5);
    const double extent = 1.3, step = 1e-5;
    for (const ZoneBorderPoint& point : ball.zone.border) {
        const Vec3 up = (Vec3::UnitY() - point.normal.y() * point.normal).normalized();
        const Vec3 change = direction_change(point, up, extent, ball.mesh.positions, ball.normals,
                                             ball.mesh.faces, ball.topology);
        const Vec3 normal = (point.normal + step * up).normalized();
        const Vec3 tilt = carried(tilt_of(point.outward, point.normal), point.normal, normal);
        const Vec3 there = tilted(normal, (1 - step / extent) * tilt);
        EXPECT_LT((change - (there - point.outward) / step).norm(), 0.05);
    }
}

TEST(SteadyState, OnABallItsLinesArePlaces) {
    CappedMesh ball = capped_sphere(0);
    const std::vector<double> distance =
        solved_distance(prepare_steady_state, ball.region, ball.zone, ball.mesh.positions,
                        ball.mesh.faces, ball.border, ball.workspace);
    const double rim = std::acos(0.7);
    for (int v = 0; v < ball.mesh.vertex_count(); ++v) {
        const double angle = std::acos(std::clamp(-ball.mesh.positions[v].y(), -1.0, 1.0));
        if (angle > rim && angle < 2.5) {
            EXPECT_NEAR(distance[v], angle - rim, 0.05);
        }
    }
}

TEST(SteadyState, OnAnOpenSheetItEndsAtTheBorder) {
    CappedMesh flat(
        make_grid({4, 4}, {40, 40}),
        [](const Vec3& p) { return (p - Vec3(0.013, 0, 0.02)).norm() - 0.7; }, 0);
    const std::vector<double> steady =
        solved_distance(prepare_steady_state, flat.region, flat.zone, flat.mesh.positions,
                        flat.mesh.faces, flat.border, flat.workspace);
    const std::vector<double> heat =
        solved_distance(prepare_radial_field, flat.region, flat.zone, flat.mesh.positions,
                        flat.mesh.faces, flat.border, flat.workspace);
    double error = 0, heat_error = 0;
    for (int v = 0; v < flat.mesh.vertex_count(); ++v) {
        const double exact = (flat.mesh.positions[v] - Vec3(0.013, 0, 0.02)).norm() - 0.7;
        if (exact < 0 || exact > 0.8) continue;
        error = std::max(error, std::abs(steady[v] - exact));
        heat_error = std::max(heat_error, std::abs(heat[v] - exact));
    }
    EXPECT_LT(error, 0.1);
    EXPECT_LT(heat_error, error);
}

} // namespace
} // namespace knead
