#include "knead/rig/clip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "input_error.hpp"

namespace knead {
namespace {

using Target = ClipChannel::Target;

Skeleton one_joint() {
    Skeleton skeleton;
    skeleton.joints.push_back({"root", -1, {}});
    skeleton.joints[0].rest.translation = {7, 8, 9};
    skeleton.inverse_bind.push_back(Affine3::Identity());
    return skeleton;
}

Clip clip_of(ClipChannel channel) {
    return {"wave", {std::move(channel)}};
}

JointPose pose(const ClipChannel& channel, double time) {
    return pose_at(clip_of(channel), one_joint(), time)[0];
}

TEST(Clip, LinearTranslationHoldsAtBothEnds) {
    const ClipChannel channel{Target::translation, 0, ClipInterpolation::linear, 3, {1, 3},
                              {0, 0, 0, 4, 2, 0}};
    EXPECT_EQ(pose(channel, 0).translation, Vec3(0, 0, 0));
    EXPECT_EQ(pose(channel, 2.5).translation, Vec3(3, 1.5, 0));
    EXPECT_EQ(pose(channel, 9).translation, Vec3(4, 2, 0));
    EXPECT_EQ(clip_of(channel).duration(), 3);
}

TEST(Clip, UntouchedValuesAreThoseOfTheRestPose) {
    const ClipChannel channel{Target::scale,     0, ClipInterpolation::step, 3, {0, 1},
                              {1, 1, 1, 2, 2, 2}};
    EXPECT_EQ(pose(channel, 0.99).scale, Vec3(1, 1, 1));
    EXPECT_EQ(pose(channel, 1).scale, Vec3(2, 2, 2));
    EXPECT_EQ(pose(channel, 1).translation, Vec3(7, 8, 9));
}

TEST(Clip, RotationsTakeTheShorterArc) {
    const double c = std::cos(0.5), s = std::sin(0.5);
    // The second quaternion is written with the opposite sign.
    const ClipChannel channel{Target::rotation,          0, ClipInterpolation::linear, 4, {0, 1},
                              {0, 0, 0, 1, 0, -s, 0, -c}};
    const Quat half = pose(channel, 0.5).rotation;
    EXPECT_NEAR(half.angularDistance(Quat(Eigen::AngleAxisd(0.5, Vec3::UnitY()))), 0, 1e-7);
}

TEST(Clip, CubicIsHermite) {
    // x(t) = t^3 - 2 t on [1, 3] has slopes 3 t^2 - 2: 1 and 25. A cubic is met exactly.
    const ClipChannel channel{Target::translation,
                              0,
                              ClipInterpolation::cubic,
                              3,
                              {1, 3},
                              {0, 0, 0, -1, 0, 0, 1, 0, 0, 25, 0, 0, 21, 0, 0, 0, 0, 0}};
    for (double t = 1; t <= 3; t += 0.25)
        EXPECT_NEAR(pose(channel, t).translation.x(), t * t * t - 2 * t, 1e-13);
    EXPECT_EQ(pose(channel, 0).translation.x(), -1);
    EXPECT_EQ(pose(channel, 4).translation.x(), 21);
}

TEST(Clip, MorphWeights) {
    const ClipChannel channel{Target::morph_weights, -1, ClipInterpolation::linear, 2, {0, 2},
                              {0, 1, 1, 0}};
    const std::vector<double> rest = {0.3, 0.4};
    EXPECT_EQ(morph_weights_at(clip_of(channel), rest, 0.5), (std::vector<double>{0.25, 0.75}));
    EXPECT_EQ(morph_weights_at(Clip{}, rest, 0.5), rest);
}

TEST(Clip, BrokenOnesAreNamed) {
    const ClipChannel good{Target::translation, 0, ClipInterpolation::linear, 3, {1, 3},
                           {0, 0, 0, 4, 2, 0}};
    const auto message = [&](const auto& change) {
        ClipChannel channel = good;
        change(channel);
        return input_error([&] { check_clip(clip_of(channel), 1, 2, "a.glb"); });
    };
    EXPECT_EQ(message([](ClipChannel&) {}), "no error");
    EXPECT_EQ(message([](ClipChannel& c) { c.joint = 5; }),
              "a.glb: animation 'wave', channel 0: moves joint 5, expected 0 to 0");
    EXPECT_EQ(message([](ClipChannel& c) { c.times.clear(); }),
              "a.glb: animation 'wave', channel 0: has no keys");
    EXPECT_EQ(
        message([](ClipChannel& c) {
            c.times = {3, 3};
        }),
        "a.glb: animation 'wave', channel 0: key 1 is at 3 seconds, expected times that ascend");
    EXPECT_EQ(message([](ClipChannel& c) { c.values.pop_back(); }),
              "a.glb: animation 'wave', channel 0: found 5 numbers for 2 keys, expected 6");
    EXPECT_EQ(message([](ClipChannel& c) { c.target = Target::rotation; }),
              "a.glb: animation 'wave', channel 0: found 3 numbers a value, expected 4");
    EXPECT_EQ(message([](ClipChannel& c) { c.values[2] = std::nan(""); }),
              "a.glb: animation 'wave', channel 0: number 2 is nan, expected a finite number");
}

} // namespace
} // namespace knead
