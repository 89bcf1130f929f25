#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/implicit/field.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

using Kind = FieldPiece::Kind;
using Shape = FieldPiece::Shape;

FieldPiece point(const Vec3& at, const FieldFunction& function = {}) {
    return {Shape::point, {at}, function};
}

std::vector<Field> some_fields() {
    const FieldFunction soft{0.5, 1.2, 2}, hard{0.3, 0.6, 8, FieldFunction::Law::nonlinear};
    return {
        Field({point({0, 0, 0}, soft)}),
        Field({{Shape::chain, {{-1, 0, 0}, {1, 0, 0}}, soft}}),
        Field({{Shape::chain, {{-1, 0, 0}, {0, 0.5, 0}, {1, 0, 0.3}}, hard}}),
        Field({{Shape::triangles, {{-1, 0, -1}, {1, 0, -1}, {0, 0, 1}}, soft}}),
        Field({point({-0.4, 0, 0}, soft), point({0.5, 0, 0}, hard)}),
        Field({{Shape::chain, {{-1, 0, 0}, {0, 0, 0}, {0.5, 0.9, 0}}, hard, Kind::convolution}}),
        Field({{Shape::triangles,
                {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, -1}, {1, 0, 1}, {-1, 0, 1}},
                soft,
                Kind::convolution},
               point({0, 0.8, 0}, hard)})};
}

TEST(Field, of_one_skeleton_is_its_function_of_the_distance) {
    const FieldFunction function{0.5, 1.2, 2};
    const FieldPolynomial f(function);
    const Field ball({point({1, 2, 3}, function)});
    const Field rod({{Shape::chain, {{0, 0, 0}, {2, 0, 0}}, function}});
    const Field sheet({{Shape::triangles, {{0, 0, 0}, {0, 0, 4}, {4, 0, 0}}, function}});
    Random random(11);
    for (int i = 0; i < 100; ++i) {
        const Vec3 u = random.direction();
        const double r = random.uniform(0, 1.5);
        EXPECT_NEAR(ball.value(Vec3(1, 2, 3) + r * u), f.value(r), 1e-12);
        EXPECT_LT((ball.at(Vec3(1, 2, 3) + r * u).gradient - f.slope(r) * u).norm(), 1e-9);
        const Vec3 across = Vec3(0, u.y(), u.z()).normalized();
        EXPECT_NEAR(rod.value(Vec3(random.uniform(0, 2), 0, 0) + r * across), f.value(r), 1e-12);
        EXPECT_NEAR(rod.value(Vec3(2, 0, 0) + r * Vec3(std::abs(u.x()), u.y(), u.z())), f.value(r),
                    1e-12);
        EXPECT_NEAR(sheet.value({1 + u.x() / 2, r, 1 + u.z() / 2}), f.value(r), 1e-12);
    }
}

TEST(Field, adds_up_what_its_skeletons_make) {
    const FieldPiece a = point({-0.4, 0, 0}, {0.5, 1.2, 2}), b = point({0.5, 0, 0}, {0.3, 0.6, 8});
    const Field both({a, b}), first({a}), second({b});
    Random random(12);
    std::array<double, 2> shares{};
    for (int i = 0; i < 100; ++i) {
        const Vec3 p = random.in_cube(1);
        EXPECT_NEAR(both.value(p), first.value(p) + second.value(p), 1e-14);
        both.contributions(p, shares);
        EXPECT_EQ(shares[0], first.value(p));
        EXPECT_EQ(shares[1], second.value(p));
    }
}

TEST(Field, has_the_gradient_of_its_differences_and_no_steeper_slope_than_it_says) {
    Random random(13);
    for (const Field& field : some_fields())
        for (int i = 0; i < 300; ++i) {
            const Vec3 p = random.in_cube(1.5);
            const FieldSample sample = field.at(p);
            EXPECT_EQ(sample.value, field.value(p));
            constexpr double h = 1e-6;
            Vec3 difference;
            for (int axis = 0; axis < 3; ++axis)
                difference[axis] = (field.value(p + h * Vec3::Unit(axis)) -
                                    field.value(p - h * Vec3::Unit(axis))) /
                                   (2 * h);
            EXPECT_LT((sample.gradient - difference).norm(), 2e-4) << p.transpose();
            const double reach = random.uniform(0.01, 0.5);
            const Vec3 q = p + reach * random.uniform() * random.direction();
            EXPECT_LE(std::abs(field.value(q) - sample.value),
                      field.steepest_around(p, reach) * (q - p).norm() + 1e-12);
        }
}

TEST(Field, is_nothing_beyond_its_box) {
    Random random(14);
    for (const Field& field : some_fields())
        for (int i = 0; i < 200; ++i) {
            const Vec3 p = random.in_cube(3);
            if (!field.box().contains(p)) {
                EXPECT_EQ(field.value(p), 0);
            }
            EXPECT_LE(field.value(p), field.peak() * 1.05);
        }
}

