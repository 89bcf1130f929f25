#include "knead/contact/find_zone.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knead {
namespace {

using std::numbers::pi;

// A ball of radius 1 pressed by `depth` into a floor at y = 0.
struct BallOnFloor {
    TriangleMesh ball = make_sphere(1, 4), floor = make_grid({4, 4}, {60, 60});
    std::vector<Vec3> ball_normals, floor_normals;
    Surface ball_surface, floor_surface;
    Intersection intersection;

    explicit BallOnFloor(double depth) {
        for (Vec3& p : ball.positions) p += Vec3(0.013, 1 - depth, 0.007);
        ball_normals = vertex_normals(ball.positions, ball.faces);
        floor_normals = vertex_normals(floor.positions, floor.faces);
        ball_surface = make_surface(ball);
        floor_surface = make_surface(floor);
        IntersectionWorkspace workspace;
        intersect(ball_surface, floor_surface, intersection, workspace);
    }
    std::array<PairSide, 2> sides(double ball_stiffness) const {
        return {PairSide{&ball_surface, ball_normals, Vec3::UnitY(), 1, ball_stiffness},
                PairSide{&floor_surface, floor_normals, -Vec3::UnitY(), 1, 1 - ball_stiffness}};
    }
};

TEST(Contact, IntersectionPartsAreTheCapAndItsDisc) {
    const BallOnFloor scene(0.3);
    const NormalStatistics cap =
        normal_statistics(scene.intersection.parts[0], scene.ball_surface, scene.ball_normals);
    const NormalStatistics disc =
        normal_statistics(scene.intersection.parts[1], scene.floor_surface, scene.floor_normals);
    EXPECT_NEAR(cap.area / (2 * pi * 0.3), 1, 0.01);
    EXPECT_NEAR(disc.area / (pi * (1 - 0.7 * 0.7)), 1, 0.01);
    EXPECT_NEAR(disc.variation, 0, 1e-15);
    // Over the cap the height of the normal is uniform between -1 and -0.7: mean 0.85.
    EXPECT_NEAR(cap.variation, 1 - 0.85 * 0.85, 0.005);
    const auto direction = mapping_direction(cap, disc);
    ASSERT_TRUE(direction.has_value());
    EXPECT_LT((*direction - Vec3::UnitY()).norm(), 1e-9);
}

// Its normals cancel the more, the further it is through; the small disc in which the floor cuts it
// still says which way is out.
TEST(Contact, WhatIsNearlyThroughAFloorGoesOutAlongTheFloorsNormal) {
    for (const double depth : {1.5, 1.9, 1.98}) {
        const BallOnFloor scene(depth);
        const NormalStatistics ball =
            normal_statistics(scene.intersection.parts[0], scene.ball_surface, scene.ball_normals);
        const NormalStatistics disc = normal_statistics(scene.intersection.parts[1],
                                                        scene.floor_surface, scene.floor_normals);
        EXPECT_LT(ball.agreement, 0.3);
        const auto direction = mapping_direction(ball, disc);
        ASSERT_TRUE(direction.has_value());
        EXPECT_LT((*direction - Vec3::UnitY()).norm(), 1e-9) << depth;
        EXPECT_GT(agreement_of(ball, disc), 0.999) << depth;
        EXPECT_GT(agreement_of(disc, ball), 0.999) << depth;
    }
}

// A floor that has just been cut says nothing at first, and all of it a little later.
TEST(Contact, APartThatAppearsCountsFromNothingOn) {
    const BallOnFloor scene(0.3);
    const NormalStatistics cap =
        normal_statistics(scene.intersection.parts[0], scene.ball_surface, scene.ball_normals);
    NormalStatistics disc{Vec3(0, 0.8, 0.6), 1, 0, 1e-6 * cap.area};
    EXPECT_LT((*mapping_direction(cap, disc) + cap.mean).norm(), 1e-6);
    disc.area = 0.11 * cap.area;
    EXPECT_LT((*mapping_direction(cap, disc) - disc.mean).norm(), 1e-5);
}

TEST(Contact, TheSurfaceNormalIsTheRigidMeshsOwn) {
    const Vec3 inward = Vec3(0.1, 1, -0.2).normalized();
    const Vec3 normal = Vec3(0.5, -1, 0.1).normalized(), other = Vec3(-0.2, 0.9, 0.3).normalized();
    EXPECT_LT((contact_surface_normal(inward, 1, normal, other) - normal).norm(), 1e-14);
    EXPECT_LT((contact_surface_normal(inward, 0, normal, other) + other).norm(), 1e-14);
    // Seen from the other mesh it is the same surface.
    const Vec3 mine = contact_surface_normal(inward, 0.3, normal, other);
    const Vec3 theirs = contact_surface_normal(-inward, 0.7, other, normal);
    EXPECT_LT((mine + theirs).norm(), 1e-14);
}

// Between two paraboloids the surface is one again; unequal ones tell swapped weights apart.
TEST(Contact, TheSurfaceNormalOfUnequalParaboloids) {
    const double a = 0.8, b = 0.3, k = 0.35;
    for (const double x : {0.1, 0.4}) {
        // Mesh 1 lies above y = a x^2 and is resolved upwards, mesh 2 below y = 1 - b x^2.
        const Vec3 n1 = Vec3(2 * a * x, -1, 0).normalized(),
                   n2 = Vec3(2 * b * x, 1, 0).normalized();
        const double slope = k * 2 * a * x - (1 - k) * 2 * b * x;
        const Vec3 expected = Vec3(slope, -1, 0).normalized();
        EXPECT_LT((contact_surface_normal(Vec3::UnitY(), k, n1, n2) - expected).norm(), 1e-14);
    }
}

// A slope with painted stiffness 0.3 below a floor with another: the contact surface is where their
// relative stiffness puts it, and its normal is that of this surface, not of a blend of theirs.
TEST(Contact, PaintedStiffnessTiltsTheContactSurface) {
    TriangleMesh below = make_grid({2, 2}, {8, 8}), floor = make_grid({2, 2}, {11, 11});
    for (Triangle& face : below.faces) std::swap(face[1], face[2]);
    for (Vec3& p : below.positions) p.y() = 0.2 * p.x() - 0.3;
    const auto mine = [](const Vec3& p) { return 1.5 + 0.8 * p.x(); };
    const auto others = [](const Vec3& p) { return 1 - 0.4 * p.x() + 0.3 * p.z(); };
    std::vector<double> stiffness[2];
    for (const Vec3& p : below.positions) stiffness[0].push_back(mine(p));
    for (const Vec3& p : floor.positions) stiffness[1].push_back(others(p));
    const TriangleMesh* meshes[2] = {&below, &floor};
    std::vector<Vec3> normals[2], gradients[2];
    Surface surfaces[2];
    std::array<PairSide, 2> sides;
    for (int s = 0; s < 2; ++s) {
        surfaces[s] = make_surface(*meshes[s]);
        normals[s] = vertex_normals(meshes[s]->positions, meshes[s]->faces);
        gradients[s] = vertex_gradients(stiffness[s], meshes[s]->positions, meshes[s]->faces);
        sides[s] = {&surfaces[s], normals[s], s == 0 ? Vec3::UnitY() : Vec3(-Vec3::UnitY()), 1,
                    stiffness[s]};
        sides[s].stiffness_gradients = gradients[s];
    }
    const auto height = [&](double x, double z) {
        const Vec3 p(x, 0, z);
        return mine(p) / (mine(p) + others(p)) * (0.2 * x - 0.3);
    };
    for (int s = 0; s < 2; ++s)
        for (std::size_t v = 0; v < normals[s].size(); ++v) {
            const SidePoint from = point_at(sides[s], static_cast<int>(v));
            if (from.position.cwiseAbs().maxCoeff() > 0.7) continue;
            const auto mapped = map_point(sides[1 - s], from);
            ASSERT_TRUE(mapped.has_value());
            const double x = from.position.x(), z = from.position.z(), h = 1e-5;
            const Vec3 to =
                from.position + (1 - mapped->relative_stiffness) * mapped->gap * sides[s].inward;
            EXPECT_NEAR(to.y(), height(x, z), 1e-12);
            const Vec3 up(-(height(x + h, z) - height(x - h, z)) / (2 * h), 1,
                          -(height(x, z + h) - height(x, z - h)) / (2 * h));
            const Vec3 found =
                contact_surface_normal(sides[s].inward, mapped->relative_stiffness, from.normal,
                                       mapped->other_normal, mapped->stiffness_tilt);
            EXPECT_LT((found - (s == 0 ? -1 : 1) * up.normalized()).norm(), 1e-7);
        }
}

TEST(Contact, ThresholdAndZoneOfABallOnARigidFloor) {
    const BallOnFloor scene(0.3);
    const auto sides = scene.sides(0);
    std::array<Mapping, 2> mappings;
    for (int s = 0; s < 2; ++s)
        mappings[s] = map_side(sides[s], sides[1 - s], scene.intersection.parts[s]);
    DepthField depths;
    find_depths(sides, mappings, depths);
    EXPECT_TRUE(depths.compact);
    // Depth over the disc of radius R: sqrt(1 - r^2) - 0.7.
    const double R2 = 1 - 0.49;
    const double mean = 2 / R2 * (1 - 0.343) / 3 - 0.7;
    EXPECT_NEAR(depths.overall.mean, mean, 0.003);
    EXPECT_EQ(zone_threshold({0.1, 0.2}, -3), 0);
    EXPECT_DOUBLE_EQ(zone_threshold({0.1, 0.2}, 0.5), 0.2);

    std::array<ContactZone, 2> zones;
    ZoneWorkspace workspace;
    find_zones(sides, mappings, depths, {}, workspace, zones);
    const ContactZone& zone = zones[0];
    ASSERT_FALSE(zone.empty());
    const double radius = std::sqrt(1 - (0.7 + mean) * (0.7 + mean));
    for (std::size_t v = 0; v < zone.inside.size(); ++v)
        if (zone.inside[v]) {
            EXPECT_NEAR(zone.target[v].y(), 0, 1e-12);
        }
    for (const ZoneBorderPoint& point : zone.border) {
        const Vec3 from_axis(point.position.x() - 0.013, 0, point.position.z() - 0.007);
        EXPECT_NEAR(from_axis.norm(), radius, 0.02);
        EXPECT_NEAR(point.target.y(), 0, 1e-12);
        EXPECT_LT((point.target_normal + Vec3::UnitY()).norm(), 1e-9);
    }
}

// A deep and a shallow bump of one mesh: with one threshold for both the shallow one has no zone.
TEST(Contact, AShallowContactKeepsItsZoneBesideADeepOne) {
    TriangleMesh bumps = make_sphere(1, 4), floor = make_grid({8, 4}, {80, 40});
    for (Vec3& p : bumps.positions) p += Vec3(-1.5, 0.7, 0.007);
    TriangleMesh shallow = make_sphere(1, 4);
    for (Vec3& p : shallow.positions) p += Vec3(1.5, 0.95, 0.007);
    append(bumps, shallow);
    const std::vector<Vec3> normals[2] = {vertex_normals(bumps.positions, bumps.faces),
                                          vertex_normals(floor.positions, floor.faces)};
    const Surface surfaces[2] = {make_surface(bumps), make_surface(floor)};
    Intersection intersection;
    IntersectionWorkspace workspace;
    intersect(surfaces[0], surfaces[1], intersection, workspace);
    const std::array<PairSide, 2> sides = {
        PairSide{&surfaces[0], normals[0], Vec3::UnitY(), 1, 0.5},
        PairSide{&surfaces[1], normals[1], -Vec3::UnitY(), 1, 0.5}};
    std::array<Mapping, 2> mappings;
    for (int s = 0; s < 2; ++s)
        mappings[s] = map_side(sides[s], sides[1 - s], intersection.parts[s]);
    DepthField depths;
    find_depths(sides, mappings, depths);
    EXPECT_FALSE(depths.compact);
    ZoneWorkspace for_zones;
    std::array<ContactZone, 2> zones;
    const auto in_shallow_zone = [&](ZoneThreshold threshold) {
        find_zones(sides, mappings, depths, {threshold, 0, {}}, for_zones, zones);
        int count = 0;
        for (std::size_t v = 0; v < bumps.positions.size(); ++v)
            count += zones[0].inside[v] && bumps.positions[v].x() > 0;
        return count;
    };
    EXPECT_EQ(in_shallow_zone(ZoneThreshold::global), 0);
    EXPECT_GT(in_shallow_zone(ZoneThreshold::local), 20);
}

// Depths that are all the same leave the zone to rounding, unless the threshold is a little less.
TEST(Contact, AFlatContactIsAllZone) {
    EXPECT_LT(zone_threshold({0.2, 1e-12}, 0), 0.2 * 0.95);
    EXPECT_DOUBLE_EQ(zone_threshold({0.2, 0.1}, 0), 0.2);
}

} // namespace
} // namespace knead
