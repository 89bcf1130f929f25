#pragma once

#include "knead/scene/methods/time_method.hpp"

namespace knead {

/// Cloth, volumes and rigid bodies. Throws what `make_bodies` and `Simulation` throw. The scene
/// must outlive it.
std::unique_ptr<TimeMethod> make_dynamics(const LoadedScene& scene);

} // namespace knead
