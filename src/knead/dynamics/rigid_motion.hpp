#pragma once

#include "knead/base/types.hpp"

#include <span>

namespace knead {

/// No coordinate, velocity or momentum of a state is larger: products of two are still numbers.
constexpr double most_in_a_state = 1e100;

/// Of a solid with the same density everywhere.
struct MassProperties {
    double mass = 0;
    Vec3 center = Vec3::Zero();
    Mat3 inertia = Mat3::Zero(); ///< about the centre, along the axes of the world
};

/// The density is positive and finite. Throws InputError for an index out of range, and
/// GeometryError when the surface is open, looks inwards, encloses nothing or has a corner that is
/// not finite. What the surface goes around twice counts twice.
MassProperties mass_properties(std::span<const Vec3> positions, std::span<const Triangle> faces,
                               double density);

/// A rigid body. Its angular momentum is the state and its angular velocity follows, so that a body
/// without torques keeps the first exactly however it tumbles.
struct RigidState {
    Vec3 position = Vec3::Zero(); ///< of the centre of mass
    Quat orientation = Quat::Identity();
    Vec3 velocity = Vec3::Zero();
    Vec3 angular_momentum = Vec3::Zero(); ///< about the centre, in the world
};

/// The inertia of a body that has turned.
Mat3 world_inertia(const Mat3& inertia_at_rest, const Quat& orientation);

/// That of this moment, in the world.
Vec3 angular_velocity(const Mat3& inertia_at_rest, const RigidState& state);

double kinetic_energy(double mass, const Mat3& inertia_at_rest, const RigidState& state);

/// The orientation after `seconds` of turning with a constant angular velocity (in the world).
Quat rotated(const Quat& orientation, const Vec3& angular_velocity, double seconds);

/// The constant angular velocity (in the world) that takes a body without torques through the next
/// `seconds`: `rotated` with it gives the orientation at the end.
///
/// The rule is that of the implicit midpoint, with the mean of the angular momenta at both ends as
/// the body sees them: W = I^-1 (P_0 + exp(-h W) P_0) / 2. The two differ by a turn about W, which
/// leaves P . I^-1 P as it was, so the kinetic energy is kept to rounding as well as the angular
/// momentum, and a body that spins about a principal axis turns at exactly the right speed. Fast
/// tumbling is divided into shorter steps, at most 64.
Vec3 midpoint_angular_velocity(const Mat3& inertia_at_rest, const RigidState& state,
                               double seconds);

} // namespace knead
