#include "knead/scene/methods/scene_steps.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

constexpr int most_steps = 100'000;

} // namespace

SceneSteps steps_of(const Scene& scene) {
    const double frame = 1 / scene.fps;
    const double count =
        std::max(1.0, std::ceil(frame / scene.step.value_or(settings::step.otherwise) - 1e-9));
    if (!(count <= most_steps))
        throw InputError(fmt::format(
            "{}: {}: found {}, which divides a frame into more than {} steps, expected fewer",
            scene.path, scene.step ? "step" : "fps", shortest(scene.step ? *scene.step : scene.fps),
            most_steps));
    return {static_cast<int>(count), frame / count};
}

} // namespace knead
