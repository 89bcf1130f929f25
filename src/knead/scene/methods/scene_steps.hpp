#pragma once

#include "knead/scene/spec/scene.hpp"

namespace knead {

/// How a frame is divided into steps of equal length.
struct SceneSteps {
    int a_frame = 1;
    double seconds = 0; ///< of one
};

/// As long as the scene's `step` or a little shorter, so that they fill a frame; at most a
/// hundredth of a second when the scene has none. Throws InputError for more than 100,000.
SceneSteps steps_of(const Scene& scene);

} // namespace knead
