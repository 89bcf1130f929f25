#include "knead/base/random.hpp"
#include "knead/rig/keyed.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace knead {
namespace {

TEST(Keyed, AConstantHoldsEverywhere) {
    const Keyed<double> value = 3.5;
    EXPECT_TRUE(value.is_constant());
    for (const double frame : {-1e300, 0.0, 7.25}) EXPECT_EQ(value.at(frame), 3.5);
    EXPECT_EQ(Keyed<Vec3>(Vec3(1, 2, 3)).at(4), Vec3(1, 2, 3));
}

TEST(Keyed, HoldsOutsideTheKeysAndHitsThem) {
    using enum Interpolation;
    for (const Interpolation interpolation : {smooth, linear, step}) {
        const Keyed<double> value({1, 4, 6}, {2, -1, 5}, interpolation);
        EXPECT_EQ(value.at(-5), 2);
        EXPECT_EQ(value.at(1), 2);
        EXPECT_EQ(value.at(4), -1);
        EXPECT_EQ(value.at(6), 5);
        EXPECT_EQ(value.at(100), 5);
        EXPECT_EQ(value.at(std::numeric_limits<double>::quiet_NaN()), 2);
    }
}

TEST(Keyed, TwoSmoothKeysMakeASmoothStep) {
    const Keyed<Vec3> value({10, 20}, {Vec3(0, 1, 5), Vec3(4, -1, 5)});
    for (int i = 0; i <= 20; ++i) {
        const double t = i / 20.0, s = t * t * (3 - 2 * t);
        EXPECT_LT((value.at(10 + 10 * t) - Vec3(4 * s, 1 - 2 * s, 5)).norm(), 1e-14);
    }
}

TEST(Keyed, LinearAndStep) {
    const Keyed<double> linear({0, 2}, {1, 5}, Interpolation::linear);
    EXPECT_DOUBLE_EQ(linear.at(0.5), 2);
    EXPECT_DOUBLE_EQ(linear.at(1.5), 4);
    const Keyed<double> step({0, 2, 3}, {1, 5, 7}, Interpolation::step);
    EXPECT_EQ(step.at(1.999), 1);
    EXPECT_EQ(step.at(2), 5);
    EXPECT_EQ(step.at(2.5), 5);
}

// On a straight line the inner slopes are those of the line: between inner keys it is followed.
TEST(Keyed, SmoothFollowsAStraightLineInside) {
    const Keyed<double> value({0, 1, 3, 7, 8}, {0, 2, 6, 14, 16});
    for (double frame = 1; frame <= 7; frame += 0.125)
        EXPECT_NEAR(value.at(frame), 2 * frame, 1e-13);
}

TEST(Keyed, SmoothIsMonotoneAndDifferentiable) {
    Random random(7);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> frames, values;
        double frame = 0;
        for (int k = 0; k < 6; ++k) {
            frames.push_back(frame += random.uniform(0.1, 5));
            values.push_back(random.uniform(-3, 3));
        }
        const Keyed<double> value(frames, values);
        const auto slope = [&](double at, double h) {
            return (value.at(at + h) - value.at(at)) / h;
        };
        EXPECT_NEAR(slope(frames.front(), 1e-6), 0, 2e-3);
        EXPECT_NEAR(slope(frames.back(), -1e-6), 0, 2e-3);
        for (int k = 0; k + 1 < 6; ++k) {
            if (k > 0) {
                EXPECT_NEAR(slope(frames[k], 1e-6), slope(frames[k], -1e-6), 2e-2);
            }
            const double sign = values[k + 1] > values[k] ? 1 : -1;
            double last = values[k];
            for (int i = 1; i <= 50; ++i) {
                const double now = value.at(frames[k] + (frames[k + 1] - frames[k]) * i / 50.0);
                EXPECT_GE(sign * (now - last), -1e-12);
                last = now;
            }
        }
    }
}

} // namespace
} // namespace knead
