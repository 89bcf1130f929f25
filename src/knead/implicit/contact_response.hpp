#pragma once

#include "knead/implicit/solid.hpp"
#include "knead/implicit/solid_simulation.hpp"

namespace knead {

/// Velocities at the end of a step, and the forces that lead there.
struct SolidResponse {
    std::vector<Vec3> velocities;      ///< of centres of mass, one a solid
    std::vector<Vec3> angular_momenta; ///< one a solid
    std::vector<ContactForce> forces;  ///< one a contact
    int rounds = 0;                    ///< of friction and of contacts that let go
};

/// Solves for the velocities of the solids that move after `seconds` of pressure, drag, friction
/// and gravity: backward Euler, linear in the velocities but for friction's limit and for contacts
/// that would pull, which takes a few rounds.
SolidResponse respond(std::span<const Solid> solids, std::span<const SolidContact> contacts,
                      const Vec3& gravity, double seconds);

} // namespace knead
