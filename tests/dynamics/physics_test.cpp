// What every simulation must keep to: energy, momentum, friction, elasticity, and that solvers and
// numbers of threads do not matter.

#include "knead/base/parallel.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "dynamics/simulated.hpp"
#include "dynamics/soft_ball.hpp"

namespace knead::testing_dynamics {
namespace {

using testing::soft_ball;

void expect_apart(const Simulation& simulation) {
    EXPECT_EQ(simulation.crossings(), 0);
    EXPECT_GE(simulation.smallest_distance(), 0.5 * simulation.tolerance());
}

// The highest total energy over its start, as a part of what can be set free: the start's energy
// above that of everything lying on the floor.
double most_energy(Simulation simulation, double dt, double seconds) {
    const double start = simulation.energy().total();
    double most = start;
    for (int i = 0; i < static_cast<int>(seconds / dt); ++i) {
        const StepReport report = simulation.step(go_on(dt));
        EXPECT_NEAR(report.work, 0, 1e-9 * start);
        most = std::max(most, report.energy.total());
        EXPECT_EQ(simulation.crossings(), 0);
    }
    expect_apart(simulation);
    return most / start;
}

BodyDefinition sheet(const Vec3& at, int cells = 12) {
    BodyDefinition cloth =
        make_body("sheet", BodyKind::cloth, make_grid({1, 1}, {cells, cells}), at);
    cloth.material.young = 1e6;
    cloth.material.density = 300;
    return cloth;
}

class EnergyNeverRises : public ::testing::TestWithParam<int> {
protected:
    double dt() const { return 1e-3 * GetParam(); }
};

TEST_P(EnergyNeverRises, OfADroppedSoftBall) {
    EXPECT_LT(most_energy(
                  Simulation({soft_ball("ball", Vec3(0, 0.9, 0)), make_floor()}, keep_apart(5e-3)),
                  dt(), 0.6),
              1.01);
}

TEST_P(EnergyNeverRises, OfTwoSoftBalls) {
    EXPECT_LT(most_energy(Simulation({soft_ball("ball", Vec3(0, 0.6, 0)),
                                      soft_ball("other", Vec3(0.1, 1.7, 0.05)), make_floor()},
                                     keep_apart(5e-3)),
                          dt(), 0.5),
              1.01);
}

TEST_P(EnergyNeverRises, OfADroppedCloth) {
    BodyDefinition post = make_body("post", BodyKind::kinematic, make_sphere(0.3, 2));
    EXPECT_LT(
        most_energy(Simulation({sheet(Vec3(0.1, 0.6, 0)), post}, keep_apart(5e-3)), dt(), 0.6),
        1.01);
}

TEST_P(EnergyNeverRises, OfTumblingRigidBodies) {
    std::vector<BodyDefinition> bodies = {make_floor()};
    for (int i = 0; i < 4; ++i) {
        const Quat turn(Eigen::AngleAxisd(0.7 * i + 0.4, Vec3(1, 0.5 * i, 0.3).normalized()));
        bodies.push_back(make_body(
            "box " + std::to_string(i), BodyKind::rigid, make_box({0.5, 0.3, 0.4}, {1, 1, 1}),
            Vec3(0.1 * i, 0.5 + 0.75 * i, 0.05 * i), turn.toRotationMatrix()));
        bodies.back().angular_velocity = Vec3(3, 2.0 * i, -4);
    }
    EXPECT_LT(most_energy(Simulation(bodies, keep_apart(5e-3)), dt(), 1.2), 1.01);
}

INSTANTIATE_TEST_SUITE_P(Steps, EnergyNeverRises, ::testing::Values(5, 10, 30),
                         ::testing::PrintToStringParamName());

// What a ball that spins for half a second loses of its angular momentum.
double lost_spin(double dt, bool on_floor) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.505, 0));
    ball.material.young = 1e6;
    ball.material.friction = 0;
    ball.angular_velocity = Vec3(0, 6, 0);
    std::vector<BodyDefinition> bodies = {ball};
    // Right over a vertex of the floor and its edges, which must not catch.
    if (on_floor) bodies.push_back(make_floor());
    SimulationSettings settings = keep_apart(5e-3);
    settings.max_halvings = 0; // or steps that gain energy would be divided
    Simulation simulation(bodies, settings);
    const double start = simulation.angular_momentum().y();
    const Vec3 gravity(0, on_floor ? -9.81 : 0.0, 0);
    for (int i = 0; i < static_cast<int>(std::lround(0.48 / dt)); ++i)
        simulation.step(go_on(dt, gravity));
    return 1 - simulation.angular_momentum().y() / start;
}

