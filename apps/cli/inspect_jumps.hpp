#pragma once

#include <string>
#include <vector>

namespace knead::cli {

/// The options of `inspect --jumps`.
struct JumpArguments {
    bool wanted = false;
    std::string frames;
    double step = 1;
    int threads = 0;
    std::vector<std::string> overrides;
};

/// Prints the jumps in the motion of a scene.
void inspect_jumps(const std::string& path, const JumpArguments& arguments);

} // namespace knead::cli
