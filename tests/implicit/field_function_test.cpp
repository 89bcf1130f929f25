#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/implicit/field_function.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

using Law = FieldFunction::Law;

// Conditions of [Gas93] appendix A, over functions of all sizes.
TEST(FieldFunction, meets_its_conditions) {
    Random random(1);
    for (int i = 0; i < 200; ++i) {
        const double size = std::pow(10, random.uniform(-4, 4));
        const double r0 = size * random.uniform(0.1, 2), R = r0 + size * random.uniform(0.05, 2);
        const double k = random.uniform(0.01, 3) / (R - r0);
        for (const Law law : {Law::linear, Law::nonlinear}) {
            const FieldPolynomial f({r0, R, k, law});
            EXPECT_NEAR(f.value(r0 * (1 - 1e-12)), 1, 1e-9);
            EXPECT_NEAR(f.value(r0), 1, 1e-9);
            EXPECT_NEAR(f.slope(r0 * (1 - 1e-12)) / k, -1, 1e-9);
            EXPECT_NEAR(f.slope(r0) / k, -1, 1e-8);
            EXPECT_NEAR(f.value(R * (1 - 1e-12)), 0, 1e-8);
            EXPECT_NEAR(f.slope(R * (1 - 1e-12)) / k, 0, 1e-6);
            EXPECT_EQ(f.value(R), 0);
            EXPECT_EQ(f.value(2 * R), 0);
            EXPECT_NEAR(f.value(0), 1 + (law == Law::linear ? 1 : 1.5) * k * r0,
                        1e-9 * (1 + k * r0));
            EXPECT_NEAR(f.slope(0) / k, law == Law::linear ? -1 : -2, 1e-9);
        }
    }
}

// Whoever gives a radius alone gets a field that is allowed, whatever its size.
TEST(FieldFunction, works_out_what_is_not_given) {
    for (const double radius : {1e-3, 1.0, 40.0}) {
        const FieldFunction whole = completed({.radius = radius});
        EXPECT_EQ(*whole.influence, 2 * radius);
        EXPECT_EQ(*whole.stiffness, 2 / radius);
        EXPECT_NEAR(FieldPolynomial({.radius = radius}).value(1.5 * radius), 0.25, 1e-12);
    }
    EXPECT_EQ(*completed({.radius = 1, .influence = 1.5}).stiffness, 4);
    EXPECT_EQ(*completed({.radius = 1, .stiffness = 0.5}).influence, 2);
    EXPECT_EQ(*completed({.radius = 1, .stiffness = 0.5}).stiffness, 0.5);
}

TEST(FieldFunction, falls_all_the_way_and_knows_its_steepest_slope) {
    Random random(2);
    for (int i = 0; i < 50; ++i) {
        const double r0 = random.uniform(0.1, 2), R = r0 + random.uniform(0.05, 2);
        const double k = random.uniform(0.001, 3) / (R - r0);
        const FieldPolynomial f({r0, R, k, i % 2 == 0 ? Law::linear : Law::nonlinear});
        double steepest = 0;
        for (int j = 1; j <= 1000; ++j) {
            const double r = R * j / 1000, before = R * (j - 1) / 1000;
            EXPECT_LE(f.value(r), f.value(before) + 1e-12);
            steepest = std::max(steepest, std::abs(f.slope(before)));
            EXPECT_NEAR(f.slope(r - 1e-4 * R),
                        (f.value(r - 0.9e-4 * R) - f.value(r - 1.1e-4 * R)) / (0.2e-4 * R),
                        1e-3 * f.steepest);
        }
        EXPECT_GE(f.steepest, steepest);
        EXPECT_LE(f.steepest, steepest * 1.001);
        EXPECT_LE(f.steepest_between(0.3 * R, 0.4 * R), f.steepest);
        EXPECT_GE(f.steepest_between(0.3 * R, 0.4 * R), std::abs(f.slope(0.35 * R)));
        EXPECT_EQ(f.steepest_between(R, 2 * R), 0);
    }
}

std::string function_complaint(const FieldFunction& function) {
    try {
        check_field_function(function);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(FieldFunction, refuses_what_makes_no_field) {
    EXPECT_EQ(function_complaint({0, 1, 1}), "the radius is 0, expected a positive number");
    EXPECT_EQ(function_complaint({-1, 1, 1}), "the radius is -1, expected a positive number");
    EXPECT_EQ(function_complaint({std::nan(""), 1, 1}),
              "the radius is nan, expected a positive number");
    EXPECT_EQ(function_complaint({1, 1, 1}),
              "the influence is 1, expected more than the radius, 1");
    EXPECT_EQ(function_complaint({1, 0.5, 1}),
              "the influence is 0.5, expected more than the radius, 1");
    EXPECT_EQ(function_complaint({1, 2, 0}), "the stiffness is 0, expected a positive number");
    EXPECT_EQ(function_complaint({1, 2, 4}),
              "the stiffness is 4, with which the field turns negative before its influence; "
              "expected at most 3 / (influence - radius), 3");
    EXPECT_EQ(function_complaint({1, 2, 3}), "");
    EXPECT_EQ(function_complaint({0.1, 0.4, 3 / (0.4 - 0.1)}), "");
}

// What is refused really turns negative, and what is allowed does not.
TEST(FieldFunction, turns_negative_exactly_when_it_is_refused) {
    const double r0 = 1, R = 1.5, s = r0 - R;
    for (const double k : {5.9, 6.0, 6.1}) {
        const double d = -(k * s + 2) / (s * s * s), e = (k * r0 * s + 3 * r0 - R) / (s * s * s);
        double least = 0;
        for (double r = r0; r < R; r += 1e-4)
            least = std::min(least, (r - R) * (r - R) * (d * r + e));
        EXPECT_EQ(least<-1e-12, k> 6) << k;
        EXPECT_EQ(!function_complaint({r0, R, k}).empty(), k > 6) << k;
    }
}

} // namespace
} // namespace knead
