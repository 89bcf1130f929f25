#include "knead/dynamics/rigid_motion.hpp"

#include "knead/base/box.hpp"
#include "knead/base/error.hpp"
#include "knead/mesh/topology.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// A solid thinner than this part of its size cannot be told from rounding.
constexpr double thinnest_solid = 1e-12;

// Every edge is passed equally often in both directions.
void require_solid(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    if (faces.empty()) throw GeometryError("a solid needs a closed surface, but it has no faces");
    const Topology topology = build_topology(faces, static_cast<int>(positions.size()));
    std::vector<int> turns(topology.edges.size(), 0);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (int i = 0; i < 3; ++i)
            turns[topology.face_edges[f][i]] += faces[f][i] < faces[f][(i + 1) % 3] ? 1 : -1;
    for (std::size_t e = 0; e < turns.size(); ++e)
        if (turns[e] != 0)
            throw GeometryError(
                fmt::format("a solid needs a closed surface, but at edge {}-{} it is open or its "
                            "faces turn opposite ways",
                            topology.edges[e][0], topology.edges[e][1]));
}

Quat turn_by(const Vec3& rotation_vector) {
    const double angle = rotation_vector.norm(), half = 0.5 * angle;
    // sin(x / 2) / x by its series where the quotient would be 0 / 0.
    const double scale = angle > 1e-4 ? std::sin(half) / angle : 0.5 - angle * angle / 48;
    Quat turn;
    turn.w() = std::cos(half);
    turn.vec() = scale * rotation_vector;
    return turn.normalized();
}

// The rotation vector of a turn that lies nearest to `about`: full turns cannot be seen in `turn`.
Vec3 turn_vector(const Quat& turn, const Vec3& about) {
    const double sine = turn.vec().norm();
    if (!(sine > 0)) {
        const double length = about.norm();
        const double full = std::round(length / (2 * std::numbers::pi));
        return full > 0 ? Vec3(about * (full * 2 * std::numbers::pi / length)) : Vec3(Vec3::Zero());
    }
    const Vec3 axis = turn.vec() / sine;
    const double angle = 2 * std::atan2(sine, turn.w());
    const double full = std::round((about.dot(axis) - angle) / (2 * std::numbers::pi));
    return (angle + full * 2 * std::numbers::pi) * axis;
}

} // namespace

MassProperties mass_properties(std::span<const Vec3> positions, std::span<const Triangle> faces,
                               double density) {
    require_solid(positions, faces);
    Box box;
    for (const Triangle& face : faces)
        for (const int v : face) {
            if (!positions[v].allFinite())
                throw GeometryError(
                    fmt::format("vertex {} is at ({}, {}, {}), expected finite numbers", v,
                                positions[v].x(), positions[v].y(), positions[v].z()));
            box.include(positions[v]);
        }
    // Tetrahedra between the faces and a point nearby, which loses the fewest digits.
    const Vec3 origin = box.center();
    double volume = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (const Triangle& face : faces) {
        const Vec3 a = positions[face[0]] - origin, b = positions[face[1]] - origin,
                   c = positions[face[2]] - origin, sum = a + b + c;
        const double six_volumes = a.dot(b.cross(c));
        volume += six_volumes / 6;
        first += six_volumes / 24 * sum;
        second +=
            six_volumes / 120 *
            (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    const double whole = std::pow(box.diagonal(), 3);
    if (volume < -thinnest_solid * whole)
        throw GeometryError(fmt::format(
            "the surface looks inwards: its volume is {:.6g}, expected a positive one", volume));
    if (!(volume > thinnest_solid * whole))
        throw GeometryError(fmt::format(
            "the surface encloses nothing: its volume is {:.6g} in a box with a diagonal of {:.6g}",
            volume, box.diagonal()));

    const Vec3 to_center = first / volume;
    const Mat3 moments = second - volume * to_center * to_center.transpose();
    MassProperties result;
    result.mass = density * volume;
    result.center = origin + to_center;
    result.inertia = density * (moments.trace() * Mat3::Identity() - moments);
    return result;
}

Mat3 world_inertia(const Mat3& inertia_at_rest, const Quat& orientation) {
    const Mat3 turn = orientation.toRotationMatrix();
    return turn * inertia_at_rest * turn.transpose();
}

Vec3 angular_velocity(const Mat3& inertia_at_rest, const RigidState& state) {
    const Vec3 in_body = state.orientation.conjugate() * state.angular_momentum;
    return state.orientation * Vec3(inertia_at_rest.inverse() * in_body);
}

double kinetic_energy(double mass, const Mat3& inertia_at_rest, const RigidState& state) {
    return 0.5 * (mass * state.velocity.squaredNorm() +
                  state.angular_momentum.dot(angular_velocity(inertia_at_rest, state)));
}

Quat rotated(const Quat& orientation, const Vec3& angular_velocity, double seconds) {
    return (turn_by(seconds * angular_velocity) * orientation).normalized();
}

Vec3 midpoint_angular_velocity(const Mat3& inertia_at_rest, const RigidState& state,
                               double seconds) {
    const Mat3 inverse = inertia_at_rest.inverse();
    Vec3 momentum = state.orientation.conjugate() * state.angular_momentum;
    // No turn is faster than this, and steps of less than half a radian make the iteration below
    // four times as exact each time.
    const double fastest = inverse.norm() * momentum.norm();
    constexpr int most_steps = 64; // also of what is no number
    const double wanted = std::abs(fastest * seconds) / 0.5;
    const int steps =
        wanted < most_steps ? std::max(1, static_cast<int>(std::ceil(wanted))) : most_steps;
    const double h = seconds / steps;
    Quat whole = Quat::Identity(); // in the body as it is at the start
    Vec3 mean = Vec3::Zero();
    for (int step = 0; step < steps; ++step) {
        Vec3 velocity = inverse * momentum, last = momentum;
        for (int iteration = 0; iteration < 60; ++iteration) {
            last = turn_by(-h * velocity) * momentum;
            const Vec3 next = inverse * (0.5 * (momentum + last));
            const double change = (next - velocity).norm();
            velocity = next;
            if (change <= 1e-16 * fastest) break;
        }
        const Quat turn = turn_by(h * velocity);
        momentum = turn.conjugate() * momentum;
        mean += whole * velocity / steps;
        whole = whole * turn;
    }
    const Vec3 in_body =
        steps == 1 || seconds == 0 ? mean : Vec3(turn_vector(whole, seconds * mean) / seconds);
    return state.orientation * in_body;
}

} // namespace knead
