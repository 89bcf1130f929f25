#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/dynamics/equal_steps.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <sstream>

#include "dynamics/simulated.hpp"
#include "dynamics/soft_ball.hpp"
#include "input_error.hpp"
#include "second_call.hpp"

namespace knead {
namespace {

using testing::soft_ball;
using namespace testing_dynamics;

// The promise that holds after every step.
void expect_free(const Simulation& simulation) {
    EXPECT_EQ(simulation.crossings(), 0);
    EXPECT_GE(simulation.smallest_distance(), 0.5 * simulation.tolerance());
}

TEST(Simulation, KeepsMomentumInFreeFlightToRounding) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 1, 0));
    ball.angular_velocity = Vec3(2, -1, 3);
    ball.velocity = Vec3(1, 2, -0.5);
    BodyDefinition cloth =
        make_body("cloth", BodyKind::cloth, make_grid({1, 1}, {8, 8}), Vec3(3, 0, 0));
    cloth.angular_velocity = Vec3(1, 0, 2);
    BodyDefinition box =
        make_body("box", BodyKind::rigid, make_box({0.4, 0.7, 1}, {1, 1, 1}), Vec3(-3, 0, 0));
    box.angular_velocity = Vec3(4, 1, -2);
    Simulation simulation({ball, cloth, box}, keep_apart(1e-3));
    const Vec3 start = simulation.linear_momentum();
    const double before = simulation.energy(Vec3::Zero()).total();
    for (int i = 0; i < 30; ++i) {
        simulation.step(go_on(0.02, Vec3::Zero()));
        expect_free(simulation);
    }
    EXPECT_LT((simulation.linear_momentum() - start).norm(), 1e-11 * start.norm());
    EXPECT_LE(simulation.energy(Vec3::Zero()).total(), before * (1 + 1e-9));
}

TEST(Simulation, ASpinningRigidBodyKeepsItsAngularMomentum) {
    BodyDefinition box = make_body("box", BodyKind::rigid, make_box({0.4, 0.7, 1}, {1, 1, 1}));
    box.angular_velocity = Vec3(4, 1, -2);
    Simulation simulation({box}, keep_apart(1e-3));
    const Vec3 start = simulation.angular_momentum();
    const double before = simulation.energy(Vec3::Zero()).total();
    for (int i = 0; i < 200; ++i) simulation.step(go_on(0.03, Vec3::Zero()));
    EXPECT_LT((simulation.angular_momentum() - start).norm(), 1e-12 * start.norm());
    EXPECT_NEAR(simulation.energy(Vec3::Zero()).total(), before, 0.01 * before);
}

TEST(Simulation, ASoftBallLandsAndComesToRestOnTheFloor) {
    Simulation simulation({soft_ball("ball", Vec3(0, 0.9, 0)), make_floor()}, keep_apart(5e-3));
    const double start = simulation.energy().total();
    for (int i = 0; i < 60; ++i) {
        const StepReport report = simulation.step(go_on(0.03));
        expect_free(simulation);
        EXPECT_LE(report.energy.total(), start * 1.0001) << "step " << i;
        EXPECT_GT(lowest_height(simulation.positions(0)), 0) << "step " << i;
        EXPECT_EQ(report.last_resorts, 0);
    }
    EXPECT_LT(simulation.energy().kinetic, 1e-3 * start);
    EXPECT_LT(lowest_height(simulation.positions(0)), 2 * simulation.tolerance());
    for (std::size_t t = 0; t < simulation.elements(0)->tets.size(); ++t)
        EXPECT_GT(signed_volume(*simulation.elements(0), simulation.element_positions(0),
                                static_cast<int>(t)),
                  0);
}

