#pragma once

#include "knead/scene/spec/scene.hpp"

#include <filesystem>
#include <span>
#include <string_view>

namespace knead {

struct SceneOptions {
    /// Folders besides the scene's own that its files may come from.
    std::vector<std::filesystem::path> assets;
    /// Changes to the file before it is understood, `PATH=VALUE` each: `fps=30`,
    /// `objects[0].stiffness=2`, `objects.ball.transform.scale=[1, 2, 1]`. An entry of a list is
    /// named by its number or, where it has one, its `name`; what is missing on the way is made.
    /// VALUE is JSON, or else text.
    std::vector<std::string> overrides = {};
    /// Folders whose files stand for those that the scene's own has under the same names.
    std::vector<std::filesystem::path> overlays = {};
};

/// Reads a scene file. Everything in it is checked that can be checked without reading a mesh; an
/// InputError names the file, the line and the key, what was found and what was expected.
Scene read_scene(const std::filesystem::path& path, const SceneOptions& options = {});

/// The same from memory: `path` is where the text would be, for messages and relative paths.
Scene parse_scene(std::string_view text, const std::filesystem::path& path,
                  const SceneOptions& options = {});

} // namespace knead
