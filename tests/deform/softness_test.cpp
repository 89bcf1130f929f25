#include "knead/deform/object/softness.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

Pair ball_on_rigid_floor() {
    Pair pair = ball_on_floor(0.3, 4);
    pair.objects[1].rigid = true;
    return pair;
}

double reach_of(const Pair& pair, const DeformResult& result) {
    double highest = 0;
    for (std::size_t v = 0; v < result.objects[0].u.size(); ++v)
        if (result.objects[0].u[v] < 1)
            highest = std::max(highest, pair.meshes[0].positions[v].y());
    return highest;
}

TEST(Softness, TheMiddleIsTheDefault) {
    EXPECT_EQ(apparent_stiffness_of(default_softness), 0);
    EXPECT_EQ(extent_scale_of(default_softness), 1);
    Pair pair = two_balls(0.3);
    const DeformResult plain = pair.result();
    for (DeformSettings& object : pair.objects) object.softness = 0.5;
    const DeformResult middle = pair.result();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(middle.objects[i].positions, plain.objects[i].positions);
}

TEST(Softness, SofterIsALargerZoneAndAShorterReach) {
    Pair pair = ball_on_rigid_floor();
    double zone = 0, reach = 10;
    for (const double softness : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        pair.objects[0].softness = softness;
        const DeformResult result = pair.result();
        EXPECT_GT(result.contacts[0].zone_area[0], zone) << softness;
        EXPECT_LT(reach_of(pair, result), reach) << softness;
        EXPECT_LT(depth_of(pair, result), 0.05 * 0.3 + 0.5 * std::pow(0.15, 2)) << softness;
        zone = result.contacts[0].zone_area[0];
        reach = reach_of(pair, result);
    }
}

TEST(Softness, WhatIsGivenWins) {
    Pair pair = ball_on_rigid_floor();
    pair.contact.zone.apparent_stiffness = 0.25;
    pair.objects[0].extent = 1.9;
    const DeformResult plain = pair.result();
    pair.objects[0].softness = 0.9;
    EXPECT_EQ(pair.result().objects[0].positions, plain.objects[0].positions);
}

// The rigid floor has nothing to say, and of two that move alike each has half.
TEST(Softness, WhatMovesDecides) {
    Pair pair = ball_on_rigid_floor();
    pair.objects[0].softness = 0.9;
    const double alone = pair.result().contacts[0].threshold;
    pair.objects[1].softness = 0;
    EXPECT_EQ(pair.result().contacts[0].threshold, alone);
    Pair balls = two_balls(0.3);
    balls.objects[0].softness = 0.9;
    balls.objects[1].softness = 0.1;
    const double both = balls.result().contacts[0].threshold;
    for (DeformSettings& object : balls.objects) object.softness = 0.5;
    EXPECT_NEAR(both, balls.result().contacts[0].threshold, 1e-12);
}

TEST(Softness, PaintedItCountsWhereItIsPainted) {
    Pair pair = ball_on_rigid_floor();
    pair.objects[0].softness = 0.8;
    const DeformResult constant = pair.result();
    std::vector<double> map(pair.meshes[0].positions.size(), 0.8);
    pair.objects[0].softness = map;
    const DeformResult same = pair.result();
    for (std::size_t v = 0; v < map.size(); ++v)
        EXPECT_LT((same.objects[0].positions[v] - constant.objects[0].positions[v]).norm(), 1e-12);
    for (std::size_t v = 0; v < map.size(); ++v)
        map[v] = std::clamp(0.5 + pair.meshes[0].positions[v].x(), 0.0, 1.0);
    const DeformResult result = pair.result();
    double left = 0, right = 0;
    for (std::size_t v = 0; v < map.size(); ++v)
        if (result.objects[0].zone[v] == 1) {
            left = std::min(left, pair.meshes[0].positions[v].x());
            right = std::max(right, pair.meshes[0].positions[v].x());
        }
    EXPECT_GT(right, -left + 0.05);
}

TEST(Softness, OutOfRangeIsNamed) {
    Pair pair = ball_on_floor(0.1, 2, 10);
    pair.objects[1].softness = 1.2;
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 1, softness is 1.2, expected a number from 0 to 1");
    const std::vector<double> few(3, 0.5);
    pair.objects[1].softness = few;
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 1, the softness map has 3 values, expected 121");
}

} // namespace
} // namespace knead
