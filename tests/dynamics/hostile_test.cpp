// What nobody should ask for, and some will.

#include "knead/base/error.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stop_token>

#include "dynamics/simulated.hpp"
#include "dynamics/soft_ball.hpp"
#include "input_error.hpp"
#include "processor_time.hpp"

namespace knead::testing_dynamics {
namespace {

using testing::soft_ball;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

std::string geometry_error(const auto& call) {
    try {
        call();
    } catch (const GeometryError& error) {
        return error.what();
    }
    return "no error";
}

void expect_sound(const Simulation& simulation) {
    EXPECT_EQ(simulation.crossings(), 0);
    EXPECT_GE(simulation.smallest_distance(), 0.5 * simulation.tolerance());
    for (int body = 0; body < simulation.body_count(); ++body)
        for (const Vec3& position : simulation.positions(body)) ASSERT_TRUE(position.allFinite());
}

void run(Simulation& simulation, int steps, double dt, const Vec3& gravity = Vec3(0, -9.81, 0)) {
    for (int i = 0; i < steps; ++i) {
        simulation.step(go_on(dt, gravity));
        expect_sound(simulation);
    }
}

BodyDefinition small_sheet(const Vec3& at, int cells = 8) {
    BodyDefinition cloth =
        make_body("sheet", BodyKind::cloth, make_grid({1, 1}, {cells, cells}), at);
    cloth.material.density = 300;
    return cloth;
}

TEST(HostileSimulation, BodiesThatStartInEachOtherAreNamedOrParted) {
    SimulationSettings settings = keep_apart(5e-3);
    const std::vector<BodyDefinition> balls = {soft_ball("left", Vec3(0, 2, 0)),
                                               soft_ball("right", Vec3(0.6, 2.1, 0)), make_floor()};
    const std::string found = geometry_error([&] { Simulation(balls, settings); });
    EXPECT_NE(found.find("bodies start in each other: 'left' and 'right' ("), std::string::npos)
        << found;
    const std::vector<BodyDefinition> sunk = {soft_ball("ball", Vec3(0, 0.2, 0)), make_floor()};
    EXPECT_NE(geometry_error([&] { Simulation(sunk, settings); }).find("'ball' and 'floor'"),
              std::string::npos);

    settings.separate_start = true;
    for (const auto& bodies : {balls, sunk}) {
        Simulation simulation(bodies, settings);
        expect_sound(simulation);
        run(simulation, 20, 0.02);
        // And the ball is on that side of the floor on which most of it was.
        EXPECT_GT(mean_place(simulation.positions(0)).y(), 0.2);
    }
}

TEST(HostileSimulation, WhatCannotBePartedIsNamed) {
    SimulationSettings settings = keep_apart(5e-3);
    settings.separate_start = true;
    BodyDefinition held = soft_ball("held", Vec3(0, 0.2, 0));
    held.pins = {0};
    EXPECT_NE(geometry_error([&] {
                  Simulation({held, make_floor()}, settings);
              }).find("neither can be moved"),
              std::string::npos);
}

TEST(HostileSimulation, BadElementsAreNamed) {
    BodyDefinition flat = soft_ball("ball", Vec3::Zero());
    auto& tet = flat.elements->tets[7];
    std::swap(tet[0], tet[1]);
    EXPECT_EQ(input_error([&] { Simulation({flat}); }).rfind("body 'ball': element 7 ", 0), 0u)
        << input_error([&] { Simulation({flat}); });
    std::swap(tet[0], tet[1]);
    tet[0] = tet[1];
    EXPECT_EQ(input_error([&] { Simulation({flat}); }).rfind("body 'ball': element 7 ", 0), 0u);
    BodyDefinition squashed = soft_ball("ball", Vec3::Zero());
    for (Vec3& p : squashed.elements->positions) p.y() = 0;
    squashed.positions.assign(squashed.elements->positions.begin(),
                              squashed.elements->positions.begin() +
                                  static_cast<std::ptrdiff_t>(squashed.positions.size()));
    EXPECT_EQ(input_error([&] { Simulation({squashed}); }).rfind("body 'ball': element ", 0), 0u);
}

TEST(HostileSimulation, BodiesWithoutMassAreRefused) {
    for (const BodyKind kind : {BodyKind::volume, BodyKind::rigid, BodyKind::cloth})
        for (const double density : {0.0, -1.0, not_a_number}) {
            BodyDefinition body = make_body("light", kind, make_sphere(1, 1));
            body.material.density = density;
            const std::string found = input_error([&] { Simulation({body}); });
            EXPECT_EQ(found.rfind("body 'light': density is ", 0), 0u) << found;
        }
    BodyDefinition flat = make_body("flat", BodyKind::rigid, make_box({1, 1, 1}, {1, 1, 1}));
    for (Vec3& p : flat.positions) p.y() = 0;
    EXPECT_NE(geometry_error([&] { Simulation({flat}); }).find("'flat'"), std::string::npos);
}

TEST(HostileSimulation, BodiesWithoutStiffnessAreMush) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.6, 0)),
                   cloth = small_sheet(Vec3(0, 1.15, 0), 4);
    ball.material.young = cloth.material.young = 0;
    Simulation simulation({ball, cloth, make_floor()}, keep_apart(5e-3));
    const double start = simulation.energy().total();
    run(simulation, 13, 0.02);
    EXPECT_LE(simulation.energy().total(), start);
    EXPECT_EQ(simulation.energy().elastic, 0);
    EXPECT_GT(lowest_height(simulation.positions(0)), 0);
}

