#pragma once

#include "knead/dynamics/world.hpp"

#include <iosfwd>

namespace knead {

/// The state as bytes of this kind of processor.
void write_state(std::ostream& out, const World& world, const WorldState& state,
                 const std::vector<Vec3>& surface_velocities);

/// Throws InputError, and changes nothing, for what is not a state of this world.
void read_state(std::istream& in, const World& world, WorldState& state,
                std::vector<Vec3>& surface_velocities);

} // namespace knead
