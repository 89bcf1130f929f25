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

} // namespace
} // namespace knead
