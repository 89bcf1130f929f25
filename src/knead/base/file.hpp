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

/// A file on its way: under another name beside `path` until it is whole. It is locked as long as
/// that takes, so that others can tell it from what was left over (see `remove_left_overs`).
class PartFile {
public:
    /// Makes missing folders, and an empty file.
    explicit PartFile(std::filesystem::path path);
    /// Removes it unless it is finished.
    ~PartFile();
    PartFile(const PartFile&) = delete;
    PartFile& operator=(const PartFile&) = delete;

    /// Where to write.
    const std::filesystem::path& part() const { return part_; }
    /// Puts it in its place.
    void finish();

private:
    bool make();

    std::filesystem::path path_, part_;
    void* slot_ = nullptr; ///< where a signal handler finds it
    int lock_ = -1;
};

/// Removes what programs that were killed have left in the folder of files that they were writing.
/// Those of programs that still run stay, and so does all that is not a `PartFile`.
void remove_left_overs(const std::filesystem::path& folder);

/// Writes a file that is either whole or not there: `write` fills a `PartFile`, which takes its
/// place when all went well and is removed otherwise. Missing folders are made.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write);
void write_file_atomically(const std::filesystem::path& path, std::string_view content);

/// Removes the temporary files that are being written; async-signal-safe, for a Ctrl-C handler.
void remove_unfinished_files() noexcept;

} // namespace knead
