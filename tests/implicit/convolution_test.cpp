#include "knead/base/random.hpp"
#include "knead/implicit/convolution.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

using Law = FieldFunction::Law;

// h of a line by the definition, with s = sqrt(q^2 + x^2) so that nothing is singular.
double line_kernel(const FieldPolynomial& f, double q) {
    const double R = f.influence;
    if (q >= R) return 0;
    const double reach = std::sqrt(R * R - q * q);
    constexpr int steps = 4000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) {
        const double x = reach * (i + 0.5) / steps, s = std::hypot(q, x);
        sum -= f.slope(s) / s * reach / steps;
    }
    return sum / std::numbers::pi;
}

double face_kernel(const FieldPolynomial& f, double q) {
    return q >= f.influence ? 0 : -f.slope(q) / (2 * std::numbers::pi * q);
}

FieldPolynomial some_function(Random& random, Law law) {
    const double r0 = random.uniform(0.3, 1), R = r0 + random.uniform(0.2, 1);
    return FieldPolynomial({r0, R, random.uniform(0.3, 3) / (R - r0), law});
}

TEST(SegmentConvolution, is_the_integral_of_the_kernel) {
    Random random(4);
    for (int i = 0; i < 6; ++i) {
        const FieldPolynomial f = some_function(random, i % 2 == 0 ? Law::linear : Law::nonlinear);
        const Vec3 a = random.in_cube(1), b = random.in_cube(1);
        const Vec3 p = a + random.uniform(-0.3, 1.3) * (b - a) + random.in_cube(0.8);
        constexpr int steps = 400;
        double sum = 0;
        for (int s = 0; s < steps; ++s)
            sum += line_kernel(f, (a + (s + 0.5) / steps * (b - a) - p).norm()) * (b - a).norm() /
                   steps;
        EXPECT_NEAR(segment_convolution(f, a, b, p).value, sum, 2e-4 * (1 + sum)) << i;
    }
}

TEST(TriangleConvolution, is_the_integral_of_the_kernel) {
    Random random(5);
    for (int i = 0; i < 10; ++i) {
        const FieldPolynomial f = some_function(random, i % 2 == 0 ? Law::linear : Law::nonlinear);
        const std::array<Vec3, 3> c{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
        const Vec3 normal = (c[1] - c[0]).cross(c[2] - c[0]).normalized();
        const Vec3 p = (c[0] + c[1] + c[2]) / 3 + random.in_cube(0.5) + 0.2 * normal;
        if (std::abs((p - c[0]).dot(normal)) < 0.1) continue;
        constexpr int steps = 500;
        const double area = 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm() / (steps * steps);
        double sum = 0;
        for (int s = 0; s < steps; ++s)
            for (int t = 0; t < 2 * (steps - s) - 1; ++t) {
                const double third = t % 2 == 0 ? 1.0 / 3 : 2.0 / 3;
                const double u = (s + third) / steps, v = (t / 2 + third) / steps;
                sum += area *
                       face_kernel(f, (c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]) - p).norm());
            }
        EXPECT_NEAR(triangle_convolution(f, c, p).value, sum, 1e-4 * (1 + sum)) << i;
    }
}

TEST(SegmentConvolution, is_the_field_function_around_a_long_line) {
    Random random(6);
    for (const Law law : {Law::linear, Law::nonlinear}) {
        const FieldPolynomial f = some_function(random, law);
        for (double r = 0.05; r < f.influence; r += 0.05) {
            // Just long enough to be computed by its ends, and so long that they are out of reach.
            for (const double half : {0.999 * std::sqrt(f.influence * f.influence - r * r), 10.0}) {
                const FieldSample sample =
                    segment_convolution(f, {-half, 0, 0}, {half, 0, 0}, {0, r, 0});
                EXPECT_NEAR(sample.value, f.value(r), 1e-3);
                EXPECT_NEAR(sample.gradient.y(), f.slope(r), 5e-3);
                EXPECT_NEAR(sample.gradient.x(), 0, 1e-12);
            }
        }
    }
}

TEST(TriangleConvolution, is_the_field_function_beside_a_wide_face) {
    Random random(7);
    const FieldPolynomial f = some_function(random, Law::linear);
    for (double r = 0.05; r < f.influence; r += 0.05)
        for (const double size : {2.05 * f.influence, 40.0}) {
            const std::array<Vec3, 3> corners{Vec3(-size, 0, -size), Vec3(0, 0, 1.5 * size),
                                              Vec3(size, 0, -size)};
            for (const double side : {1.0, -1.0}) {
                const FieldSample sample = triangle_convolution(f, corners, {0, side * r, 0});
                EXPECT_NEAR(sample.value, f.value(r), 1e-12);
                EXPECT_NEAR(sample.gradient.y(), side * f.slope(r), 1e-12);
            }
        }
}

