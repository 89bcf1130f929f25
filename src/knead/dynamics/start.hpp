#pragma once

#include "knead/dynamics/world.hpp"

namespace knead {

/// Makes sure that the world starts free of penetration, and settles its tolerance: the one given,
/// or a tenth of the mean edge of the finest surface, less where bodies are closer than that.
/// Throws GeometryError, naming pairs of bodies, when they cross or are closer than half the given
/// tolerance; unless `separate_start` says that they are to be moved apart: bodies that can move,
/// each as a whole, along the shortest way out.
void check_start(World& world, WorldState& state);

} // namespace knead