TEST(HostileSimulation, BodiesThatAreHardlyElasticBehaveLikeRigidOnes) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.6, 0)), cloth = small_sheet(Vec3(0, 1.3, 0));
    ball.material.young = cloth.material.young = 1e12;
    Simulation simulation({ball, cloth, make_floor()}, keep_apart(5e-3));
    const std::vector<Vec3> before(simulation.positions(0).begin(), simulation.positions(0).end());
    run(simulation, 25, 0.02);
    double change = 0;
    for (std::size_t v = 1; v < before.size(); ++v)
        change = std::max(
            change, std::abs((simulation.positions(0)[v] - simulation.positions(0)[0]).norm() -
                             (before[v] - before[0]).norm()));
    EXPECT_LT(change, 1e-3);
    EXPECT_NEAR(mean_place(simulation.positions(0)).y(), 0.505, 0.01);
}

// A thousandth or a thousand times as large, as stiff for its weight and as much slower: the same.
TEST(HostileSimulation, SmallAndLargeScenesMoveAlike) {
    const auto heights = [](double scale) {
        BodyDefinition ball = soft_ball("ball", Vec3(0, 0.6 * scale, 0), 0.5 * scale);
        ball.material.young *= scale;
        Simulation simulation({ball, make_floor(6 * scale)}, keep_apart(5e-3 * scale));
        std::vector<double> result;
        for (int i = 0; i < 20; ++i) {
            simulation.step(go_on(0.02 * std::sqrt(scale)));
            expect_sound(simulation);
            result.push_back(mean_place(simulation.positions(0)).y() / scale);
        }
        return result;
    };
    const std::vector<double> usual = heights(1);
    for (const double scale : {1e-3, 1e3}) {
        const std::vector<double> other = heights(scale);
        for (std::size_t i = 0; i < usual.size(); ++i)
            ASSERT_NEAR(usual[i], other[i], 1e-4) << scale << ", step " << i;
    }
}

// The same material and step whatever the size: a millimetre ball moves by its size in a step, one
// of half a kilometre cannot carry itself.
TEST(HostileSimulation, AnySizeStaysSound) {
    for (const double scale : {1e-3, 1e3}) {
        Simulation simulation(
            {soft_ball("ball", Vec3(0, 0.6 * scale, 0), 0.5 * scale), make_floor(6 * scale)},
            keep_apart(5e-3 * scale));
        run(simulation, 20, 0.02);
        EXPECT_GT(lowest_height(simulation.positions(0)), 0);
    }
}

TEST(HostileSimulation, FarFromTheOriginNothingChanges) {
    const auto fall = [](const Vec3& origin) {
        BodyDefinition ball = soft_ball("ball", Vec3(0, 0.6, 0) + origin), ground = make_floor();
        for (Vec3& p : ground.positions) p += origin;
        Simulation simulation({ball, ground}, keep_apart(5e-3));
        run(simulation, 20, 0.02);
        return Vec3(mean_place(simulation.positions(0)) - origin);
    };
    EXPECT_LT((fall(Vec3::Zero()) - fall(Vec3(1e4, 1e4, -1e4))).norm(), 1e-5);
}

