#pragma once

#include "knead/scene/spec/scene.hpp"

namespace knead::quality {

/// Makes the edges of all shapes of a scene `factor` times shorter (a power of two; below 1:
/// longer). Meshes from files stay as they are.
void scale_resolution(Scene& scene, double factor);

} // namespace knead::quality
