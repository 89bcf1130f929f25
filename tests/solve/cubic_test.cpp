#include "knead/base/random.hpp"
#include "knead/solve/cubic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace knead {
namespace {

std::vector<double> roots(double a, double b, double c, double d) {
    const CubicRoots found = cubic_roots(a, b, c, d);
    return {found.span().begin(), found.span().end()};
}

void expect_roots(const std::vector<double>& found, const std::vector<double>& expected,
                  double tolerance) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i])));
}

TEST(Cubic, SimpleRoots) {
    expect_roots(roots(1, -6, 11, -6), {1, 2, 3}, 1e-14);
    expect_roots(roots(-2, 12, -22, 12), {1, 2, 3}, 1e-14);
    expect_roots(roots(1, 0, 1, -10), {2}, 1e-15);
}

TEST(Cubic, RepeatedRoots) {
    expect_roots(roots(1, 0, 0, 0), {0}, 0);
    expect_roots(roots(1, -3, 3, -1), {1}, 1e-5);
    expect_roots(roots(1, -7, 11, -5), {1, 5}, 1e-7);
    expect_roots(roots(0, 1, -2, 1), {1}, 1e-8);
}

TEST(Cubic, LowerDegrees) {
    expect_roots(roots(0, 1, -3, 2), {1, 2}, 1e-15);
    expect_roots(roots(0, 1, 0, 1), {}, 0);
    expect_roots(roots(0, 0, 2, -1), {0.5}, 0);
    expect_roots(roots(0, 0, 0, 3), {}, 0);
    expect_roots(roots(0, 0, 0, 0), {}, 0);
}

TEST(Cubic, TinyLeadingTermsDoNotDisturbTheOtherRoots) {
    for (const double tiny : {1e-3, 1e-8, 1e-16, 1e-30, 1e-60}) {
        for (const double sign : {1.0, -1.0}) {
            const std::vector<double> found = roots(sign * tiny, 1, -3, 2);
            ASSERT_EQ(found.size(), 3u);
            const std::size_t near = sign > 0 ? 1 : 0;
            EXPECT_NEAR(found[near], 1, 2 * tiny + 1e-14);
            EXPECT_NEAR(found[near + 1], 2, 20 * tiny + 1e-14);
        }
        expect_roots(roots(0, tiny, 1, -1), {-1 / tiny - 1, 1}, std::max(3 * tiny, 1e-14));
    }
    expect_roots(roots(1e-300, 0, 1, -1), {1}, 1e-15);
}

TEST(Cubic, ScaleOfTheCoefficientsDoesNotMatter) {
    for (const double scale : {1e-200, 1e-20, 1e20, 1e200})
        expect_roots(roots(scale, -6 * scale, 11 * scale, -6 * scale), {1, 2, 3}, 1e-14);
}

TEST(Cubic, NothingComesOfWhatIsNotFinite) {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    expect_roots(roots(nan, 1, 1, 1), {}, 0);
    expect_roots(roots(1, 1, inf, 1), {}, 0);
}

TEST(Cubic, RandomRootsComeBack) {
    Random random(7);
    for (int trial = 0; trial < 20000; ++trial) {
        std::vector<double> expected{random.uniform(-3, 3), random.uniform(-3, 3),
                                     random.uniform(-3, 3)};
        std::sort(expected.begin(), expected.end());
        if (expected[1] - expected[0] < 1e-2 || expected[2] - expected[1] < 1e-2) continue;
        const double s = std::exp(random.uniform(-10, 10));
        const auto& [x, y, z] = std::tie(expected[0], expected[1], expected[2]);
        expect_roots(roots(s, -s * (x + y + z), s * (x * y + y * z + z * x), -s * x * y * z),
                     expected, 1e-9);
    }
}

} // namespace
} // namespace knead
