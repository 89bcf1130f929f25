#pragma once

#include "knead/scene/format/json.hpp"

#include <span>

namespace knead {

/// Changes a scene's tree as `SceneOptions::overrides` asks for. What override i sets has line
/// -1 - i. An InputError begins with `--set` and the override.
void apply_overrides(JsonValue& root, std::span<const std::string> overrides);

} // namespace knead