TEST(Physics, SpinIsLostAsTheIntegratorLosesItAndNoFaster) {
    const double coarse = lost_spin(0.03, false), middle = lost_spin(0.015, false),
                 fine = lost_spin(0.0075, false);
    EXPECT_GT(fine, -1e-6);
    EXPECT_LT(coarse, 0.1);
    // The order of backward Euler: half the step, at most half the loss.
    EXPECT_LT(middle, 0.55 * coarse);
    EXPECT_LT(fine, 0.55 * middle);
    // On a frictionless floor the ball is squeezed, which costs more; half as much at half the
    // step.
    const double coarse_on_floor = lost_spin(0.03, true);
    EXPECT_LT(coarse_on_floor, 0.01);
    EXPECT_LT(lost_spin(0.015, true), 0.6 * coarse_on_floor);
}

TEST(Physics, ACantileverApproachesTheKnownDeflection) {
    const Cantilever bar;
    const double known = bar.known_deflection();
    double error = 1;
    for (const int cells : {5, 10, 20}) {
        const double now = std::abs(bar.simulated_deflection(cells) / known - 1);
        EXPECT_LT(now, 0.7 * error) << cells;
        error = now;
    }
    EXPECT_LT(error, 0.1);
}

TEST(Physics, ASoftBlockSticksAndSlidesLikeARigidOne) {
    const double friction = 0.5;
    for (const double degrees : {20.0, 25.0, 30.0, 40.0}) {
        const double angle = degrees * std::numbers::pi / 180;
        const SlopeMotion soft = slide_down(BodyKind::volume, angle, friction);
        if (soft.wanted < 0) {
            EXPECT_LT(soft.moved, 1e-3) << degrees;
            continue;
        }
        EXPECT_NEAR(soft.gained, soft.wanted, 0.03 * soft.wanted) << degrees;
        const SlopeMotion rigid = slide_down(BodyKind::rigid, angle, friction);
        EXPECT_NEAR(soft.gained, rigid.gained, 0.03 * rigid.gained) << degrees;
    }
}

TEST(Physics, WithoutFrictionBlocksSlideAsIfFalling) {
    for (const BodyKind kind : {BodyKind::volume, BodyKind::rigid}) {
        const SlopeMotion motion = slide_down(kind, 0.4, 0);
        EXPECT_NEAR(motion.gained, motion.wanted, 0.005 * motion.wanted);
    }
}

TEST(Physics, AllSolversFindTheSameMotion) {
    const auto simulate = [](ContactSolver solver) {
        SimulationSettings settings = keep_apart(5e-3);
        settings.solver = solver;
        Simulation simulation({soft_ball("ball", Vec3(0, 0.51, 0)),
                               soft_ball("other", Vec3(0.1, 1.53, 0.05)), make_floor()},
                              settings);
        for (int i = 0; i < 12; ++i) {
            simulation.step(go_on(0.02));
            expect_apart(simulation);
        }
        EXPECT_GT(simulation.energy().elastic, 1);
        return simulation;
    };
    const Simulation full = simulate(ContactSolver::full_anticipation);
    for (const ContactSolver solver :
         {ContactSolver::iterative_anticipation, ContactSolver::condensed_anticipation}) {
        const Simulation other = simulate(solver);
        double difference = 0;
        for (int body = 0; body < 2; ++body)
            for (std::size_t v = 0; v < full.positions(body).size(); ++v)
                difference = std::max(difference,
                                      (full.positions(body)[v] - other.positions(body)[v]).norm());
        EXPECT_LT(difference, 0.5 * full.tolerance()) << static_cast<int>(solver);
    }
}

