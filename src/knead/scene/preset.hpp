#pragma once

#include "knead/scene/scene_object.hpp"
#include "knead/scene/scene_value.hpp"

namespace knead {

/// Reads the name of a preset and gives the object its numbers. Keys of the object that are read
/// afterwards win.
void read_preset(const SceneValue& value, SceneObject& object);

} // namespace knead
