#pragma once

#include "knead/dynamics/contact_set.hpp"
#include "knead/dynamics/motion.hpp"

namespace knead {

/// Adds constraints, linearised like those of contacts, for elements of soft volumes that a motion
/// would press flat or turn inside out, and tightens those that were not enough. A linear material
/// does not mind that, and no finite stiffness keeps it from happening within one step. Returns how
/// many were added or tightened.
int add_element_limits(const World& world, const WorldState& state, const LinearSystem& system,
                       const StepMotion& motion, ContactSet& set);

} // namespace knead
