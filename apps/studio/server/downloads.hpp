#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "context.hpp"

namespace knead::studio {

/// Keeps a file for download, by moving it; the oldest of too many goes. Returns the path of its
/// address, which cannot be guessed.
std::string offer(Context& context, const std::filesystem::path& file, const std::string& name);

std::optional<Download> find_download(Context& context, std::string_view key);

} // namespace knead::studio
