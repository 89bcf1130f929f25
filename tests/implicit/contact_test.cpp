#include "knead/base/random.hpp"

#include <gtest/gtest.h>

#include "implicit/solids_testing.hpp"

namespace knead {
namespace {

using testing::ball;
using testing::plane_force;
using testing::rigid;
using testing::slab;

// How far from the contact surface the points of a side are.
double worst_error(const Solid& self, const Solid& other, const PressedSide& side) {
    double worst = 0;
    for (const ContactPoint& point : side.points) {
        if (point.depth < 0) continue; // beside the contact
        const double f = self.sampled().placed.value(point.position),
                     g = other.sampled().placed.value(point.position);
        // A rigid solid's own samples are on the contact surface when they are on its own.
        worst = std::max(worst, std::abs(other.definition.rigid  ? g - 1
                                         : self.definition.rigid ? f - 1
                                                                 : f - g));
        EXPECT_TRUE(point.resolved);
        EXPECT_NEAR(point.pressure, (self.definition.rigid ? g : f) - 1, 1e-12);
    }
    return worst;
}

TEST(Contact, surfaces_are_exact) {
    const FieldFunction nonlinear{0.8, 1.3, 5, FieldFunction::Law::nonlinear};
    Random random(21);
    for (const bool is_rigid : {false, true})
        for (const double depth : {1e-4, 0.03, 0.2, 0.5}) {
            std::vector<SolidDefinition> definitions{
                ball("ball", {0, 1 - depth, 0}),
                ball("other", {1.75 - depth, 1.2, 0.1}, 2000, nonlinear), slab("floor", 3)};
            definitions[2].rigid = is_rigid;
            for (SolidDefinition& definition : definitions)
                if (!definition.held) definition.pose.turn = random.rotation().toRotationMatrix();
            const std::vector<Solid> solids = make_solids(definitions);
            int touching = 0;
            for (const SolidContact& contact : find_contacts(solids)) {
                EXPECT_EQ(contact.unresolved, 0);
                for (int side = 0; side < 2; ++side) {
                    const Solid &self = solids[side == 0 ? contact.first : contact.second],
                                &other = solids[side == 0 ? contact.second : contact.first];
                    EXPECT_LE(worst_error(self, other, contact.sides[side]), 1e-10);
                    touching += contact.sides[side].in_contact;
                }
            }
            EXPECT_GT(touching, 0);
        }
}

TEST(Contact, force_of_a_plane_on_a_ball_is_the_integral_of_the_pressure) {
    for (const int samples : {1300, 5000})
        for (const double depth : {0.05, 0.15, 0.4}) {
            const FieldFunction f{1, 1.5, 4};
            const std::vector<Solid> solids = make_solids(
                std::vector{ball("ball", {0, 1 - depth, 0}, samples, f), rigid(slab("floor", 3))});
            const auto contacts = find_contacts(solids);
            ASSERT_EQ(contacts.size(), 1u);
            const double force = plane_force(f, depth);
            EXPECT_NEAR(contacts[0].force.y() / force, 1, samples < 5000 ? 2e-3 : 1e-3)
                << samples << " " << depth;
            EXPECT_LT(contacts[0].force.cross(Vec3::UnitY()).norm(), 0.002 * force);
            const double area = std::numbers::pi * (1 - (1 - depth) * (1 - depth));
            EXPECT_NEAR(contacts[0].area / area, 1, 0.01);
            EXPECT_NEAR(contacts[0].pressure, *f.stiffness * depth, 0.02 * *f.stiffness * depth);
        }
}

// Equal balls meet in the plane between them.
TEST(Contact, force_between_two_balls_is_that_of_the_plane_between_them) {
    const FieldFunction f{1, 1.5, 4};
    for (const double depth : {0.05, 0.2}) {
        const Vec3 way = Vec3(1, 2, -1).normalized();
        const std::vector<Solid> solids = make_solids(
            std::vector{ball("a", {0, 0, 0}, 5000, f), ball("b", (2 - 2 * depth) * way, 4000, f)});
        const auto contacts = find_contacts(solids);
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_LT((contacts[0].force + plane_force(f, depth) * way).norm(),
                  2e-3 * plane_force(f, depth));
    }
}

// Stiffer material keeps its shape: where f_i = f_j, both are pressed as much.
TEST(Contact, surface_lies_where_both_press_as_much) {
    const FieldFunction soft{1, 1.5, 2}, hard{1, 1.5, 6};
    const std::vector<Solid> solids = make_solids(
        std::vector{ball("hard", {0, 0, 0}, 3000, hard), ball("soft", {1.6, 0, 0}, 3000, soft)});
    const auto contacts = find_contacts(solids);
    const PressedSide& side = contacts[0].sides[0];
    // On the axis 6 d = 2 (0.4 - d).
    EXPECT_NEAR(side.find(side.deepest)->position.x(), 0.9, 2e-3);
    EXPECT_NEAR(contacts[0].pressure, 0.6, 2e-3);
    EXPECT_NEAR(largest_pressure(solids[0].sampled(), solids[1].sampled(),
                                 side.find(side.deepest)->position),
                0.6, 1e-9);
}

TEST(Contact, is_the_same_from_both_sides) {
    Random random(22);
    for (int i = 0; i < 10; ++i) {
        const std::vector<Solid> solids =
            make_solids(std::vector{ball("a", random.in_cube(0.2), 800),
                                    ball("b", Vec3(1.5, 0, 0) + random.in_cube(0.3), 1300)});
        const SolidContact one = press(solids[0].sampled(), solids[1].sampled());
        const SolidContact two = press(solids[1].sampled(), solids[0].sampled());
        EXPECT_LE((one.force + two.force).norm(), 1e-12 * one.force.norm());
        EXPECT_EQ(one.pressure, two.pressure);
        EXPECT_NEAR(one.area, two.area, 1e-12);
    }
}

// The force is the derivative of the energy: what is put in comes back.
TEST(Contact, force_is_the_slope_of_the_energy) {
    const FieldFunction f{1, 1.5, 4}, g{0.7, 1.1, 6, FieldFunction::Law::nonlinear};
    const auto energy_and_force = [&](bool is_rigid, double depth) {
        std::vector<SolidDefinition> definitions{ball("a", {0.05, 0.02, 0.01}, 7000, f),
                                                 ball("b", {1.7 - depth, 0, 0}, 7000, g)};
        definitions[1].rigid = is_rigid;
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidContact contact = press(solids[0].sampled(), solids[1].sampled());
        return std::pair(contact_energy(solids[0].sampled(), solids[1].sampled(), contact),
                         -contact.force.x());
    };
    for (const bool is_rigid : {false, true}) {
        const auto [low, before] = energy_and_force(is_rigid, 0.25);
        const auto [middle, force] = energy_and_force(is_rigid, 0.3);
        const auto [high, behind] = energy_and_force(is_rigid, 0.35);
        EXPECT_LT(low, middle);
        // The work between both, by Simpson's rule; the samples are chords of the surface.
        EXPECT_NEAR((high - low) / (0.1 / 6 * (before + 4 * force + behind)), 1, 5e-3);
    }
}

TEST(Contact, is_detected_by_any_sample) {
    std::vector<SolidDefinition> definitions{ball("a", {0, 0, 0}, 500),
                                             ball("b", {1.9, 0, 0}, 500)};
    const std::vector<Solid> near = make_solids(definitions);
    EXPECT_TRUE(interpenetrate(near[0].sampled(), near[1].sampled()));
    const SolidContact contact = press(near[0].sampled(), near[1].sampled());
    EXPECT_TRUE(interpenetrate(near[0].sampled(), near[1].sampled(),
                               {contact.sides[0].deepest, contact.sides[1].deepest}));
    definitions[1].pose.at = {2.01, 0, 0};
    const std::vector<Solid> apart = make_solids(definitions);
    EXPECT_FALSE(interpenetrate(apart[0].sampled(), apart[1].sampled(), {3, 4}));
    EXPECT_FALSE(press(apart[0].sampled(), apart[1].sampled()).touches());
    definitions[0].rigid = definitions[1].rigid = true;
    definitions[1].pose.at = {1.5, 0, 0};
    const std::vector<Solid> both_rigid = make_solids(definitions);
    EXPECT_FALSE(press(both_rigid[0].sampled(), both_rigid[1].sampled()).touches());
}

// Force against depth, read as a user would: the pressure under a plate grows with -f'(r).
double stiffness_by_pressing(const std::vector<FieldPiece>& pieces, const Vec3& at, double depth) {
    static const SolidDefinition plate = rigid(slab("plate", 4));
    std::vector<SolidDefinition> definitions{testing::solid_of("pressed", pieces, 1000), plate};
    const auto pressure = [&](double d) {
        definitions[0].pose.at = at - Vec3(0, d, 0);
        const std::vector<Solid> solids = make_solids(definitions);
        const SolidContact contact = press(solids[0].sampled(), solids[1].sampled());
        const PressedSide& side = contact.sides[0];
        return largest_pressure(solids[0].sampled(), solids[1].sampled(),
                                side.find(side.deepest)->position);
    };
    return (pressure(depth + 0.01) - pressure(depth - 0.01)) / 0.02;
}

TEST(Contact, stiffness_of_a_press_test_is_the_slope_of_the_field) {
    using Shape = FieldPiece::Shape;
    using Law = FieldFunction::Law;
    for (const Law law : {Law::linear, Law::nonlinear}) {
        const FieldFunction f{1, 1.5, 4, law};
        for (const double depth : {0.1, 0.4})
            EXPECT_NEAR(
                stiffness_by_pressing({{Shape::point, {Vec3::Zero()}, f}}, {0, 1, 0}, depth) /
                    -FieldPolynomial(f).slope(1 - depth),
                1, 0.01);
        // A rod of three pieces is as stiff at its joints as elsewhere.
        const auto rod = [&](double x) {
            return std::vector<FieldPiece>{
                {Shape::chain, {{-5 - x, 0, 0}, {0 - x, 0, 0}}, f, FieldPiece::Kind::convolution},
                {Shape::chain,
                 {{0 - x, 0, 0}, {0.7 - x, 0, 0}, {5 - x, 0, 0}},
                 f,
                 FieldPiece::Kind::convolution}};
        };
        for (const double x : {0.0, 0.35, 0.7, 2.0})
            EXPECT_NEAR(stiffness_by_pressing(rod(x), {0, 1, 0}, 0.2) /
                            -FieldPolynomial(f).slope(0.8),
                        1, 0.01)
                << x;
    }
    // Where distance fields blend, it is the gradient of the sum.
    const FieldFunction f{1, 1.8, 2};
    const std::vector<FieldPiece> pair{{Shape::point, {Vec3(-0.5, 0, 0)}, f},
                                       {Shape::point, {Vec3(0.5, 0, 0)}, f}};
    const Field field(pair);
    const double top = field.project({0, 1, 0}, 1)->y();
    EXPECT_NEAR(stiffness_by_pressing(pair, {0, top, 0}, 0.2) /
                    field.at({0, top - 0.2, 0}).gradient.norm(),
                1, 0.01);
}

} // namespace
} // namespace knead