TEST(Physics, PinsAreWhereTheSceneSays) {
    BodyDefinition cloth = sheet(Vec3(0, 2, 0), 8);
    cloth.pins = {0, 8};
    BodyDefinition bar =
        make_body("bar", BodyKind::volume, make_box({1, 0.2, 0.2}, {4, 1, 1}), Vec3(0, 0, 0));
    bar.cells = 5;
    for (int v = 0; v < static_cast<int>(bar.positions.size()); ++v)
        if (bar.positions[v].x() < -0.49) bar.pins.push_back(v);
    Simulation simulation({cloth, bar}, keep_apart(1e-3));
    StepInput input = go_on(0.01);
    for (int i = 1; i <= 40; ++i) {
        const Vec3 moved(0.3 * std::sin(0.1 * i), 0.01 * i, 0);
        input.targets = {cloth.positions, bar.positions};
        for (auto& targets : input.targets)
            for (Vec3& target : targets) target += moved;
        simulation.step(input);
        for (const int pin : cloth.pins)
            ASSERT_LT((simulation.positions(0)[pin] - input.targets[0][pin]).norm(), 1e-12);
        for (const int pin : bar.pins)
            ASSERT_LT((simulation.positions(1)[pin] - input.targets[1][pin]).norm(), 1e-12);
    }
    // Not all of it is pinned: the rest lags behind and hangs down.
    EXPECT_GT((simulation.positions(0)[40] - input.targets[0][40]).norm(), 0.1);
    expect_apart(simulation);
}

TEST(Physics, SpringsToTargetsBalanceTheWeight) {
    BodyDefinition cloth = sheet(Vec3(0, 2, 0), 8);
    BodyDefinition ball = soft_ball("ball", Vec3::Zero());
    cloth.target_stiffness = ball.target_stiffness = 200;
    ball.elements.reset();
    ball.cells = 4;
    Simulation simulation({cloth, ball}, keep_apart(1e-3));
    for (int i = 0; i < 60; ++i) simulation.step(go_on(0.2));
    // Stiffness is a kilogram: the mean sag is g / k whatever the body weighs.
    for (int b = 0; b < 2; ++b) {
        const double sag = mean_place(b == 0 ? cloth.positions : ball.positions).y() -
                           mean_place(simulation.positions(b)).y();
        EXPECT_NEAR(sag, 9.81 / 200, 1e-3 * 9.81 / 200) << b;
    }
}

TEST(Physics, ClothGoesWithTheWind) {
    BodyDefinition free = sheet(Vec3(0, 5, 0), 4), held = sheet(Vec3(0, 0, 0), 4);
    held.name = "held";
    held.pins = {0, 1, 2, 3, 4};
    Simulation simulation({free, held}, keep_apart(1e-3));
    StepInput input = go_on(0.02, Vec3::Zero());
    input.air_density = 1.2;
    input.wind = Vec3(0, 8, 0);
    double work = 0;
    for (int i = 0; i < 400; ++i) work += simulation.step(input).work;
    EXPECT_GT(work, 0);
    // Face on, a sheet takes on the speed of the air, and not more.
    const Vec3 speed = mean_place(simulation.velocities(0));
    EXPECT_GT(speed.y(), 0.85 * 8);
    EXPECT_LT(speed.y(), 8 * 1.001);
    // Held at one edge, it stands along the wind.
    EXPECT_GT(mean_place(simulation.positions(1)).y(), 0.4);
    for (const int pin : held.pins) EXPECT_EQ(simulation.positions(1)[pin], held.positions[pin]);
}

TEST(Physics, SameBitsWithOneTwoAndEightThreads) {
    const auto simulate = [](int threads) {
        const ThreadLimit limit(threads);
        BodyDefinition box = make_body("box", BodyKind::rigid, make_box({0.4, 0.3, 0.4}, {2, 2, 2}),
                                       Vec3(0.1, 1.3, 0));
        BodyDefinition ring =
            make_body("ring", BodyKind::volume, make_torus(0.4, 0.15, 12), Vec3(0, 1.75, 0.05));
        ring.cells = 6;
        Simulation simulation({soft_ball("ball", Vec3(0, 0.51, 0)), box, ring,
                               sheet(Vec3(0.05, 1.06, 0), 10), make_floor()},
                              keep_apart(4e-3));
        StepInput input = go_on(0.02);
        input.air_density = 1.2;
        input.wind = Vec3(1, 0, 0.5);
        for (int i = 0; i < 16; ++i) simulation.step(input);
        expect_apart(simulation);
        return simulation;
    };
    const Simulation one = simulate(1);
    for (const int threads : {2, 8}) {
        const Simulation many = simulate(threads);
        for (int body = 0; body < one.body_count(); ++body)
            for (std::size_t v = 0; v < one.positions(body).size(); ++v) {
                ASSERT_EQ(one.positions(body)[v], many.positions(body)[v]) << threads;
                ASSERT_EQ(one.velocities(body)[v], many.velocities(body)[v]) << threads;
            }
    }
}

} // namespace
} // namespace knead::testing_dynamics
