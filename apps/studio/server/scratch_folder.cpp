#include "scratch_folder.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

constexpr const char* folder_prefix = "knead-studio-";
constexpr const char* lock_name = "lock";

bool is_own_folder(const fs::path& path) {
    struct stat entry {};
    return ::lstat(path.c_str(), &entry) == 0 && S_ISDIR(entry.st_mode) &&
           entry.st_uid == ::geteuid();
}

// A folder without the lock is nobody's, or about to be made.
void remove_when_left_behind(const fs::path& folder) {
    if (!is_own_folder(folder)) return;
    const int lock = ::open((folder / lock_name).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (lock < 0) return;
    std::error_code ignored;
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) fs::remove_all(folder, ignored);
    ::close(lock);
}

void remove_left_behind(const fs::path& parent) {
    std::error_code error;
    fs::directory_iterator at(parent, error);
    for (; !error && at != fs::directory_iterator(); at.increment(error))
        if (at->path().filename().string().starts_with(folder_prefix))
            remove_when_left_behind(at->path());
}

} // namespace

ScratchFolder::ScratchFolder(const fs::path& parent) {
    remove_left_behind(parent);
    std::string name = parent / (std::string(folder_prefix) + "XXXXXX");
    if (mkdtemp(name.data()) == nullptr)
        throw InputError(fmt::format("{}: a folder for temporary files cannot be made", name));
    path_ = name;
    // It gets its name when it is locked, so that nobody finds it unlocked while we live.
    const fs::path unnamed = path_ / "lock.new";
    lock_ = ::open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock_ >= 0 && ::flock(lock_, LOCK_EX | LOCK_NB) == 0)
        ::rename(unnamed.c_str(), (path_ / lock_name).c_str());
}

ScratchFolder::~ScratchFolder() {
    remove();
    if (lock_ >= 0) ::close(lock_);
}

void ScratchFolder::remove() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

} // namespace knead::studio
