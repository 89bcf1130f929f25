#pragma once

#include <filesystem>

namespace knead::studio {

/// A folder for temporary files that only this user can read; it goes away with the object. One
/// that a process which was killed has left behind goes when the next is made: a lock on a file in
/// it, which the system lets go with the process, tells whether somebody still uses it.
class ScratchFolder {
public:
    /// Throws InputError when it cannot be made.
    explicit ScratchFolder(
        const std::filesystem::path& parent = std::filesystem::temp_directory_path());
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// Before the object goes; what cannot be removed stays.
    void remove();

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

} // namespace knead::studio
