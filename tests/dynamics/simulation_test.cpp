#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "dynamics/soft_ball.hpp"
#include "input_error.hpp"

namespace knead {
namespace {

using testing::soft_ball;

BodyDefinition body_of(const std::string& name, BodyKind kind, TriangleMesh mesh,
                       const Vec3& at = Vec3::Zero(), const Mat3& turn = Mat3::Identity()) {
    BodyDefinition body;
    body.name = name;
    body.kind = kind;
    for (Vec3& p : mesh.positions) p = turn * p + at;
    body.positions = std::move(mesh.positions);
    body.faces = std::move(mesh.faces);
    return body;
}

BodyDefinition floor_at(double height = 0, double size = 6, int cells = 2) {
    return body_of("floor", BodyKind::kinematic, make_grid({size, size}, {cells, cells}),
                   Vec3(0, height, 0));
}

SimulationSettings with_tolerance(double tolerance) {
    SimulationSettings settings;
    settings.tolerance = tolerance;
    return settings;
}

StepInput step_of(double seconds, const Vec3& gravity = Vec3(0, -9.81, 0)) {
    StepInput input;
    input.seconds = seconds;
    input.gravity = gravity;
    input.air_density = 0;
    return input;
}

// The promise that holds after every step.
void expect_free(const Simulation& simulation) {
    EXPECT_EQ(simulation.crossings(), 0);
    EXPECT_GE(simulation.smallest_distance(), 0.5 * simulation.tolerance());
}

Vec3 mean_of(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(points.size());
}

double lowest(std::span<const Vec3> points) {
    double low = 1e300;
    for (const Vec3& p : points) low = std::min(low, p.y());
    return low;
}

TEST(Simulation, KeepsMomentumInFreeFlightToRounding) {
    BodyDefinition ball = soft_ball("ball", Vec3(0, 1, 0));
    ball.angular_velocity = Vec3(2, -1, 3);
    ball.velocity = Vec3(1, 2, -0.5);
    BodyDefinition cloth =
        body_of("cloth", BodyKind::cloth, make_grid({1, 1}, {8, 8}), Vec3(3, 0, 0));
    cloth.angular_velocity = Vec3(1, 0, 2);
    BodyDefinition box =
        body_of("box", BodyKind::rigid, make_box({0.4, 0.7, 1}, {1, 1, 1}), Vec3(-3, 0, 0));
    box.angular_velocity = Vec3(4, 1, -2);
    Simulation simulation({ball, cloth, box}, with_tolerance(1e-3));
    const Vec3 start = simulation.linear_momentum();
    const double before = simulation.energy(Vec3::Zero()).total();
    for (int i = 0; i < 30; ++i) {
        simulation.step(step_of(0.02, Vec3::Zero()));
        expect_free(simulation);
    }
    EXPECT_LT((simulation.linear_momentum() - start).norm(), 1e-11 * start.norm());
    EXPECT_LE(simulation.energy(Vec3::Zero()).total(), before * (1 + 1e-9));
}

TEST(Simulation, ASpinningRigidBodyKeepsItsAngularMomentum) {
    BodyDefinition box = body_of("box", BodyKind::rigid, make_box({0.4, 0.7, 1}, {1, 1, 1}));
    box.angular_velocity = Vec3(4, 1, -2);
    Simulation simulation({box}, with_tolerance(1e-3));
    const Vec3 start = simulation.angular_momentum();
    const double before = simulation.energy(Vec3::Zero()).total();
    for (int i = 0; i < 200; ++i) simulation.step(step_of(0.03, Vec3::Zero()));
    EXPECT_LT((simulation.angular_momentum() - start).norm(), 1e-12 * start.norm());
    EXPECT_NEAR(simulation.energy(Vec3::Zero()).total(), before, 0.01 * before);
}

TEST(Simulation, ASoftBallLandsAndComesToRestOnTheFloor) {
    Simulation simulation({soft_ball("ball", Vec3(0, 0.9, 0)), floor_at()}, with_tolerance(5e-3));
    const double start = simulation.energy().total();
    for (int i = 0; i < 60; ++i) {
        const StepReport report = simulation.step(step_of(0.03));
        expect_free(simulation);
        EXPECT_LE(report.energy.total(), start * 1.0001) << "step " << i;
        EXPECT_GT(lowest(simulation.positions(0)), 0) << "step " << i;
        EXPECT_EQ(report.last_resorts, 0);
    }
    EXPECT_LT(simulation.energy().kinetic, 1e-3 * start);
    EXPECT_LT(lowest(simulation.positions(0)), 2 * simulation.tolerance());
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
        BodyDefinition slope =
            body_of("slope", BodyKind::kinematic, make_grid({40, 10}, {1, 1}), Vec3::Zero(), turn);
        BodyDefinition block = body_of("block", BodyKind::rigid, make_box({1, 0.5, 1}, {1, 1, 1}),
                                       turn * Vec3(-10, 0.25 + 1e-3, 0.1), turn);
        slope.material.friction = block.material.friction = friction;
        Simulation simulation({block, slope}, with_tolerance(1e-3));
        const Vec3 down = turn * Vec3::UnitX();
        const double dt = 0.01;
        for (int i = 0; i < 20; ++i) simulation.step(step_of(dt)); // settles
        const double speed = down.dot(mean_of(simulation.velocities(0)));
        const Vec3 place = mean_of(simulation.positions(0));
        for (int i = 0; i < 50; ++i) {
            simulation.step(step_of(dt));
            expect_free(simulation);
        }
        const double gained = down.dot(mean_of(simulation.velocities(0))) - speed;
        const double wanted = 9.81 * (std::sin(angle) - friction * std::cos(angle)) * 50 * dt;
        if (std::tan(angle) < friction)
            EXPECT_LT((mean_of(simulation.positions(0)) - place).norm(), 1e-4) << degrees;
        else
            EXPECT_NEAR(gained, wanted, 0.02 * wanted) << degrees;
    }
}

TEST(Simulation, AStackOfTenBoxesStaysPut) {
    std::vector<BodyDefinition> bodies = {floor_at()};
    for (int i = 0; i < 10; ++i)
        bodies.push_back(body_of("box " + std::to_string(i), BodyKind::rigid,
                                 make_box({1, 0.5, 1}, {1, 1, 1}),
                                 Vec3(0.01 * (i % 3), 0.25 + 2e-3 + i * 0.502, 0.01 * (i % 2))));
    Simulation simulation(bodies, with_tolerance(2e-3));
    std::vector<Vec3> start;
    for (int i = 1; i <= 10; ++i) start.push_back(mean_of(simulation.positions(i)));
    for (int i = 0; i < 500; ++i) {
        simulation.step(step_of(0.02));
        if (i % 25 == 0) expect_free(simulation);
    }
    for (int i = 1; i <= 10; ++i)
        EXPECT_LT((mean_of(simulation.positions(i)) - start[i - 1]).norm(), 0.01) << i;
    EXPECT_LT(simulation.energy().kinetic, 0.1); // of five tons
}

TEST(Simulation, GoesOnFromASavedStateBitForBitWithAnyThreads) {
    const auto make = [] {
        return Simulation(
            {soft_ball("ball", Vec3(0, 0.6, 0)), soft_ball("other", Vec3(0.1, 1.7, 0)), floor_at()},
            with_tolerance(5e-3));
    };
    Simulation whole = make();
    std::string middle;
    for (int i = 0; i < 24; ++i) {
        if (i == 12) {
            std::ostringstream out;
            whole.save(out);
            middle = out.str();
        }
        whole.step(step_of(0.03));
    }
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        Simulation again = make();
        std::istringstream in(middle);
        again.load(in);
        for (int i = 12; i < 24; ++i) again.step(step_of(0.03));
        for (int body = 0; body < 3; ++body)
            for (std::size_t v = 0; v < whole.positions(body).size(); ++v)
                ASSERT_EQ(whole.positions(body)[v], again.positions(body)[v]) << threads;
    }
}

TEST(Simulation, RefusesWhatCannotBeSimulated) {
    Simulation simulation({floor_at()});
    std::istringstream nonsense("nonsense, and a bit more of it");
    EXPECT_THROW(simulation.load(nonsense), InputError);
    EXPECT_THROW(simulation.step(step_of(0)), InputError);
    EXPECT_THROW(simulation.step(step_of(std::nan(""))), InputError);
    BodyDefinition ball = soft_ball("ball", Vec3(0, 0.3, 0));
    EXPECT_THROW(Simulation({ball, floor_at()}), GeometryError);
    try {
        Simulation({ball, floor_at()});
    } catch (const GeometryError& error) {
        const std::string what = error.what();
        EXPECT_NE(what.find("'ball' and 'floor'"), std::string::npos) << what;
    }
}

} // namespace
} // namespace knead