TEST(HostileSimulation, AStepOfTenSecondsDoesNotPassThroughTheFloor) {
    BodyDefinition box =
        make_body("box", BodyKind::rigid, make_box({0.5, 0.5, 0.5}, {1, 1, 1}), Vec3(2, 1, 0));
    Simulation simulation(
        {soft_ball("ball", Vec3(0, 1, 0)), box, small_sheet(Vec3(-1.5, 0.5, 0)), make_floor(12)},
        keep_apart(5e-3));
    run(simulation, 3, 10);
    for (int body = 0; body < 3; ++body)
        EXPECT_GT(lowest_height(simulation.positions(body)), 0) << body;
}

// Two plates that go on until they have passed each other.
struct Press {
    Simulation simulation;
    std::vector<Vec3> lower, upper;
    double close = 0; // each plate, over the whole run

    // Notes of all steps, in one text.
    std::string squeeze(int steps, double dt) {
        std::string notes;
        for (int i = 1; i <= steps; ++i) {
            StepInput input = go_on(dt, Vec3::Zero());
            input.targets = {{}, lower, upper};
            for (Vec3& p : input.targets[1]) p.y() += close * i / steps;
            for (Vec3& p : input.targets[2]) p.y() -= close * i / steps;
            const ProcessorTime watch;
            for (const std::string& note : simulation.step(input).notes) notes += note + "\n";
            EXPECT_LT(watch.milliseconds(), sanitizer_slowdown * 10000) << "step " << i;
            expect_sound(simulation);
        }
        return notes;
    }
};

Press press_of(const BodyDefinition& body, double gap, double close) {
    const BodyDefinition lower =
        make_body("lower", BodyKind::kinematic, make_grid({3, 3}, {2, 2}), Vec3(0, -gap, 0));
    const BodyDefinition upper =
        make_body("upper", BodyKind::kinematic, make_grid({3, 3}, {2, 2}), Vec3(0.1, gap, 0));
    return {Simulation({body, lower, upper}, keep_apart(5e-3)), lower.positions, upper.positions,
            close};
}

TEST(HostileSimulation, PlatesThatLeaveNoRoomForCloth) {
    Press press = press_of(small_sheet(Vec3::Zero(), 2), 0.05, 0.06);
    const std::string notes = press.squeeze(6, 0.02);
    EXPECT_NE(notes.find("er' was held back by "), std::string::npos) << notes;
    EXPECT_NE(notes.find(": it left no room"), std::string::npos) << notes;
}

TEST(HostileSimulation, PlatesThatLeaveNoRoomForASoftBrick) {
    BodyDefinition brick =
        make_body("brick", BodyKind::volume, make_box({0.6, 0.2, 0.4}, {1, 1, 1}));
    brick.cells = 3;
    Press press = press_of(brick, 0.11, 0.12);
    const std::string notes = press.squeeze(10, 0.02);
    EXPECT_NE(notes.find("er' was held back by "), std::string::npos) << notes;
    EXPECT_LT(press.simulation.positions(2)[0].y() - press.simulation.positions(1)[0].y(), 0.1);
}

TEST(HostileSimulation, TargetsThatAreNoPlacesAreRefusedAndNothingHappens) {
    BodyDefinition cloth = small_sheet(Vec3(0, 1, 0));
    cloth.pins = {0};
    Simulation simulation({cloth, make_floor()}, keep_apart(5e-3));
    for (const int body : {0, 1}) {
        StepInput input = go_on(0.01);
        input.targets.resize(2);
        input.targets[body] = body == 0 ? cloth.positions : make_floor().positions;
        input.targets[body][0].x() = not_a_number;
        EXPECT_EQ(input_error([&] { simulation.step(input); }),
                  "step: body " + std::to_string(body) + " has a target that is not finite");
        input.targets[body].pop_back();
        EXPECT_NE(input_error([&] { simulation.step(input); }).find("expected one a vertex"),
                  std::string::npos);
    }
    EXPECT_EQ(simulation.time(), 0);
    StepInput storm = go_on(0.01);
    storm.wind = Vec3(0, not_a_number, 0);
    storm.air_density = 1;
    EXPECT_ANY_THROW(simulation.step(storm));
    storm = go_on(0.01, Vec3(0, not_a_number, 0));
    EXPECT_ANY_THROW(simulation.step(storm));
    EXPECT_EQ(simulation.time(), 0);
    run(simulation, 3, 0.01);
}

