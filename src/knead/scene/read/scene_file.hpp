#pragma once

#include "knead/scene/read/scene_options.hpp"
#include "knead/scene/spec/scene.hpp"

#include <filesystem>
#include <string_view>

namespace knead {

/// Reads a scene file. Everything in it is checked that can be checked without reading a mesh; an
/// InputError names the file, the line and the key, what was found and what was expected.
Scene read_scene(const std::filesystem::path& path, const SceneOptions& options = {});

/// The same from memory: `path` is where the text would be, for messages and relative paths.
Scene parse_scene(std::string_view text, const std::filesystem::path& path,
                  const SceneOptions& options = {});

} // namespace knead
