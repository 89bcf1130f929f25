#pragma once

#include <filesystem>

#include "measure_scene.hpp"

namespace knead::quality {

/// Measures a scene as it is: its whole frames, its jumps and its time; not what needs other
/// placements or resolutions.
ResolutionQuality measure_pressed(const std::filesystem::path& scene,
                                  const MeasureSettings& settings);

} // namespace knead::quality
