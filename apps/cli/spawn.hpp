#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace knead::cli {

/// Starts another program, which hears Ctrl-C although our threads do not. `apart`: it lives on
/// without us, neither sees our terminal nor its Ctrl-C. Nothing when there is no such program.
std::optional<pid_t> spawn(std::vector<std::string> words, bool apart = false);

} // namespace knead::cli
