#pragma once

#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace knead::testing_dynamics {

inline BodyDefinition make_body(const std::string& name, BodyKind kind, TriangleMesh mesh,
                                const Vec3& at = Vec3::Zero(),
                                const Mat3& turn = Mat3::Identity()) {
    BodyDefinition body;
    body.name = name;
    body.kind = kind;
    for (Vec3& p : mesh.positions) p = turn * p + at;
    body.positions = std::move(mesh.positions);
    body.faces = std::move(mesh.faces);
    return body;
}

inline BodyDefinition make_floor(double size = 6) {
    return make_body("floor", BodyKind::kinematic, make_grid({size, size}, {2, 2}));
}

inline SimulationSettings keep_apart(double tolerance) {
    SimulationSettings settings;
    settings.tolerance = tolerance;
    return settings;
}

/// Without air, so that no work is done.
inline StepInput go_on(double seconds, const Vec3& gravity = Vec3(0, -9.81, 0)) {
    StepInput input;
    input.seconds = seconds;
    input.gravity = gravity;
    input.air_density = 0;
    return input;
}

inline Vec3 mean_place(std::span<const Vec3> points) {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : points) sum += p;
    return sum / static_cast<double>(points.size());
}

inline double lowest_height(std::span<const Vec3> points) {
    double low = points.front().y();
    for (const Vec3& p : points) low = std::min(low, p.y());
    return low;
}

/// A bar along x that is fixed at x = 0 and bends down under its own weight.
struct Cantilever {
    double length = 1, height = 0.2;
    double young = 2e7, poisson = 0.3, density = 1000;

    /// Of the tip, by Timoshenko: bending and shear.
    double known_deflection() const {
        const double area = height * height, second_moment = area * area / 12;
        const double load = density * 9.81 * area, shear = young / (2 * (1 + poisson));
        return load * std::pow(length, 4) / (8 * young * second_moment) +
               load * length * length / (2 * 5.0 / 6 * shear * area);
    }

    /// Long steps are nearly Newton's method for the rest position.
    double simulated_deflection(int cells) const {
        const int across = std::max(2, static_cast<int>(cells * height / length));
        BodyDefinition bar =
            make_body("bar", BodyKind::volume,
                      make_box({length, height, height}, {std::max(cells, 4), across, across}),
                      Vec3(0.5 * length, 0, 0));
        bar.material.young = young;
        bar.material.poisson = poisson;
        bar.material.density = density;
        bar.cells = cells;
        int tip = 0;
        for (int v = 0; v < static_cast<int>(bar.positions.size()); ++v) {
            if (bar.positions[v].x() < 1e-9) bar.pins.push_back(v);
            if ((bar.positions[v] - Vec3(length, 0, 0)).norm() <
                (bar.positions[tip] - Vec3(length, 0, 0)).norm())
                tip = v;
        }
        const double start = bar.positions[tip].y();
        Simulation simulation({bar});
        for (int i = 0; i < 12; ++i) simulation.step(go_on(1));
        return start - simulation.positions(0)[tip].y();
    }
};

/// What a block does that was put on a slope, let settle, and then watched for half a second.
struct SlopeMotion {
    double gained = 0;  ///< speed down the slope; m / s
    double wanted = 0;  ///< the same by Coulomb's law; negative where it should stick
    double moved = 0;   ///< m
    double seconds = 0; ///< watched
};

inline SlopeMotion slide_down(BodyKind kind, double angle, double friction) {
    const Mat3 turn = Eigen::AngleAxisd(-angle, Vec3::UnitZ()).toRotationMatrix();
    BodyDefinition slope =
        make_body("slope", BodyKind::kinematic, make_grid({40, 10}, {1, 1}), Vec3::Zero(), turn);
    BodyDefinition block = make_body("block", kind, make_box({1, 0.5, 1}, {2, 1, 2}),
                                     turn * Vec3(-10, 0.25 + 1e-3, 0.1), turn);
    slope.material.friction = block.material.friction = friction;
    block.material.young = 1e6;
    block.material.damping = 0.02;
    block.cells = 3;
    Simulation simulation({block, slope}, keep_apart(1e-3));
    const Vec3 down = turn * Vec3::UnitX();
    const double mass = block.material.density * 0.5, dt = 0.01;
    for (int i = 0; i < 40; ++i) simulation.step(go_on(dt));
    const double speed = down.dot(simulation.linear_momentum()) / mass;
    const Vec3 place = mean_place(simulation.positions(0));
    const int steps = 50;
    for (int i = 0; i < steps; ++i) simulation.step(go_on(dt));
    SlopeMotion motion;
    motion.seconds = steps * dt;
    motion.gained = down.dot(simulation.linear_momentum()) / mass - speed;
    motion.wanted = 9.81 * (std::sin(angle) - friction * std::cos(angle)) * motion.seconds;
    motion.moved = (mean_place(simulation.positions(0)) - place).norm();
    return motion;
}

} // namespace knead::testing_dynamics
