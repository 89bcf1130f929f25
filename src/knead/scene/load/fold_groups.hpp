#pragma once

#include "knead/scene/load/loaded_scene.hpp"

namespace knead {

/// Gives folds that name an object twice, without groups, the two groups that they are between: the
/// vertices that follow the bones before the middle one of the fold's joints, and those that follow
/// the bones behind it, each no further from that joint than twice its bone is long. Of a scene
/// with a joint "elbow" they are called "elbow to shoulder" and "elbow to hand".
///
/// Throws InputError when the joints are not in a row, or no vertex follows the bones on one side.
void add_fold_groups(LoadedScene& scene);

} // namespace knead
