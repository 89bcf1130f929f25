#pragma once

#include "knead/scene/read/scene_file.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

/// Names of the bundled scenes that are made for a method, sorted.
inline std::vector<std::string> demos_of(Method method) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(KNEAD_SCENES))
        if (read_scene(entry.path()).method == method)
            names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// As the name of a test.
inline std::string test_name(std::string demo) {
    std::replace(demo.begin(), demo.end(), '-', '_');
    return demo;
}

} // namespace knead
