#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/dynamics/rigid_motion.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

namespace knead {
namespace {

using std::numbers::pi;

MassProperties properties_of(const TriangleMesh& mesh, double density) {
    return mass_properties(mesh.positions, mesh.faces, density);
}

std::string no_solid_error(const TriangleMesh& mesh) {
    try {
        properties_of(mesh, 1);
    } catch (const GeometryError& error) {
        return error.what();
    }
    return "no error";
}

TEST(MassProperties, OfABoxAreThoseOfTheBook) {
    TriangleMesh box = make_box({1, 2, 3}, {2, 3, 4});
    const Vec3 book = Vec3(4 + 9, 1 + 9, 1 + 4) * 60 / 12;
    const MassProperties plain = properties_of(box, 10);
    EXPECT_NEAR(plain.mass, 60, 1e-12);
    EXPECT_LT(plain.center.norm(), 1e-14);
    EXPECT_LT((plain.inertia - Mat3(book.asDiagonal())).norm(), 1e-11);

    // Moved and turned, far from the origin.
    const Quat turn = Random(1).rotation();
    Affine3 pose = Affine3::Identity();
    pose.translate(Vec3(100, -200, 50));
    pose.rotate(turn);
    transform(box, pose);
    const MassProperties moved = properties_of(box, 10);
    EXPECT_NEAR(moved.mass, 60, 1e-9);
    EXPECT_LT((moved.center - Vec3(100, -200, 50)).norm(), 1e-10);
    EXPECT_LT((moved.inertia - world_inertia(book.asDiagonal(), turn)).norm(), 1e-9);
}

TEST(MassProperties, OfASphereApproachTwoFifths) {
    double before = 1;
    for (const int subdivisions : {2, 3, 4}) {
        const MassProperties found = properties_of(make_sphere(0.5, subdivisions), 3);
        const double mass = 3 * 4 * pi / 3 * 0.125;
        const double error = std::max(
            std::abs(found.mass / mass - 1),
            (found.inertia / (0.4 * mass * 0.25) - Mat3::Identity()).cwiseAbs().maxCoeff());
        EXPECT_LT(error, 0.3 * before);
        before = error;
    }
    EXPECT_LT(before, 0.01);
}

TEST(MassProperties, OfWhatIsNoSolidAreRefused) {
    TriangleMesh box = make_box({1, 1, 1}, {1, 1, 1});
    box.faces.pop_back();
    EXPECT_NE(no_solid_error(box).find("a solid needs a closed surface, but at edge "),
              std::string::npos);
    EXPECT_EQ(no_solid_error({}), "a solid needs a closed surface, but it has no faces");

    box = make_box({1, 1, 2}, {1, 1, 1});
    for (Triangle& face : box.faces) std::swap(face[0], face[1]);
    EXPECT_EQ(no_solid_error(box),
              "the surface looks inwards: its volume is -2, expected a positive one");
    for (Vec3& p : box.positions) p.z() = 0;
    EXPECT_NE(no_solid_error(box).find("the surface encloses nothing"), std::string::npos);
    box.positions[3].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(no_solid_error(box).find("vertex 3 is at (nan"), std::string::npos);
}

struct Tumbler {
    Mat3 inertia;
    RigidState state;
};

Tumbler box_tumbler(double speed) {
    const MassProperties box = properties_of(make_box({1, 2, 3}, {1, 1, 1}), 100);
    Tumbler result{box.inertia, {}};
    result.state.orientation = Random(4).rotation();
    // Almost about the middle axis, which is the unstable one.
    const Vec3 velocity = result.state.orientation * Vec3(0.05, 1, 0.02) * speed;
    result.state.angular_momentum = world_inertia(box.inertia, result.state.orientation) * velocity;
    return result;
}

void advance(Tumbler& body, double seconds) {
    const Vec3 velocity = midpoint_angular_velocity(body.inertia, body.state, seconds);
    body.state.orientation = rotated(body.state.orientation, velocity, seconds);
}

// What moves now, as the body itself would say: the sum of r x v over its mass.
Vec3 momentum_of_motion(const Tumbler& body) {
    const double h = 1e-4;
    const Vec3 velocity = midpoint_angular_velocity(body.inertia, body.state, h);
    const Quat middle = rotated(body.state.orientation, velocity, 0.5 * h);
    return world_inertia(body.inertia, middle) * velocity;
}

TEST(RigidMotion, ATumblingBoxKeepsMomentumAndEnergy) {
    for (const double speed : {1.0, 10.0, 100.0}) {
        Tumbler body = box_tumbler(speed);
        const Vec3 momentum = body.state.angular_momentum;
        const double energy = kinetic_energy(1, body.inertia, body.state);
        double furthest = 0, turned_over = 1;
        const Vec3 axis = body.state.orientation * Vec3::UnitY();
        for (int step = 0; step < 10000; ++step) {
            advance(body, 0.01);
            const double now = kinetic_energy(1, body.inertia, body.state);
            furthest = std::max(furthest, std::abs(now / energy - 1));
            turned_over = std::min(turned_over, axis.dot(body.state.orientation * Vec3::UnitY()));
        }
        EXPECT_LT(furthest, 1e-10) << speed;
        EXPECT_LT((body.state.angular_momentum - momentum).norm(), 1e-12 * momentum.norm());
        EXPECT_LT((momentum_of_motion(body) - momentum).norm(), 1e-5 * speed * momentum.norm());
        EXPECT_NEAR(body.state.orientation.norm(), 1, 1e-14);
        EXPECT_LT(turned_over, -0.9) << "the middle axis of a box flips over and over";
    }
}

TEST(RigidMotion, StepsConvergeQuadratically) {
    const auto after = [](int steps) {
        Tumbler body = box_tumbler(3);
        for (int step = 0; step < steps; ++step) advance(body, 2.0 / steps);
        return body.state.orientation;
    };
    const Quat exact = after(20000);
    const double coarse = exact.angularDistance(after(50)),
                 fine = exact.angularDistance(after(100));
    EXPECT_LT(coarse, 0.02);
    EXPECT_NEAR(coarse / fine, 4, 0.4);
}

TEST(RigidMotion, SpinAboutAPrincipalAxisIsExactAtAnySpeed) {
    for (const double angle : {0.0, 1e-9, 0.3, 3.0, 7.0, 25.0})
        for (const int axis : {0, 1, 2}) {
            Tumbler body{Mat3(Vec3(1, 2, 3).asDiagonal()), {}};
            body.state.angular_momentum = Vec3::Unit(axis) * body.inertia(axis, axis) * angle;
            const Vec3 found = midpoint_angular_velocity(body.inertia, body.state, 1);
            EXPECT_LT((found - Vec3::Unit(axis) * angle).norm(), 1e-13 * std::max(angle, 1.0));
        }
}

TEST(RigidMotion, FollowsTheFrame) {
    Random random(8);
    const Tumbler body = box_tumbler(20);
    const Quat turn = random.rotation();
    Tumbler moved = body;
    moved.state.orientation = turn * body.state.orientation;
    moved.state.angular_momentum = turn * body.state.angular_momentum;
    EXPECT_LT((midpoint_angular_velocity(moved.inertia, moved.state, 0.05) -
               turn * midpoint_angular_velocity(body.inertia, body.state, 0.05))
                  .norm(),
              1e-11);
}

TEST(RigidMotion, HugeStepsStayFinite) {
    Tumbler body = box_tumbler(1e6);
    for (int step = 0; step < 10; ++step) advance(body, 1);
    EXPECT_TRUE(body.state.orientation.coeffs().allFinite());
    EXPECT_NEAR(body.state.orientation.norm(), 1, 1e-14);
}

} // namespace
} // namespace knead
