#pragma once

#include "knead/scene/format/scene_value.hpp"
#include "knead/scene/spec/scene_object.hpp"

#include <span>

namespace knead {

/// Numbers that go together.
struct Preset {
    std::string_view name;
    double stiffness, softness, bulge, bulge_at, end_at;
};

std::span<const Preset> presets();

/// Reads the name of a preset and gives the object its numbers. Keys of the object that are read
/// afterwards win.
void read_preset(const SceneValue& value, SceneObject& object);

} // namespace knead
