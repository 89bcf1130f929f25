#include "knead/base/error.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "input_error.hpp"
#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

Pair ball_on_rigid_floor(double depth, double radius, int subdivisions = 4) {
    Pair pair = ball_on_floor(depth, subdivisions, 40);
    pair.objects[1].rigid = true;
    pair.contact.zone.ball_radius = radius;
    return pair;
}

// A ball of radius r that stands on the floor within the unit ball, pressed d deep, meets its side
// at the distance sqrt(2 (1 - r) d - d^2) from the middle.
TEST(RollingBall, TheZoneIsTheDiscTheBallCanReach) {
    for (const double radius : {0.2, 0.4, 0.6}) {
        SCOPED_TRACE(radius);
        const double depth = 0.3;
        Pair pair = ball_on_rigid_floor(depth, radius);
        const DeformResult result = pair.result();
        const double expected = std::numbers::pi * (2 * (1 - radius) * depth - depth * depth);
        EXPECT_NEAR(result.contacts[0].zone_area[0], expected, 0.08 * expected);
        EXPECT_EQ(result.contacts[0].zone_area[0], result.contacts[0].zone_area[1]);
        EXPECT_LE(depth_of(pair, result), 0.05 * depth);
        EXPECT_EQ(result.objects[1].positions, pair.meshes[1].positions);
    }
}

TEST(RollingBall, ALargerBallIsAStifferObject) {
    double last = 1e9;
    for (const double radius : {0.1, 0.2, 0.3, 0.5, 0.7}) {
        Pair pair = ball_on_rigid_floor(0.3, radius, 3);
        const double area = pair.result().contacts[0].zone_area[0];
        EXPECT_LT(area, last);
        last = area;
    }
}

TEST(RollingBall, ABallThatDoesNotFitLeavesNoZone) {
    Pair pair = ball_on_rigid_floor(0.3, 1.5, 3);
    const DeformResult result = pair.result();
    EXPECT_EQ(result.contacts[0].note, "zone empty: a ball with the radius 1.5 does not fit");
    EXPECT_EQ(result.contacts[0].zone_area[0], 0);
}

// Two balls of one mesh: the deep one does not switch the shallow one off.
TEST(RollingBall, ADeepContactLeavesAShallowOne) {
    Pair pair = ball_on_rigid_floor(0.4, 0.2, 3);
    TriangleMesh second = make_sphere(1, 3);
    for (Vec3& p : second.positions) p += Vec3(0, 0.95, 0);
    for (Vec3& p : pair.meshes[0].positions) p.x() -= 1.2;
    for (Vec3& p : second.positions) p.x() += 1.2;
    const int first_count = pair.meshes[0].vertex_count();
    append(pair.meshes[0], second);
    const DeformResult result = pair.result();
    int shallow = 0;
    for (int v = first_count; v < pair.meshes[0].vertex_count(); ++v)
        shallow += result.objects[0].zone[v] == 1;
    EXPECT_GT(shallow, 0);
}

TEST(RollingBall, NothingJumpsWhileTheBallGoesIn) {
    const Pair pair = ball_on_rigid_floor(-0.01, 0.3, 2);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(RollingBall, WhatMakesNoSenseIsNamed) {
    const auto message = [](Pair pair) { return input_error([&] { pair.result(); }); };
    Pair pair = ball_on_rigid_floor(0.3, 0.2, 2);
    pair.objects[1].rigid = false;
    EXPECT_EQ(message(pair),
              "deform: contact 0 has a ball radius, expected one object that is rigid "
              "and one that is not");
    pair.objects[1].rigid = true;
    pair.contact.zone.ball_radius = -1;
    EXPECT_EQ(message(pair), "deform: contact 0, ball_radius is -1, expected a positive number");
}

} // namespace
} // namespace knead
