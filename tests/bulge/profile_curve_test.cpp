#include "knead/bulge/profile_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

TEST(ProfileCurve, StartsAtMinusTheAmplitudeWithTheSlopeAndEndsFlat) {
    for (const double amplitude : {0.05, 0.3, 2.0, -0.1})
        for (const double slope : {0.0, 0.2, 1.5, -0.4}) {
            const ProfileCurve profile = make_profile(amplitude, slope);
            const double h = 1e-7;
            EXPECT_NEAR(evaluate(profile, 0).base, -amplitude, 1e-14);
            EXPECT_NEAR((evaluate(profile, h).base - evaluate(profile, 0).base) / h, slope,
                        1e-4 * (1 + std::abs(slope)));
            EXPECT_NEAR(evaluate(profile, 1).base, 0, 1e-14);
            EXPECT_NEAR(evaluate(profile, 1 - 1e-4).base, 0, 1e-9);
            EXPECT_NEAR(evaluate(profile, 0).bulge, 0, 1e-14);
            EXPECT_NEAR(evaluate(profile, 1).bulge, 0, 1e-14);
            EXPECT_GT(evaluate(profile, 0.4).bulge, 0.3);
        }
}

// Any second control point on the tangent gives the slope; its place is what keeps steep curves
// near it.
TEST(ProfileCurve, TheTangentHasItsLengthFromAnEllipse) {
    EXPECT_DOUBLE_EQ(tangent_abscissa(0.5, 0), 0.2);
    EXPECT_DOUBLE_EQ(tangent_abscissa(0.5, 1.0), 0.4 * 0.5 / std::sqrt(2.0));
    EXPECT_DOUBLE_EQ(tangent_abscissa(-0.5, 1.0), tangent_abscissa(0.5, 1.0));
    EXPECT_EQ(tangent_abscissa(0, 0), 0);
    const ProfileCurve profile = make_profile(0.3, 2.0);
    EXPECT_DOUBLE_EQ(profile.ordinate[1], 2.0 * profile.abscissa[1] - 0.3);
}

TEST(ProfileCurve, IsAFunctionOfU) {
    const ProfileCurve profile = make_profile(0.3, 1.0);
    double previous = -1;
    for (int i = 0; i <= 1000; ++i) {
        const ProfileValue value = evaluate(profile, i / 1000.0);
        EXPECT_TRUE(std::isfinite(value.base));
        EXPECT_GE(value.base, previous - 1e-3);
        previous = std::max(previous, value.base);
    }
}

TEST(ProfileCurve, WrinklesBeginAndEndLevel) {
    for (const double waves : {0.5, 1.0, 4.0, 7.3}) {
        const WrinkleShape shape{0.2, waves};
        const double h = 1e-6;
        EXPECT_NEAR(wrinkle(shape, 0), 0, 1e-15);
        EXPECT_NEAR(wrinkle(shape, 1), 0, 1e-15);
        EXPECT_NEAR(wrinkle(shape, h) / h, 0, 1e-4);
        EXPECT_NEAR(wrinkle(shape, 1 - h) / h, 0, 1e-4);
        EXPECT_LT(wrinkle(shape, 0.01), 0);
    }
}

TEST(ProfileCurve, WrinklesHaveTheirAmplitudeAndCount) {
    const WrinkleShape shape{0.2, 4};
    double lowest = 0, highest = 0;
    int turns = 0;
    for (int i = 1; i < 1000; ++i) {
        const double before = wrinkle(shape, (i - 0.5) / 1000),
                     after = wrinkle(shape, (i + 0.5) / 1000);
        turns += before * after < 0;
        lowest = std::min(lowest, after);
        highest = std::max(highest, after);
    }
    // Four waves cross zero seven times between their ends.
    EXPECT_EQ(turns, 7);
    EXPECT_NEAR(lowest, -0.2, 0.01);
    EXPECT_NEAR(highest, 0.2, 0.01);
}

TEST(ProfileCurve, WrinklesAreAddedToTheBaseAndNotToTheBulge) {
    const WrinkleShape wrinkles{0.1, 3};
    const ProfileCurve plain = make_profile(0.3, 1),
                       wrinkled = make_profile(0.3, 1, {.wrinkles = wrinkles});
    const ProfileCurve without = make_profile(0.3, 1, {.wrinkles = {0, 3}});
    for (int i = 0; i <= 100; ++i) {
        const double u = i / 100.0;
        EXPECT_DOUBLE_EQ(evaluate(wrinkled, u).base,
                         evaluate(plain, u).base + wrinkle(wrinkles, u));
        EXPECT_EQ(evaluate(wrinkled, u).bulge, evaluate(plain, u).bulge);
        EXPECT_EQ(evaluate(without, u).base, evaluate(plain, u).base);
    }
}

} // namespace
} // namespace knead
