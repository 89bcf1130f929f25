#pragma once

#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include "measure_scene.hpp"

namespace knead::quality {

/// All whole frames of a scene, each looked at as `knead run` reports it.
MotionQuality measure_motion(const LoadedScene& scene, const SceneGauge& gauge,
                             const FrameSolver& solver);

/// Whether no crossing may be left in a contact: two whole objects that are closed, of which at
/// least one can move, and nobody has asked for something else.
bool is_to_be_crossing_free(const LoadedScene& scene, const SceneGauge& gauge, int contact);

/// Names of the objects that touch others or themselves and have a border, with commas.
std::string open_objects(const LoadedScene& scene);

} // namespace knead::quality
