#include "knead/base/random.hpp"
#include "knead/spatial/expansion.hpp"
#include "knead/spatial/predicates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace knead {
namespace {

__extension__ using Wide = __int128;
using IntVec = std::array<std::int64_t, 3>;

Wide determinant(const IntVec& a, const IntVec& b, const IntVec& c) {
    return Wide(a[0]) * (Wide(b[1]) * c[2] - Wide(b[2]) * c[1]) +
           Wide(a[1]) * (Wide(b[2]) * c[0] - Wide(b[0]) * c[2]) +
           Wide(a[2]) * (Wide(b[0]) * c[1] - Wide(b[1]) * c[0]);
}

IntVec minus(const IntVec& a, const IntVec& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

int sign(Wide value) {
    return value > 0 ? 1 : value < 0 ? -1 : 0;
}

Vec3 scaled(const IntVec& v, double scale) {
    return scale *
           Vec3(static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2]));
}

IntVec random_vector(Random& random, int half) {
    return {random.index(2 * half + 1) - half, random.index(2 * half + 1) - half,
            random.index(2 * half + 1) - half};
}

TEST(Expansion, SumsAndProductsAreExact) {
    // (1 + 2^-60) - 1 leaves exactly 2^-60, which plain doubles lose.
    Expansion<2> one_and_a_bit;
    one_and_a_bit.append(0x1p-60);
    one_and_a_bit.append(1);
    Expansion<2> one;
    one.append(1);
    const auto bit = one_and_a_bit - one;
    ASSERT_EQ(bit.size(), 1);
    EXPECT_EQ(bit[0], 0x1p-60);
    // (1 + e)^2 - 1 - 2e = e^2.
    Expansion<2> twice;
    twice.append(0x1p-59);
    const auto square = one_and_a_bit * one_and_a_bit - one - twice;
    ASSERT_EQ(square.size(), 1);
    EXPECT_EQ(square[0], 0x1p-120);
    EXPECT_EQ((one - one).sign(), 0);
}

TEST(Orient3d, ConventionIsFrontPositive) {
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
    EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, 1}), 1);
    EXPECT_EQ(orient3d(a, b, c, {0.2, 0.2, -1}), -1);
    EXPECT_EQ(orient3d(a, b, c, {7, 7, 0}), 0);
    EXPECT_DOUBLE_EQ(orient3d_value(a, b, c, {0, 0, 2}), 2);
}

TEST(Orient3d, AgreesWithIntegersOnAndBesideThePlane) {
    Random random(7);
    int zeros = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const IntVec a = random_vector(random, 1 << 26), u = random_vector(random, 1 << 20),
                     v = random_vector(random, 1 << 20), off = random_vector(random, 1);
        const std::int64_t s = random.index(65) - 32, t = random.index(65) - 32;
        IntVec b, c, d;
        for (int i = 0; i < 3; ++i) {
            b[i] = a[i] + u[i];
            c[i] = a[i] + v[i];
            d[i] = a[i] + s * u[i] + t * v[i] + off[i];
        }
        const Wide volume = determinant(minus(b, a), minus(c, a), minus(d, a));
        zeros += volume == 0;
        // Powers of two change nothing but the exponent.
        const double scale = std::ldexp(1.0, random.index(101) - 50);
        std::array<Vec3, 4> p{scaled(a, scale), scaled(b, scale), scaled(c, scale),
                              scaled(d, scale)};
        ASSERT_EQ(orient3d(p[0], p[1], p[2], p[3]), sign(volume));
        ASSERT_EQ(orient3d(p[1], p[0], p[2], p[3]), -sign(volume));
        ASSERT_EQ(orient3d(p[3], p[0], p[1], p[2]), -sign(volume));
        const double expected = static_cast<double>(volume) * scale * scale * scale;
        ASSERT_NEAR(orient3d_value(p[0], p[1], p[2], p[3]), expected, 1e-10 * std::abs(expected));
    }
    EXPECT_GT(zeros, 100);
}

TEST(Orient3d, SeesOneUnitInTheLastPlace) {
    const Vec3 a(0.1, 0.1, 0.1), b(0.7, 0.3, 0.7), c(0.3, 0.9, 0.3); // all in x = z
    for (const double w : {0.5, 0.3, 1.0 / 3}) {
        EXPECT_EQ(orient3d(a, b, c, {w, 0.2, w}), 0);
        const int above = orient3d(a, b, c, {w, 0.2, std::nextafter(w, 2.0)});
        EXPECT_EQ(above, 1);
        EXPECT_EQ(orient3d(a, b, c, {w, 0.2, std::nextafter(w, 0.0)}), -above);
    }
}

