#pragma once

#include <span>
#include <string>

#include "measure_scene.hpp"

namespace knead::quality {

/// The order at which three values at edges h, h/2 and h/4 approach a limit; nothing when the last
/// two are the same to 0.1 % already.
std::optional<double> order_of_convergence(const std::array<double, 3>& values);

/// docs/quality.md: which scene keeps which bound, and by how much.
std::string quality_page(std::span<const SceneQuality> scenes, const MeasureSettings& settings);

} // namespace knead::quality
