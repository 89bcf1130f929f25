#include "knead/render/color.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

// CIE lightness, 0 to 100.
double lightness(const Vec3& srgb) {
    const double y = linear_from_srgb(srgb).dot(Vec3(0.2126, 0.7152, 0.0722));
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

// What a person without one kind of cones sees: G. Machado et al., "A physiologically-based model
// for simulation of color vision deficiency", 2009, severity 1.
const Mat3 protanopia = (Mat3() << 0.152286, 1.052583, -0.204868, //
                         0.114503, 0.786281, 0.099216,            //
                         -0.003882, -0.048116, 1.051998)
                            .finished();
const Mat3 deuteranopia = (Mat3() << 0.367322, 0.860646, -0.227968, //
                           0.280085, 0.672501, 0.047413,            //
                           -0.011820, 0.042940, 0.968881)
                              .finished();
const Mat3 tritanopia = (Mat3() << 1.255528, -0.076749, -0.178779, //
                         -0.078411, 0.930809, 0.147602,            //
                         0.004733, 0.691367, 0.303900)
                            .finished();

TEST(Color, TransferCurvesAreInverse) {
    for (double s = 0; s <= 1; s += 1.0 / 64) {
        const Vec3 color(s, 1 - s, s * s);
        EXPECT_LT((srgb_from_linear(linear_from_srgb(color)) - color).norm(), 1e-12);
    }
    EXPECT_NEAR(linear_from_srgb(Vec3::Constant(0.5)).x(), 0.21404, 1e-5);
}

TEST(Color, PaletteIsToldApartByEveryone) {
    for (const Mat3& eyes : {Mat3(Mat3::Identity()), protanopia, deuteranopia, tritanopia})
        for (int i = 0; i < 8; ++i)
            for (int j = 0; j < i; ++j) {
                const Vec3 a =
                    srgb_from_linear((eyes * linear_from_srgb(palette_color(i))).cwiseMax(0));
                const Vec3 b =
                    srgb_from_linear((eyes * linear_from_srgb(palette_color(j))).cwiseMax(0));
                EXPECT_GT((a - b).norm(), 0.11) << i << " and " << j;
            }
    EXPECT_EQ(palette_color(8), palette_color(0));
    EXPECT_TRUE(palette_color(-1).allFinite());
}

TEST(Color, SequentialMapDarkensEvenly) {
    constexpr int steps = 50;
    double before = lightness(sequential_color(0));
    const double mean = (before - lightness(sequential_color(1))) / steps;
    EXPECT_GT(mean, 1.2);
    for (int i = 1; i <= steps; ++i) {
        const double now = lightness(sequential_color(static_cast<double>(i) / steps));
        EXPECT_GT(before - now, 0.5 * mean) << i;
        EXPECT_LT(before - now, 2 * mean) << i;
        before = now;
    }
}

TEST(Color, DivergingMapIsLightInTheMiddleAndFallsAlikeOnBothSides) {
    for (int i = 0; i < 20; ++i) {
        const double t = i / 40.0, next = (i + 1) / 40.0;
        EXPECT_LT(lightness(diverging_color(t)), lightness(diverging_color(next)));
        EXPECT_LT(lightness(diverging_color(1 - t)), lightness(diverging_color(1 - next)));
        EXPECT_NEAR(lightness(diverging_color(t)), lightness(diverging_color(1 - t)), 8);
    }
    EXPECT_GT(diverging_color(0).z(), diverging_color(0).x());
    EXPECT_GT(diverging_color(1).x(), diverging_color(1).z());
}

TEST(Color, FieldScaleDivergesAroundZero) {
    const FieldScale signed_scale{"", -1, 3};
    EXPECT_TRUE(signed_scale.diverging());
    EXPECT_DOUBLE_EQ(field_parameter(signed_scale, 0), 0.5);
    EXPECT_DOUBLE_EQ(field_parameter(signed_scale, 3), 1);
    EXPECT_DOUBLE_EQ(field_parameter(signed_scale, 9), 1);
    EXPECT_DOUBLE_EQ(field_parameter(signed_scale, -1), 0.5 - 1.0 / 6);
    EXPECT_EQ(field_color(signed_scale, 0), diverging_color(0.5));

    const FieldScale positive{"", 2, 4};
    EXPECT_FALSE(positive.diverging());
    EXPECT_DOUBLE_EQ(field_parameter(positive, 3), 0.5);
    EXPECT_EQ(field_color(positive, 1), sequential_color(0));
    EXPECT_EQ(field_color(positive, std::nan("")), Vec3::Constant(0.6));

    const FieldScale constant{"", 2, 2}, enormous{"", -1e308, 1.5e308};
    EXPECT_EQ(field_parameter(constant, 2), 0);
    EXPECT_DOUBLE_EQ(field_parameter(enormous, 0), 0.5);
}

} // namespace
} // namespace knead
