#include "knead/render/legend.hpp"
#include "knead/render/lettering.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "picture.hpp"

namespace knead {
namespace {

Image white_image(int width, int height) {
    return {width, height, std::vector<std::uint8_t>(3 * width * height, 255)};
}

// Columns from left to right and rows from top to bottom that hold ink.
struct Extent {
    int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};
Extent inked(const Image& image) {
    Extent extent;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (brightness(image, x, y) < 128) {
                extent.left = std::min(extent.left, x);
                extent.right = std::max(extent.right, x);
                extent.top = std::min(extent.top, y);
                extent.bottom = std::max(extent.bottom, y);
            }
    return extent;
}

TEST(Lettering, CapitalsStandOnTheBaselineAndHaveTheirSize) {
    for (const double size : {10.0, 14.0, 40.0}) {
        Image image = white_image(400, 100);
        draw_text(image, "HEX", 20, 80, size, Vec3::Zero());
        const Extent extent = inked(image);
        const double pen = 0.07 * size + 1;
        EXPECT_NEAR(extent.bottom, 80, pen);
        EXPECT_NEAR(extent.top, 80 - size, pen);
        EXPECT_NEAR(extent.left, 20, pen);
        EXPECT_NEAR(extent.right, 20 + text_width("HEX", size), pen + 1);
    }
}

TEST(Lettering, EveryPrintableCharacterIsDrawnAndDiffers) {
    std::vector<Image> drawn;
    for (char c = '!'; c <= '~'; ++c) {
        Image image = white_image(60, 60);
        draw_text(image, std::string(1, c), 10, 45, 28, Vec3::Zero());
        EXPECT_GE(inked(image).right, 0) << c;
        for (const Image& other : drawn) EXPECT_GT(mean_difference(image, other), 0) << c;
        drawn.push_back(image);
    }
}

TEST(Lettering, UnknownCharactersAreOneBoxEach) {
    EXPECT_EQ(text_width("\xC3\xA9", 10), text_width("\xE2\x82\xAC", 10));
    EXPECT_EQ(text_width("", 10), 0);
    Image image = white_image(60, 60);
    draw_text(image, "\xFF\x80\x01", 10, 45, 28, Vec3::Zero());
    EXPECT_GE(inked(image).right, 0);
}

TEST(Lettering, WhatFallsOutsideIsLeftOut) {
    Image image = white_image(20, 20);
    for (const double x : {-500.0, -10.0, 15.0, 500.0})
        for (const double y : {-500.0, 5.0, 25.0, 500.0})
            draw_text(image, "Wide text", x, y, 30, Vec3::Zero());
    EXPECT_EQ(image.bytes.size(), 1200u);
}

TEST(Legend, TicksAreRoundAndInside) {
    const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
    };
    near(legend_ticks(0, 1), {0, 0.2, 0.4, 0.6, 0.8, 1});
    near(legend_ticks(0, 0.31), {0, 0.1, 0.2, 0.3});
    near(legend_ticks(-0.15, 0.24), {-0.1, 0, 0.1, 0.2});
    near(legend_ticks(7, 7), {7});
    near(legend_ticks(1e9, 1e9 + 1e-3), {1e9, 1e9 + 1e-3});
    EXPECT_EQ(legend_ticks(-1.7e308, 1.7e308).size(), 2u);
    for (const double scale : {1e-300, 1e-7, 3e5, 1e300}) {
        const auto ticks = legend_ticks(-scale, 2 * scale);
        EXPECT_GE(ticks.size(), 3u);
        EXPECT_LE(ticks.size(), 8u);
    }
}

TEST(Legend, ShowsTheColoursOfItsEndsAndTheName) {
    const FieldScale scale{"depth", 0, 1};
    Image image = white_image(960, 540);
    draw_legend(image, scale);
    const auto holds = [&](const Vec3& color) {
        const std::array<std::uint8_t, 3> wanted = {
            static_cast<std::uint8_t>(std::lround(255 * color.x())),
            static_cast<std::uint8_t>(std::lround(255 * color.y())),
            static_cast<std::uint8_t>(std::lround(255 * color.z()))};
        int count = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = 0; x < image.width; ++x)
                if (largest_difference(image.at(x, y), wanted) <= 2) ++count;
        return count;
    };
    for (const double t : {0.003, 0.5, 0.997}) EXPECT_GE(holds(sequential_color(t)), 12);
    // Bar, name and numbers keep to the right.
    EXPECT_GT(inked(image).left, 960 * 3 / 4);

    Image unnamed = white_image(960, 540);
    draw_legend(unnamed, {"", 0, 1});
    EXPECT_LT(inked(image).top, inked(unnamed).top);
}

TEST(Legend, StaysSafeInTinyPicturesAndOddRanges) {
    for (const auto& [low, high] : {std::pair{0.0, 0.0}, {-1e308, 1e308}, {1e-300, 2e-300}})
        for (const int side : {1, 9, 200}) {
            Image image = white_image(side, side);
            draw_legend(image, {"a name longer than the picture is wide", low, high});
            EXPECT_EQ(image.bytes.size(), 3u * side * side);
        }
}

} // namespace
} // namespace knead