// A rigid block on a slope: sticks below the angle of friction, slides above it as it should.
TEST(Simulation, ABlockOnASlopeSticksOrSlides) {
    const double friction = 0.5;
    for (const double degrees : {20.0, 25.0, 28.0, 32.0, 40.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        const Mat3 turn = Eigen::AngleAxisd(-angle, Vec3::UnitZ()).toRotationMatrix();
        BodyDefinition slope = make_body("slope", BodyKind::kinematic, make_grid({40, 10}, {1, 1}),
                                         Vec3::Zero(), turn);
        BodyDefinition block = make_body("block", BodyKind::rigid, make_box({1, 0.5, 1}, {1, 1, 1}),
                                         turn * Vec3(-10, 0.25 + 1e-3, 0.1), turn);
        slope.material.friction = block.material.friction = friction;
        Simulation simulation({block, slope}, keep_apart(1e-3));
        const Vec3 down = turn * Vec3::UnitX();
        const double dt = 0.01;
        for (int i = 0; i < 20; ++i) simulation.step(go_on(dt)); // settles
        const double speed = down.dot(mean_place(simulation.velocities(0)));
        const Vec3 place = mean_place(simulation.positions(0));
        for (int i = 0; i < 50; ++i) {
            simulation.step(go_on(dt));
            expect_free(simulation);
        }
        const double gained = down.dot(mean_place(simulation.velocities(0))) - speed;
        const double wanted = 9.81 * (std::sin(angle) - friction * std::cos(angle)) * 50 * dt;
        if (std::tan(angle) < friction)
            EXPECT_LT((mean_place(simulation.positions(0)) - place).norm(), 1e-4) << degrees;
        else
            EXPECT_NEAR(gained, wanted, 0.02 * wanted) << degrees;
    }
}

TEST(Simulation, AStackOfTenBoxesStaysPut) {
    std::vector<BodyDefinition> bodies = {make_floor()};
    for (int i = 0; i < 10; ++i)
        bodies.push_back(make_body("box " + std::to_string(i), BodyKind::rigid,
                                   make_box({1, 0.5, 1}, {1, 1, 1}),
                                   Vec3(0.01 * (i % 3), 0.25 + 2e-3 + i * 0.502, 0.01 * (i % 2))));
    Simulation simulation(bodies, keep_apart(2e-3));
    std::vector<Vec3> start;
    for (int i = 1; i <= 10; ++i) start.push_back(mean_place(simulation.positions(i)));
    for (int i = 0; i < 500; ++i) {
        simulation.step(go_on(0.02));
        if (i % 25 == 0) expect_free(simulation);
    }
    for (int i = 1; i <= 10; ++i)
        EXPECT_LT((mean_place(simulation.positions(i)) - start[i - 1]).norm(), 0.01) << i;
    EXPECT_LT(simulation.energy().kinetic, 0.1); // of five tons
}

TEST(Simulation, GoesOnFromASavedStateBitForBitWithAnyThreads) {
    const auto make = [] {
        return Simulation({soft_ball("ball", Vec3(0, 0.6, 0)),
                           soft_ball("other", Vec3(0.1, 1.7, 0)), make_floor()},
                          keep_apart(5e-3));
    };
    Simulation whole = make();
    std::string middle;
    for (int i = 0; i < 24; ++i) {
        if (i == 12) {
            std::ostringstream out;
            whole.save(out);
            middle = out.str();
        }
        whole.step(go_on(0.03));
    }
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        Simulation again = make();
        std::istringstream in(middle);
        again.load(in);
        for (int i = 12; i < 24; ++i) again.step(go_on(0.03));
        for (int body = 0; body < 3; ++body)
            for (std::size_t v = 0; v < whole.positions(body).size(); ++v)
                ASSERT_EQ(whole.positions(body)[v], again.positions(body)[v]) << threads;
    }
}

TEST(Simulation, RefusesWhatCannotBeSimulated) {
    Simulation simulation({make_floor()});
    std::istringstream nonsense("nonsense, and a bit more of it");
    EXPECT_THROW(simulation.load(nonsense), InputError);
    EXPECT_THROW(simulation.step(go_on(0)), InputError);
    EXPECT_THROW(simulation.step(go_on(std::nan(""))), InputError);
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.3, 0));
    EXPECT_THROW(Simulation({ball, make_floor()}), GeometryError);
    try {
        Simulation({ball, make_floor()});
    } catch (const GeometryError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("'ball' and 'floor'"), std::string::npos) << what;
    }
}

TEST(Simulation, StillAirTakesEnergyAndWindGivesIt) {
    const auto work_of = [](const Vec3& velocity, const Vec3& wind) {
        BodyDefinition cloth = make_body("cloth", BodyKind::cloth, make_grid({1, 1}, {6, 6}));
        cloth.velocity = velocity;
        Simulation simulation({cloth}, keep_apart(1e-3));
        const double before = simulation.energy(Vec3::Zero()).total();
        StepInput input = go_on(0.01, Vec3::Zero());
        input.air_density = 1.2;
        input.wind = wind;
        double work = 0;
        for (int i = 0; i < 20; ++i) work += simulation.step(input).work;
        // Backward Euler loses some of what is done.
        EXPECT_LE(simulation.energy(Vec3::Zero()).total(), before + work + 1e-9);
        return work;
    };
    EXPECT_LT(work_of(Vec3(0, 3, 0), Vec3::Zero()), -0.01);
    EXPECT_GT(work_of(Vec3::Zero(), Vec3(0, 3, 0)), 0.01);
}

