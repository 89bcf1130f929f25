#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace knead {

struct SceneOptions {
    /// Folders besides the scene's own that its files may come from.
    std::vector<std::filesystem::path> assets = {};
    /// Changes to the file before it is understood, `PATH=VALUE` each: `fps=30`,
    /// `objects[0].stiffness=2`, `objects.ball.transform.scale=[1, 2, 1]`. An entry of a list is
    /// named by its number or, where it has one, its `name`; what is missing on the way is made.
    /// VALUE is JSON, or else text.
    std::vector<std::string> overrides = {};
    /// Folders whose files stand for those that the scene's own has under the same names.
    std::vector<std::filesystem::path> overlays = {};
};

} // namespace knead