std::string solve_error(const auto& call) {
    try {
        call();
    } catch (const SolveError& error) {
        return error.what();
    }
    return "no error";
}

TEST(HostileSimulation, WhatIsTooFarAwayIsNamed) {
    BodyDefinition floor = make_floor();
    for (Vec3& p : floor.positions) p.y() -= 9007199254740992;
    EXPECT_EQ(input_error([&] {
                  Simulation({soft_ball("ball", Vec3(0, 1, 0)), floor});
              }),
              "body 'floor' starts 9.01e+15 away from the origin, expected at most 1.32e+07, 1e+08 "
              "edges of the finest mesh");
}

TEST(HostileSimulation, WhatIsTooFastIsNamedAndChangesNothing) {
    const ProcessorTime time;
    BodyDefinition ball = soft_ball("ball", Vec3(0, 2, 0));
    ball.velocity = Vec3(1e9, 0, 0);
    Simulation simulation({ball, make_floor()});
    const std::vector<Vec3> before(simulation.positions(0).begin(), simulation.positions(0).end());
    EXPECT_EQ(solve_error([&] { simulation.step(go_on(0.01)); }),
              "body 'ball' would move by 1e+07 in a step of 0.01 s, more than 10000 times its size "
              "of 1.73; expected slower motion or a shorter step");
    StepInput input = go_on(1e-9);
    input.targets.resize(2);
    for (const Vec3& p : simulation.positions(1)) input.targets[1].push_back(p + Vec3(0, 0, 9e15));
    EXPECT_EQ(solve_error([&] { simulation.step(input); }),
              "body 'floor' would move by 9e+15 in a step of 1e-09 s, more than 10000 times its "
              "size of 8.49; expected slower motion or a shorter step");
    EXPECT_TRUE(std::ranges::equal(before, simulation.positions(0)));
    simulation.step(go_on(1e-9));
    EXPECT_LT(time.milliseconds(), 1000 * sanitizer_slowdown);
}

// Its corners are at their places all the same.
TEST(HostileSimulation, WhatTurnsTooFastIsNamed) {
    BodyDefinition box = make_body("box", BodyKind::rigid, make_box({1, 1, 1}, {1, 1, 1}));
    box.angular_velocity = Vec3(0, 1e9, 0);
    Simulation simulation({box});
    EXPECT_EQ(solve_error([&] { simulation.step(go_on(0.01)); }),
              "body 'box' would turn 1.59e+06 times in a step of 0.01 s, more than 10000 times; "
              "expected slower motion or a shorter step");
    simulation.step(go_on(1e-5));
}

// A step that is stopped on its way leaves no trace.
TEST(HostileSimulation, AStepThatWasStoppedIsTakenAgainWithTheSameBits) {
    const auto falling = [] {
        std::vector<BodyDefinition> bodies = {soft_ball("low", Vec3(0, 0.51, 0)),
                                              soft_ball("high", Vec3(0.1, 1.53, 0)), make_floor()};
        return Simulation(std::move(bodies), keep_apart(5e-3));
    };
    Simulation whole = falling(), stopped = falling();
    for (int i = 0; i < 20; ++i) {
        whole.step(go_on(0.01));
        std::stop_source source;
        source.request_stop();
        EXPECT_THROW(stopped.step(go_on(0.01), source.get_token()), Cancelled);
        stopped.step(go_on(0.01));
    }
    for (int body = 0; body < 2; ++body)
        EXPECT_TRUE(std::ranges::equal(whole.positions(body), stopped.positions(body)));
}

#ifndef KNEAD_SANITIZED // it would take twenty seconds to find that out
TEST(HostileSimulation, ALatticeThatWouldFillTheMemoryIsRefused) {
    BodyDefinition box = make_body("box", BodyKind::volume, make_box({1, 1, 1}, {2, 2, 2}));
    box.cells = 34;
    const std::string found = input_error([&] { Simulation({box}); });
    EXPECT_TRUE(found.starts_with("body 'box': its lattice's ")) << found;
    EXPECT_NE(found.find(" numbers to solve for, expected at most 1e+09: fewer cells or a coarser "
                         "mesh"),
              std::string::npos)
        << found;
}
#endif

} // namespace
} // namespace knead::testing_dynamics