TEST(Convolution, does_not_see_where_a_skeleton_is_cut) {
    Random random(8);
    for (int i = 0; i < 200; ++i) {
        const FieldPolynomial f = some_function(random, i % 2 == 0 ? Law::linear : Law::nonlinear);
        const Vec3 a = random.in_cube(1), b = random.in_cube(1), c = random.in_cube(1);
        const double t = random.uniform(0.1, 0.9);
        const Vec3 m = a + t * (b - a), p = random.in_cube(1.5);
        FieldSample line = segment_convolution(f, a, m, p);
        line += segment_convolution(f, m, b, p);
        const FieldSample whole = segment_convolution(f, a, b, p);
        EXPECT_NEAR(line.value, whole.value, 1e-12);
        EXPECT_LT((line.gradient - whole.gradient).norm(), 1e-9);
        FieldSample face = triangle_convolution(f, {a, m, c}, p);
        face += triangle_convolution(f, {m, b, c}, p);
        const FieldSample whole_face = triangle_convolution(f, {a, b, c}, p);
        EXPECT_NEAR(face.value, whole_face.value, 1e-11);
        EXPECT_LT((face.gradient - whole_face.gradient).norm(), 1e-8);
        // Nor does it matter how the corners are ordered.
        EXPECT_NEAR(triangle_convolution(f, {c, b, a}, p).value, whole_face.value, 1e-12);
        EXPECT_NEAR(segment_convolution(f, b, a, p).value, whole.value, 1e-12);
    }
}

TEST(Convolution, has_the_gradient_of_its_differences) {
    Random random(9);
    for (int i = 0; i < 300; ++i) {
        const FieldPolynomial f = some_function(random, i % 2 == 0 ? Law::linear : Law::nonlinear);
        const std::array<Vec3, 3> c{random.in_cube(1), random.in_cube(1), random.in_cube(1)};
        const Vec3 p = random.in_cube(1.2);
        const FieldSample line = segment_convolution(f, c[0], c[1], p),
                          face = triangle_convolution(f, c, p);
        constexpr double h = 1e-6;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 step = h * Vec3::Unit(axis);
            EXPECT_NEAR(line.gradient[axis],
                        (segment_convolution(f, c[0], c[1], p + step).value -
                         segment_convolution(f, c[0], c[1], p - step).value) /
                            (2 * h),
                        2e-5);
            EXPECT_NEAR(face.gradient[axis],
                        (triangle_convolution(f, c, p + step).value -
                         triangle_convolution(f, c, p - step).value) /
                            (2 * h),
                        2e-5);
        }
    }
}

// On the skeleton itself, its ends and its edges nothing blows up.
TEST(Convolution, is_finite_on_its_skeleton) {
    const FieldPolynomial f({0.5, 1, 2, Law::linear});
    const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 0, 1);
    for (const Vec3& p :
         {a, b, Vec3(0.5, 0, 0), Vec3(0.2, 0, 0.2), Vec3(2, 0, 0), Vec3(-0.1, 0, 0)}) {
        EXPECT_TRUE(std::isfinite(segment_convolution(f, a, b, p).value));
        EXPECT_TRUE(std::isfinite(triangle_convolution(f, {a, b, c}, p).value));
        EXPECT_TRUE(triangle_convolution(f, {a, b, c}, p).gradient.allFinite());
    }
    EXPECT_EQ(segment_convolution(f, a, a, a).value, 0);
    EXPECT_EQ(triangle_convolution(f, {a, b, b}, a).value, 0);
    // Half as large at an end as within.
    EXPECT_NEAR(segment_convolution(f, a, {9, 0, 0}, {0, 0.3, 0}).value, 0.5 * f.value(0.3), 1e-12);
    EXPECT_NEAR(
        triangle_convolution(f, {Vec3(-9, 0, 0), Vec3(0, 0, 9), Vec3(9, 0, 0)}, {0, 0.3, 0}).value,
        0.5 * f.value(0.3), 1e-12);
}

TEST(Convolution, slopes_at_the_ends_are_bounded_by_the_kernel) {
    Random random(10);
    for (int i = 0; i < 200; ++i) {
        const FieldPolynomial f = some_function(random, Law::linear);
        const Vec3 a = random.in_cube(1), b = random.in_cube(1), p = random.in_cube(1.2);
        const double nearest = std::min((p - a).norm(), (p - b).norm());
        EXPECT_NEAR(end_slope(f, nearest), line_kernel(f, nearest), 1e-3);
        const FieldSample sample = segment_convolution(f, a, b, p);
        EXPECT_LE(std::abs(sample.gradient.dot((b - a).normalized())),
                  end_slope(f, nearest) + 1e-9);
        EXPECT_LE(sample.gradient.norm(), f.steepest + end_slope(f, nearest) + 1e-9);
    }
}

} // namespace
} // namespace knead
