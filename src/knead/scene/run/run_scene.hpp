#pragma once

#include "knead/scene/methods/time_method.hpp"
#include "knead/scene/run/run.hpp"

#include <functional>

namespace knead {

/// Gets every frame of a simulation that is written, in order.
using WatchFrames = std::function<void(const SimulatedFrame&)>;

/// `run_scene_file` for a scene that is loaded already.
RunSummary run_scene(const LoadedScene& scene, const RunSettings& settings,
                     const Progress& progress = {}, const WatchFrames& watch = {});

} // namespace knead