TEST(Simulation, NumbersOutOfRangeAreASolveErrorAndChangeNothing) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.6, 0));
    Simulation simulation({ball, make_floor()}, keep_apart(5e-3));
    const std::vector<Vec3> before(simulation.positions(0).begin(), simulation.positions(0).end());
    StepInput input = go_on(1e200);
    EXPECT_THROW(simulation.step(input), SolveError);
    for (std::size_t v = 0; v < before.size(); ++v)
        ASSERT_EQ(before[v], simulation.positions(0)[v]);
    simulation.step(go_on(0.01));
    expect_free(simulation);

    input = go_on(0.01);
    input.targets.resize(3);
    EXPECT_THROW(simulation.step(input), InputError);
}

TEST(Simulation, RefusesStatesThatNoSimulationWrites) {
    Simulation simulation({soft_ball("ball", Vec3(0, 0.6, 0)), make_floor()}, keep_apart(5e-3));
    simulation.step(go_on(0.01));
    std::ostringstream out;
    simulation.save(out);
    const std::string good = out.str();
    const auto load = [&](const std::string& text) {
        std::istringstream in(text);
        simulation.load(in);
    };
    load(good);
    EXPECT_THROW(load(good + "x"), InputError);
    EXPECT_THROW(load(good.substr(0, good.size() - 1)), InputError);
    std::string broken = good;
    const double nothing = std::nan("");
    // Behind the magic number, the tolerance, the time, the energy and a count: a position.
    broken.replace(5 * 8, 8, reinterpret_cast<const char*>(&nothing), 8);
    EXPECT_THROW(load(broken), InputError);
}

// What is done once is what the solver does, in equal steps that are not longer than asked for.
TEST(Simulation, OneCallGivesTheBitsOfTheSolver) {
    const std::vector<BodyDefinition> bodies{soft_ball("ball", Vec3(0, 0.55, 0)), make_floor()};
    Simulation simulation(bodies);
    for (int i = 0; i < 4; ++i) simulation.step({.seconds = 0.1 / 4});
    const std::vector<std::vector<Vec3>> surfaces = simulate(bodies, 0.1, {.seconds = 0.03});
    ASSERT_EQ(surfaces.size(), 2u);
    for (int body = 0; body < 2; ++body) {
        const std::span<const Vec3> expected = simulation.positions(body);
        EXPECT_EQ(surfaces[body], std::vector<Vec3>(expected.begin(), expected.end()));
    }
    EXPECT_NE(surfaces[0], bodies[0].positions);
    EXPECT_EQ(simulate(bodies, 0)[0], bodies[0].positions);
}

TEST(Simulation, TimeGoesByInEqualSteps) {
    EXPECT_EQ(equal_steps(0, 0.01), 0);
    EXPECT_EQ(equal_steps(1e-9, 0.01), 1);
    EXPECT_EQ(equal_steps(0.07, 0.01), 7); // 7.000000000000001 in doubles
    EXPECT_EQ(equal_steps(0.6, 0.2), 3);
    EXPECT_EQ(equal_steps(0.0701, 0.01), 8);
    EXPECT_EQ(input_error([] { equal_steps(-1, 0.01); }),
              "the seconds are -1, expected a number of at least 0");
    EXPECT_EQ(input_error([] { equal_steps(1, 0); }), "a step is 0 s, expected a positive number");
    EXPECT_EQ(input_error([] { equal_steps(1, std::nan("")); }),
              "a step is nan s, expected a positive number");
    EXPECT_EQ(input_error([] { equal_steps(1e10, 1); }),
              "10000000000 s in steps of 1 s are 10000000000 steps, expected at most a billion");
}

TEST(Simulation, ASecondStepIsRefusedAndTheFirstGoesOn) {
    Simulation simulation({soft_ball("ball", Vec3(0, 1, 0)), make_floor()}, keep_apart(1e-3));
    std::atomic<int> done = 0;
    EXPECT_EQ(error_of_second_call([&] {
                  simulation.step(go_on(1e-4));
                  ++done;
              }),
              "step: in use by another call, expected one call at a time");
    EXPECT_NEAR(simulation.time(), 1e-4 * done, 1e-9);
}

} // namespace
} // namespace knead