TEST(Field, finds_its_surface_from_outside) {
    Random random(15);
    for (const Field& field : some_fields()) {
        int found = 0, outside = 0;
        for (int i = 0; i < 200; ++i) {
            const Vec3 p = random.in_cube(2);
            if (field.value(p) >= 1) continue;
            ++outside;
            const auto foot = field.foot(p, 5);
            if (!foot) continue;
            ++found;
            EXPECT_NEAR(field.value(foot->point), 1, 1e-9);
            EXPECT_NEAR((foot->point - p).norm(), foot->distance, 1e-9);
            EXPECT_NEAR(foot->slope, field.at(foot->point).gradient.norm(), 1e-6);
            EXPECT_LT((foot->point - p - foot->distance * field.approach(p)).norm(), 1e-9);
            EXPECT_FALSE(field.foot(p, 0.99 * foot->distance));
        }
        // From some places the gradient leads past the end of a skeleton.
        EXPECT_GT(found, 0.5 * outside);
    }
}

TEST(Field, projects_points_onto_its_surface) {
    Random random(16);
    for (const Field& field : some_fields()) {
        int found = 0;
        for (int i = 0; i < 200; ++i) {
            const auto on = field.project(random.in_cube(1), 1);
            if (!on) continue;
            ++found;
            EXPECT_NEAR(field.value(*on), 1, 1e-9);
        }
        EXPECT_GT(found, 60);
    }
}

// Two pieces of one rod: the distance surface swells and stiffens where they meet, the convolution
// does neither.
TEST(Field, of_a_convolution_neither_swells_nor_stiffens_at_a_joint) {
    const FieldFunction function{0.5, 1, 3};
    for (const Kind kind : {Kind::distance, Kind::convolution}) {
        const Field rod({{Shape::chain, {{-3, 0, 0}, {0, 0, 0}}, function, kind},
                         {Shape::chain, {{0, 0, 0}, {3, 0, 0}}, function, kind}});
        double least = 9, most = 0, softest = 9, stiffest = 0;
        for (double x = -1.5; x <= 1.5; x += 0.05) {
            const Vec3 p = *rod.project({x, 0.5, 0}, 1);
            least = std::min(least, p.y());
            most = std::max(most, p.y());
            const double k = rod.at({x, 0.5, 0}).gradient.norm();
            softest = std::min(softest, k);
            stiffest = std::max(stiffest, k);
        }
        if (kind == Kind::convolution) {
            EXPECT_NEAR(least, 0.5, 1e-12);
            EXPECT_NEAR(most, 0.5, 1e-12);
            EXPECT_NEAR(softest, 3, 1e-9);
            EXPECT_NEAR(stiffest, 3, 1e-9);
        } else {
            EXPECT_GT(most, 0.6);
            EXPECT_GT(stiffest, 4);
        }
    }
}

TEST(SampledCurve, goes_through_its_points_and_stays_smooth) {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 1, 0}, {2, 0, 1}, {3, 0, 0}};
    const std::vector<Vec3> curve = sampled_curve(points, 16);
    ASSERT_EQ(curve.size(), 49u);
    for (std::size_t i = 0; i < points.size(); ++i)
        EXPECT_LT((curve[16 * i] - points[i]).norm(), 1e-12);
    for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
        const Vec3 a = (curve[i] - curve[i - 1]).normalized(),
                   b = (curve[i + 1] - curve[i]).normalized();
        EXPECT_GT(a.dot(b), std::cos(0.35));
    }
    EXPECT_EQ(sampled_curve(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}, 1).size(), 2u);
}

std::string field_complaint(std::vector<FieldPiece> pieces) {
    try {
        Field field(std::move(pieces));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Field, refuses_what_makes_no_solid) {
    EXPECT_EQ(field_complaint({}), "a field needs a skeleton, but there is none");
    EXPECT_EQ(field_complaint({point({0, 0, 0}), point({0, 0, 0}, {0, 1, 1})}),
              "piece 1: the radius is 0, expected a positive number");
    EXPECT_EQ(field_complaint({{Shape::chain, {{0, 0, 0}}, {}}}),
              "piece 0: it has 1 points, expected two or more");
    EXPECT_EQ(field_complaint({{Shape::triangles, {{0, 0, 0}, {1, 0, 0}}, {}}}),
              "piece 0: it has 2 points, expected three a triangle");
    EXPECT_EQ(field_complaint({point({0, std::nan(""), 0})}), "piece 0: a point is not finite");
    EXPECT_EQ(field_complaint({{Shape::chain, {{1, 0, 0}, {1, 0, 0}}, {}, Kind::convolution}}),
              "piece 0: its points coincide, expected a skeleton with a length or an area, over "
              "which a convolution adds up");
    const std::string weak =
        field_complaint({{Shape::chain, {{0, 0, 0}, {0.1, 0, 0}}, {1, 2, 1}, Kind::convolution}});
    EXPECT_TRUE(weak.starts_with("the field never reaches 1, at most 0.")) << weak;
}

} // namespace
} // namespace knead
