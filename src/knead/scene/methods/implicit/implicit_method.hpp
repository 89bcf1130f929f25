#pragma once

#include "knead/scene/methods/time_method.hpp"

namespace knead {

/// Implicit solids. Throws what `make_scene_solids` and `SolidSimulation` throw. The scene must
/// outlive it.
std::unique_ptr<TimeMethod> make_implicit(const LoadedScene& scene);

} // namespace knead
