#pragma once

#include <span>
#include <string_view>

namespace knead::cli {

/// A scene of the folder scenes/, carried inside the program.
struct DemoScene {
    std::string_view name;
    std::string_view text;
};

/// By name.
std::span<const DemoScene> demo_scenes();

} // namespace knead::cli
