#pragma once

#include <filesystem>
#include <optional>

namespace knead {

/// A file that one program, or one part of it, has at a time: made when it is taken and removed
/// when it is let go. Whoever ends, however that happens, has let go; the file that is then left
/// over does no harm.
///
/// Where the file system knows no locks a warning says so, and everybody gets it.
class FileLock {
public:
    /// Waits until nobody else has it. Missing folders are made. Throws InputError when the file
    /// cannot be made.
    explicit FileLock(std::filesystem::path path);
    /// Nothing when somebody else has it.
    static std::optional<FileLock> try_take(const std::filesystem::path& path);
    ~FileLock();
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&&) = delete;

private:
    FileLock(std::filesystem::path path, int descriptor)
        : path_(std::move(path)), descriptor_(descriptor) {}

    std::filesystem::path path_;
    int descriptor_; ///< -1 when moved from
};

} // namespace knead
