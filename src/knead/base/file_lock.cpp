#include "knead/base/file_lock.hpp"

#include "knead/base/error.hpp"
#include "knead/base/warning.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace knead {
namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) {
    return std::error_code(error, std::generic_category()).message();
}

// Whoever had it before may have removed the file between our opening and locking it.
bool is_file_at(int descriptor, const fs::path& path) {
    struct stat opened {
    }, named{};
    return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

// Folders of a lock may go away with whoever had it before, but not again and again.
constexpr int most_attempts = 1000;

// The descriptor of the locked file, or -1 when it is another's and we do not wait.
int take(const fs::path& path, bool wait) {
    for (int attempt = 1;; ++attempt) {
        std::error_code error;
        if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
        if (error)
            throw InputError(fmt::format("{}: the folder cannot be made: {}",
                                         path.parent_path().string(), error.message()));
        const int descriptor = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno == ENOENT && attempt < most_attempts) continue;
        if (descriptor < 0)
            throw InputError(
                fmt::format("{}: cannot be written: {}", path.string(), reason_of(errno)));
        int failure = 0;
        do failure = flock(descriptor, wait ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        while (failure == EINTR);
        if (failure == EWOULDBLOCK) {
            close(descriptor);
            return -1;
        }
        if (failure != 0) {
            warn(fmt::format("{}: cannot be locked ({}): do not write into this folder with "
                             "two runs at a time",
                             path.string(), reason_of(failure)));
            return descriptor;
        }
        if (is_file_at(descriptor, path)) return descriptor;
        close(descriptor);
    }
}

} // namespace

FileLock::FileLock(fs::path path) : path_(std::move(path)), descriptor_(take(path_, true)) {}

std::optional<FileLock> FileLock::try_take(const fs::path& path) {
    const int descriptor = take(path, false);
    if (descriptor < 0) return std::nullopt;
    return FileLock(path, descriptor);
}

FileLock::FileLock(FileLock&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock::~FileLock() {
    if (descriptor_ < 0) return;
    unlink(path_.c_str());
    close(descriptor_);
}

} // namespace knead