TEST(ClearSides, AreNeverWrong) {
    Random random(10);
    int clear = 0, unclear = 0;
    for (int trial = 0; trial < 5000; ++trial) {
        std::array<Vec3, 3> triangle, points;
        for (Vec3& p : triangle) p = random.in_cube(1);
        for (Vec3& p : points) {
            const double s = random.uniform(), t = random.uniform();
            p = (1 - s - t) * triangle[0] + s * triangle[1] + t * triangle[2] +
                std::pow(10.0, random.uniform(-18, 0)) * random.direction();
        }
        const std::array<int, 3> sides = clear_sides(triangle, points);
        for (int i = 0; i < 3; ++i) {
            ++(sides[i] == 0 ? unclear : clear);
            if (sides[i] == 0) continue;
            ASSERT_EQ(orient3d(triangle[0], triangle[1], triangle[2], points[i]), sides[i]);
        }
    }
    EXPECT_GT(clear, 5000);
    EXPECT_GT(unclear, 500);
    const std::array<Vec3, 3> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
    EXPECT_EQ(clear_sides(flat, {Vec3(0, 0, 1), Vec3(1, 0, -2), Vec3(0, 1, 0)}),
              (std::array{1, -1, 0}));
}

TEST(Orient2d, AgreesWithIntegers) {
    Random random(8);
    for (int trial = 0; trial < 20000; ++trial) {
        const std::int64_t ax = random.index(1 << 28), ay = random.index(1 << 28);
        const std::int64_t ux = random.index(1 << 20), uy = random.index(1 << 20);
        const std::int64_t t = random.index(9) - 4;
        const std::int64_t vx = t * ux + random.index(3) - 1, vy = t * uy + random.index(3) - 1;
        const auto vec = [](std::int64_t x, std::int64_t y) {
            return Vec2(static_cast<double>(x), static_cast<double>(y));
        };
        ASSERT_EQ(orient2d(vec(ax, ay), vec(ax + ux, ay + uy), vec(ax + vx, ay + vy)),
                  sign(Wide(ux) * vy - Wide(uy) * vx));
    }
}

TEST(Orient3dPerturbed, IsTheFirstTermThatDoesNotVanish) {
    Random random(9);
    std::array<int, 4> seen{};
    for (int trial = 0; trial < 20000; ++trial) {
        // A plane, a line or a single point, and directions that may be degenerate as well.
        const int kind = random.index(3), half = random.index(2) == 0 ? 1 : 100;
        std::array<IntVec, 4> points, directions;
        for (int i = 0; i < 4; ++i) {
            points[i] = random_vector(random, 50);
            for (int j = 0; j < kind + 1; ++j) points[i][2 - j] = 5;
            directions[i] = random_vector(random, half);
        }
        std::array<IntVec, 3> rest, motion;
        for (int i = 0; i < 3; ++i) {
            rest[i] = minus(points[i + 1], points[0]);
            motion[i] = minus(directions[i + 1], directions[0]);
        }
        // Bit i of the mask: row i from the motion.
        std::array<Wide, 4> coefficients{};
        for (int mask = 0; mask < 8; ++mask) {
            const auto row = [&](int i) { return mask >> i & 1 ? motion[i] : rest[i]; };
            coefficients[__builtin_popcount(mask)] += determinant(row(0), row(1), row(2));
        }
        ASSERT_EQ(sign(coefficients[0]), 0);
        int order = 1;
        while (order < 3 && coefficients[order] == 0) ++order;
        std::array<Vec3, 4> p, d;
        for (int i = 0; i < 4; ++i) {
            p[i] = scaled(points[i], 0.25);
            d[i] = scaled(directions[i], 0.25);
        }
        const LeadingTerm term = orient3d_perturbed(p, d);
        ASSERT_EQ(term.order, order);
        ASSERT_EQ(term.value, static_cast<double>(coefficients[order]) / 64);
        ASSERT_EQ(orient3d_perturbed_sign(p, d), term.value > 0 ? 1 : -1);
        ++seen[order];
    }
    for (int order = 1; order <= 3; ++order) EXPECT_GT(seen[order], 100);
}

} // namespace
} // namespace knead
