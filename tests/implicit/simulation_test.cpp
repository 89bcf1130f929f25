#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/implicit/solid_insides.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <sstream>

#include "implicit/solids_testing.hpp"
#include "input_error.hpp"
#include "second_call.hpp"

namespace knead {
namespace {

using testing::ball;
using testing::plane_force;
using testing::rigid;
using testing::slab;

constexpr double gravity = 9.81;

void run(SolidSimulation& simulation, double seconds, double step = 0.01) {
    for (double t = 0; t < seconds - 1e-9; t += step) simulation.step({step, {0, -gravity, 0}, {}});
}

TEST(SolidSimulation, ball_comes_to_rest_on_a_floor_that_carries_its_weight) {
    for (const bool is_rigid : {true, false}) {
        std::vector<SolidDefinition> definitions{ball("ball", {0, 1.3, 0}), slab("floor", 3)};
        definitions[1].rigid = is_rigid;
        SolidSimulation simulation(definitions);
        const double weight = SolidInsides::solids(simulation)[0].mass.mass * gravity;
        double last = simulation.energy({0, -gravity, 0}).sum();
        const double first = last;
        for (int i = 0; i < 500; ++i) {
            simulation.step({0.01, {0, -gravity, 0}, {}});
            const double now = simulation.energy({0, -gravity, 0}).sum();
            EXPECT_LE(now, last + 1e-5 * first) << i;
            last = now;
        }
        const Solid& at_rest = SolidInsides::solids(simulation)[0];
        // Nothing but drag holds it, so it may still roll a little.
        EXPECT_LT(at_rest.state.velocity.norm(), 1e-4);
        EXPECT_LT(std::abs(at_rest.state.velocity.y()), 1e-6);
        ASSERT_EQ(simulation.forces().size(), 1u);
        EXPECT_NEAR(simulation.forces()[0].force.y() / weight, 1, 0.01);
        if (is_rigid) {
            // As deep as the closed form says.
            double depth = 0;
            while (plane_force({1, 1.5, 4}, depth) < weight) depth += 1e-5;
            EXPECT_NEAR(1 - at_rest.state.position.y(), depth, 0.01 * depth);
        }
    }
}

TEST(SolidSimulation, order_of_solids_changes_no_bit) {
    const std::vector<SolidDefinition> definitions{
        ball("a", {0, 0.95, 0}, 400), ball("b", {0.4, 2.6, 0.2}, 400), ball("c", {1.2, 1, 1}, 400),
        rigid(slab("floor", 4))};
    std::vector<std::vector<Vec3>> reference;
    std::vector<Vec3> reference_forces;
    std::vector<int> order{0, 1, 2, 3};
    do {
        std::vector<SolidDefinition> permuted;
        for (const int i : order) permuted.push_back(definitions[i]);
        SolidSimulation simulation(permuted);
        run(simulation, 0.15);
        const SolidFrame frame = SolidInsides::frame(simulation);
        std::vector<std::vector<Vec3>> shapes(4);
        for (int i = 0; i < 4; ++i)
            shapes[order[i]] = deformed_shape(SolidInsides::solids(simulation), frame, i).positions;
        std::vector<Vec3> forces;
        for (const ContactForce& force : simulation.forces()) forces.push_back(force.force);
        if (reference.empty()) {
            reference = shapes;
            reference_forces = forces;
            EXPECT_GE(forces.size(), 3u);
        }
        EXPECT_EQ(shapes, reference);
        EXPECT_EQ(forces, reference_forces);
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(SolidSimulation, threads_change_no_bit) {
    std::vector<std::vector<Vec3>> reference;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        SolidSimulation simulation(std::vector{ball("a", {0, 0.95, 0}, 600),
                                               ball("b", {0.4, 2.6, 0.2}, 600),
                                               rigid(slab("floor", 4))});
        run(simulation, 0.3);
        const SolidFrame frame = SolidInsides::frame(simulation);
        std::vector<std::vector<Vec3>> shapes;
        for (int i = 0; i < 3; ++i)
            shapes.push_back(deformed_shape(SolidInsides::solids(simulation), frame, i).positions);
        if (reference.empty()) reference = shapes;
        EXPECT_EQ(shapes, reference);
    }
}

TEST(SolidSimulation, momentum_is_kept_in_a_collision) {
    std::vector<SolidDefinition> definitions{ball("a", {0, 0, 0}),
                                             ball("b", {2.2, 0.5, 0.3}, 1500, {1, 1.4, 6})};
    for (SolidDefinition& definition : definitions) definition.drag = 0.3;
    definitions[0].velocity = {2, 0.3, 0};
    definitions[0].angular_velocity = {0, 1, 2};
    definitions[1].velocity = {-1, 0, 0};
    SolidSimulation simulation(definitions);
    const auto momenta = [&] {
        Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
        for (const Solid& solid : SolidInsides::solids(simulation)) {
            const Vec3 p = solid.mass.mass * solid.state.velocity;
            linear += p;
            angular += solid.state.angular_momentum + solid.state.position.cross(p);
        }
        return std::pair(linear, angular);
    };
    const auto [linear, angular] = momenta();
    bool touched = false;
    for (int i = 0; i < 200; ++i) {
        simulation.step({0.005, Vec3::Zero(), {}});
        touched = touched || !SolidInsides::contacts(simulation).empty();
    }
    EXPECT_TRUE(touched);
    EXPECT_TRUE(SolidInsides::contacts(simulation).empty());
    EXPECT_LT((momenta().first - linear).norm(), 1e-12);
    // Of first order in the step: forces act where solids were at its beginning.
    EXPECT_LT((momenta().second - angular).norm(), 0.01 * angular.norm());
    EXPECT_LT(SolidInsides::solids(simulation)[0].state.velocity.x(),
              SolidInsides::solids(simulation)[1].state.velocity.x());
}

TEST(SolidSimulation, drag_and_friction_on_a_slope) {
    // A floor that leans by 20 degrees.
    const double angle = 20 * std::numbers::pi / 180;
    const auto slide = [&](double friction, double drag) {
        SolidDefinition box = testing::solid_of("box",
                                                {{FieldPiece::Shape::triangles,
                                                  {{-0.5, 0, -0.5},
                                                   {-0.5, 0, 0.5},
                                                   {0.5, 0, 0.5},
                                                   {-0.5, 0, -0.5},
                                                   {0.5, 0, 0.5},
                                                   {0.5, 0, -0.5}},
                                                  {0.3, 0.6, 6},
                                                  FieldPiece::Kind::convolution}},
                                                1500);
        SolidDefinition floor = rigid(slab("floor", 6));
        const Mat3 lean = Eigen::AngleAxisd(-angle, Vec3::UnitZ()).toRotationMatrix();
        floor.pose.turn = lean;
        box.pose.turn = lean;
        box.pose.at = lean * Vec3(-2, 0.2, 0);
        box.friction = floor.friction = friction;
        box.drag = floor.drag = drag;
        SolidSimulation simulation(std::vector{box, floor});
        run(simulation, friction > 0.3 ? 4 : 1); // it rocks a while before it lies still
        const Vec3 before = SolidInsides::solids(simulation)[0].state.position;
        run(simulation, 1);
        return (SolidInsides::solids(simulation)[0].state.position - before).norm();
    };
    // Viscous drag alone creeps; friction above tan(20 degrees) = 0.364 holds, below it slides.
    EXPECT_GT(slide(0, 0.7), 0.05);
    EXPECT_LT(slide(0.6, 0.7), 1e-4);
    EXPECT_GT(slide(0.1, 0.1), 0.5);
}

TEST(SolidSimulation, steps_that_press_too_deep_are_done_again) {
    std::vector<SolidDefinition> definitions{ball("ball", {0, 1.05, 0}), rigid(slab("floor", 3))};
    definitions[0].velocity = {0, -15, 0};
    SolidSimulation simulation(definitions);
    int halvings = 0;
    double deepest = 0;
    std::vector<std::string> notes;
    for (int i = 0; i < 30; ++i) {
        const SolidStepReport report = simulation.step({0.02, {0, -gravity, 0}, {}});
        halvings += report.halvings;
        EXPECT_EQ(static_cast<std::size_t>(report.steps), report.rounds.size());
        for (const SolidContact& contact : SolidInsides::contacts(simulation))
            deepest = std::max(deepest, contact.crushed[0]);
    }
    EXPECT_GT(halvings, 3);
    EXPECT_LT(deepest, 0.9);
    EXPECT_GT(SolidInsides::solids(simulation)[0].state.position.y(), 0.5);
}

TEST(SolidSimulation, says_when_a_solid_is_pressed_to_its_skeleton) {
    SolidDefinition heavy = ball("ball", {0, 1, 0}, 600);
    heavy.density = 10;
    SolidSimulation simulation(std::vector{heavy, rigid(slab("floor", 3))});
    std::vector<std::string> notes;
    for (int i = 0; i < 60 && notes.empty(); ++i)
        notes = simulation.step({0.01, {0, -gravity, 0}, {}}).notes;
    ASSERT_FALSE(notes.empty());
    EXPECT_EQ(notes[0],
              "ball is pressed to its skeleton by floor: it is too heavy, too fast or too soft");
}

TEST(SolidSimulation, held_solids_push_others_along) {
    std::vector<SolidDefinition> definitions{ball("ball", {0, 1, 0}, 800), slab("floor", 3),
                                             ball("hand", {-2.05, 1, 0}, 800)};
    definitions[2].held = true;
    SolidSimulation simulation(definitions);
    for (int i = 1; i <= 100; ++i) {
        std::vector<HeldTarget> targets(3);
        targets[1].pose = definitions[1].pose;
        targets[2].pose.at = Vec3(-2.05 + 0.01 * i, 1, 0);
        simulation.step({0.01, {0, -gravity, 0}, targets});
    }
    EXPECT_GT(SolidInsides::solids(simulation)[0].state.position.x(), 0.5);
    EXPECT_NEAR(SolidInsides::solids(simulation)[2].pose.at.x(), -1.05, 1e-12);
}

// A hand of two segments whose finger strikes the ball: skeletons that move have velocities, too,
// and steps that are done again start where they started.
TEST(SolidSimulation, moving_skeletons_push_others_along) {
    const FieldFunction f{0.3, 0.6, 8};
    const auto hand = [&](double angle) {
        return std::vector<FieldPiece>{
            {FieldPiece::Shape::chain, {{0, 0, 0}, {1, 0, 0}}, f, FieldPiece::Kind::convolution},
            {FieldPiece::Shape::chain,
             {{1, 0, 0}, {1 + std::cos(angle), std::sin(angle), 0}},
             f,
             FieldPiece::Kind::convolution}};
    };
    for (const double drag : {0.0, 1.0}) {
        SolidDefinition finger = testing::solid_of("finger", hand(0), 1500),
                        struck = ball("ball", {1.8, 1.4, 0}, 1000);
        finger.held = true;
        finger.drag = struck.drag = drag;
        SolidSimulation simulation(std::vector{finger, struck});
        int halvings = 0;
        for (int i = 1; i <= 20; ++i) {
            std::vector<HeldTarget> targets(2);
            targets[0].pieces = hand(0.08 * i);
            halvings += simulation.step({0.02, Vec3::Zero(), targets}).halvings;
        }
        EXPECT_GT(halvings, 0);
        EXPECT_GT(SolidInsides::solids(simulation)[1].state.velocity.y(), 0.5);
        const Field bent(hand(1.6));
        for (const Vec3& p : SolidInsides::solids(simulation)[0].samples.positions)
            EXPECT_NEAR(bent.value(p), 1, 1e-9);
    }
}

// A rigid solid that is smaller than the samples of the soft one are apart is seen by its own.
TEST(SolidSimulation, small_rigid_solids_do_not_fall_through) {
    SolidDefinition soft = ball("soft", {0, 0, 0}, 300),
                    marble = rigid(ball("marble", {0.05, 1.1, 0.02}, 300, {0.08, 0.15, 20}));
    soft.held = true;
    marble.density = 0.1;
    SolidSimulation simulation(std::vector{soft, marble});
    run(simulation, 0.5, 0.005);
    EXPECT_GT(SolidInsides::solids(simulation)[1].state.position.y(), 0.9);
    ASSERT_EQ(simulation.forces().size(), 1u);
}

TEST(SolidSimulation, fast_solids_do_not_pass_each_other_in_a_step) {
    std::vector<SolidDefinition> definitions{ball("a", {-0.5, 0, 0}, 400, {0.1, 0.15, 40}),
                                             ball("b", {0.5, 0.02, 0}, 400, {0.1, 0.15, 40})};
    definitions[0].velocity = {100, 0, 0};
    SolidSimulation simulation(definitions);
    const SolidStepReport report = simulation.step({1.0 / 60, Vec3::Zero(), {}});
    EXPECT_GT(report.halvings, 0);
    EXPECT_GT(SolidInsides::solids(simulation)[1].state.velocity.x(), 5);
}

// Held solids do as they are told, however deep that presses them: no step gets shorter by it.
TEST(SolidSimulation, held_solids_in_each_other_hold_nobody_up) {
    std::vector<SolidDefinition> definitions{
        ball("a", {0, 0, 0}, 300), ball("b", {0.05, 0, 0}, 300), ball("c", {9, 0, 0}, 300)};
    definitions[0].held = definitions[1].held = true;
    SolidSimulation simulation(definitions);
    const SolidStepReport report = simulation.step({0.01, {0, -gravity, 0}, {}});
    EXPECT_EQ(report.steps, 1);
    EXPECT_EQ(report.halvings, 0);
    EXPECT_TRUE(report.notes.empty());
}

TEST(SolidSimulation, a_step_that_fails_leaves_everything_as_it_was) {
    const FieldFunction f{0.3, 0.6, 8};
    const std::vector<FieldPiece> rod{
        {FieldPiece::Shape::chain, {{0, 0, 0}, {1, 0, 0}}, f, FieldPiece::Kind::convolution}};
    SolidDefinition held = testing::solid_of("rod", rod, 400);
    held.held = true;
    SolidSimulation simulation(std::vector{held, ball("ball", {0.5, 1.2, 0}, 400)});
    run(simulation, 0.1);
    const Vec3 place = SolidInsides::solids(simulation)[1].state.position;
    const std::vector<Vec3> samples = SolidInsides::solids(simulation)[0].samples.positions;
    std::vector<HeldTarget> targets(2);
    targets[0].pose.at = {0, 0.1, 0};
    targets[0].pieces = rod;
    (*targets[0].pieces)[0].points[1] = Vec3::Zero();
    EXPECT_THROW(simulation.step({0.01, {0, -gravity, 0}, targets}), InputError);
    EXPECT_EQ(SolidInsides::solids(simulation)[1].state.position, place);
    EXPECT_EQ(SolidInsides::solids(simulation)[0].pose.at, Vec3(0, 0, 0));
    for (std::size_t v = 0; v < samples.size(); ++v)
        EXPECT_LT((SolidInsides::solids(simulation)[0].samples.positions[v] - samples[v]).norm(),
                  1e-9);
}

TEST(SolidSimulation, goes_on_from_a_saved_state_to_the_bit) {
    const std::vector<SolidDefinition> definitions{
        ball("a", {0, 1.2, 0}, 600), ball("b", {0.4, 3, 0.2}, 600), rigid(slab("floor", 4))};
    SolidSimulation whole(definitions), half(definitions);
    run(whole, 0.2);
    std::stringstream file;
    whole.save(file);
    half.load(file);
    std::vector<HeldTarget> targets(3);
    for (int i = 0; i < 3; ++i) targets[i].pose = definitions[i].pose;
    half.hold(targets);
    run(whole, 0.2);
    run(half, 0.2);
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(SolidInsides::solids(whole)[i].state.position,
                  SolidInsides::solids(half)[i].state.position);
    std::stringstream broken("not a state");
    EXPECT_THROW(half.load(broken), InputError);
    // Position, orientation, velocity and angular momentum of the first, which turns too fast.
    std::string bytes = file.str();
    const double beyond = 1e200;
    std::memcpy(bytes.data() + 10 * sizeof(double), &beyond, sizeof beyond);
    std::stringstream spinning(bytes);
    EXPECT_THROW(half.load(spinning), InputError);
}

std::string complaint(std::vector<SolidDefinition> definitions) {
    try {
        SolidSimulation simulation(definitions);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(SolidSimulation, refuses_bad_solids_and_says_what_is_odd) {
    SolidDefinition a = ball("a", {0, 0, 0}, 300), b = ball("b", {5, 0, 0}, 300);
    EXPECT_EQ(complaint({a, a}), "the name a is there twice, expected names that differ");
    b.density = 0;
    EXPECT_EQ(complaint({a, b}), "b: the density is 0, expected a positive number");
    b.density = 1;
    b.propagation.compressibility = 2;
    EXPECT_EQ(complaint({a, b}),
              "b: the propagation.compressibility is 2, expected a number from 0 to 1");
    b.propagation = {};
    b.pieces[0].function.radius = 0;
    EXPECT_EQ(complaint({a, b}), "b: piece 0: the radius is 0, expected a positive number");
    b = ball("b", {0.1, 0, 0}, 300);
    EXPECT_EQ(complaint({a, b}), "a and b start in each other, with 95 % of their thickness "
                                 "pressed away, expected at most 90 %");
    b = ball("b", {1.8, 0, 0}, 300);
    const SolidSimulation overlapping(std::vector{a, b});
    ASSERT_EQ(overlapping.notes().size(), 1u);
    EXPECT_TRUE(overlapping.notes()[0].starts_with("a and b start in each other: "))
        << overlapping.notes()[0];

    const FieldFunction f{0.5, 0.8, 4};
    const SolidSimulation apart(
        std::vector{testing::solid_of("dumbbell",
                                      {{FieldPiece::Shape::point, {Vec3(-1, 0, 0)}, f},
                                       {FieldPiece::Shape::point, {Vec3(1, 0, 0)}, f}},
                                      600)});
    ASSERT_EQ(apart.notes().size(), 1u);
    EXPECT_EQ(apart.notes()[0],
              "dumbbell: its surface has 2 parts that nothing joins; they move as "
              "one rigid piece, with the mass and "
              "inertia of all of them");
}

// What is done once is what the solver does.
TEST(SolidSimulation, one_call_gives_the_bits_of_the_solver) {
    std::vector<SolidDefinition> definitions{
        ball("a", {0, 0.9, 0}, 400), ball("b", {0.4, 2.6, 0.2}, 400), rigid(slab("floor", 4))};
    definitions[1].propagation.compressibility = 0.5;
    const auto expect_same = [](const std::vector<SolidShape>& shapes,
                                const std::vector<SolidShape>& expected) {
        ASSERT_EQ(shapes.size(), expected.size());
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            EXPECT_EQ(shapes[i].positions, expected[i].positions);
            EXPECT_EQ(shapes[i].pressures, expected[i].pressures);
            EXPECT_EQ(shapes[i].volume, expected[i].volume);
        }
    };
    SolidSimulation simulation(definitions);
    const std::vector<SolidShape> at_start = simulation.shapes();
    EXPECT_GT(at_start[0].moved, 0);
    expect_same(deform_solids(definitions), at_start);
    expect_same(simulate_solids(definitions, 0), at_start);
    EXPECT_EQ(deform_solids(definitions, {{0, 2}, {0, 1}})[0].moved, 0);

    // No step is longer than asked for, and all are equal.
    for (int i = 0; i < 4; ++i) simulation.step({.seconds = 0.1 / 4});
    expect_same(simulate_solids(definitions, 0.1, {.seconds = 0.03}), simulation.shapes());
    // Who names another field of a step does not lose its length.
    const Vec3 upward(0, 1, 0);
    expect_same(simulate_solids(definitions, 0.02, {.gravity = upward}),
                simulate_solids(definitions, 0.02, {.seconds = 0.01, .gravity = upward}));
    EXPECT_EQ(simulation.pose(0).at, SolidInsides::solids(simulation)[0].pose.at);
    EXPECT_NE(simulation.pose(0).at, definitions[0].pose.at);
}

// As in a scene: by the radius alone, twice of it, and a bulge as wide as the smallest of all.
TEST(SolidSimulation, fields_and_bulges_are_worked_out_where_nothing_is_said) {
    const std::vector<Vec3> left{Vec3(-0.4, 0, 0)}, right{Vec3(0.4, 0, 0)};
    const auto pressed = [](std::vector<FieldPiece> pieces, std::optional<double> width) {
        SolidDefinition soft = testing::solid_of("soft", std::move(pieces), 800);
        soft.propagation.width = width;
        return deform_solids(std::vector{soft, rigid(ball("hard", {0, 1.7, 0}, 300))})[0];
    };
    const SolidShape given =
        pressed({{.points = left, .function = {.radius = 0.8, .influence = 1.6, .stiffness = 2.5}},
                 {.points = right, .function = {.radius = 1, .influence = 2, .stiffness = 2}}},
                0.8);
    const SolidShape not_given = pressed({{.points = left, .function = {.radius = 0.8}},
                                          {.points = right, .function = {.radius = 1}}},
                                         {});
    EXPECT_GT(given.moved, 20);
    EXPECT_EQ(not_given.positions, given.positions);

    // Also of what is set on the way.
    SolidSimulation simulation(std::vector{ball("a", {0, 0, 0}, 300), ball("b", {5, 0, 0}, 300)});
    simulation.set_contact(0, 0.5, 0, {.attenuation = 0.2});
    EXPECT_EQ(*SolidInsides::solids(simulation)[0].definition.propagation.width, 1);
}

TEST(SolidSimulation, names_that_are_there_twice_are_refused) {
    const std::vector<SolidDefinition> twice{ball("a", {0, 0, 0}, 200), ball("a", {3, 0, 0}, 200)};
    const std::string sentence = "the name a is there twice, expected names that differ";
    EXPECT_EQ(input_error([&] { SolidSimulation simulation(twice); }), sentence);
    EXPECT_EQ(input_error([&] { deform_solids(twice); }), sentence);
}

// From pieces alone, without a word of fields.
TEST(SolidSimulation, pieces_become_the_mesh_of_their_field) {
    const std::vector<FieldPiece> pieces{{.points = {Vec3(0, 0, 0)}}, {.points = {Vec3(1, 0, 0)}}};
    EXPECT_EQ(polygonize(pieces, 300).positions, polygonize(Field(pieces), 300).positions);
}

TEST(SolidSimulation, a_second_step_is_refused_and_the_first_goes_on) {
    const std::vector<SolidDefinition> definitions{ball("ball", {0, 9, 0}, 400), slab("floor", 3)};
    SolidSimulation simulation(definitions);
    std::atomic<int> done = 0;
    EXPECT_EQ(error_of_second_call([&] {
                  simulation.step({1e-4, {0, -gravity, 0}, {}});
                  ++done;
              }),
              "step: in use by another call, expected one call at a time");
    EXPECT_NEAR(SolidInsides::solids(simulation)[0].state.velocity.y(), -1e-4 * gravity * done,
                1e-9);
}

} // namespace
} // namespace knead
