#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

namespace knead {

/// A file as text. Throws InputError when it is missing, is a folder, cannot be read or is larger
/// than `max_bytes`; the size is checked before anything is read.
std::string read_text_file(const std::filesystem::path& path,
                           std::uintmax_t max_bytes = std::uintmax_t(4) << 30);

/// Writes a file that is either whole or not there: `write` fills a temporary file in the same
/// folder, which is renamed over `path` when all went well and removed otherwise. Missing folders
/// are made.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Removes the temporary files that are being written; async-signal-safe, for a Ctrl-C handler.
void remove_unfinished_files() noexcept;

} // namespace knead
