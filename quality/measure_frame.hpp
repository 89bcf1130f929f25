#pragma once

#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include "measure_scene.hpp"

namespace knead::quality {

FrameQuality measure_frame(const LoadedScene& scene, const SceneGauge& gauge, double frame,
                           const SolvedFrame& solved);

/// Keeps of each figure the worse one.
void take_worse(FrameQuality& quality, const FrameQuality& other);

} // namespace knead::quality
