#include "knead/base/file.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace knead {
namespace fs = std::filesystem;

namespace {

// Paths of the files being written, where a signal handler can reach them without locks or
// allocation.
struct UnfinishedSlot {
    std::atomic<bool> taken{false};
    std::atomic<bool> ready{false};
    char path[4096] = {};
};
std::array<UnfinishedSlot, 64> unfinished;

UnfinishedSlot* remember_unfinished(const std::string& path) {
    for (UnfinishedSlot& slot : unfinished) {
        if (path.size() + 1 > sizeof slot.path || slot.taken.exchange(true)) continue;
        std::memcpy(slot.path, path.c_str(), path.size() + 1);
        slot.ready = true;
        return &slot;
    }
    return nullptr;
}

void forget_unfinished(UnfinishedSlot* slot) {
    if (slot == nullptr) return;
    slot->ready = false;
    slot->taken = false;
}

// "ball.0001.obj.knead-4711-3.part": the process and a number of its own.
std::string part_ending() {
    static std::atomic<unsigned> counter{0};
    return fmt::format(".knead-{}-{}.part", getpid(), counter++);
}

bool is_part_name(std::string_view name) {
    constexpr std::string_view ending = ".part", digits = "0123456789";
    if (!name.ends_with(ending)) return false;
    name.remove_suffix(ending.size());
    for (int numbers = 0; numbers < 2; ++numbers) {
        const std::size_t number = name.find_last_not_of(digits);
        if (number == name.npos || number + 1 == name.size() || name[number] != '-') return false;
        name = name.substr(0, number);
    }
    return name.ends_with(".knead") && name != ".knead";
}

// Waits for whoever holds it; where there are no locks at all, nobody is kept out.
void lock_whole_file(int descriptor) {
    while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
    }
}

std::string reason() {
    return std::error_code(errno, std::generic_category()).message();
}

} // namespace

std::string read_text_file(const fs::path& path, std::uintmax_t max_bytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
    if (fs::is_directory(status))
        throw InputError(fmt::format("{}: is a folder, expected a file", path.string()));
    if (!fs::is_regular_file(status))
        throw InputError(fmt::format("{}: expected a file, found something else", path.string()));
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) throw InputError(fmt::format("{}: {}", path.string(), error.message()));
    if (size > max_bytes)
        throw InputError(fmt::format("{}: the file has {} bytes, expected at most {}",
                                     path.string(), size, max_bytes));
    std::ifstream in(path, std::ios::binary);
    std::string text(size, '\0');
    if (!in || (size > 0 && !in.read(text.data(), static_cast<std::streamsize>(size))))
        throw InputError(fmt::format("{}: cannot be read: {}", path.string(), reason()));
    return text;
}

PartFile::PartFile(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), error);
    if (error)
        throw InputError(fmt::format("{}: the folder cannot be made: {}",
                                     path_.parent_path().string(), error.message()));
    while (!make()) {
    }
    slot_ = remember_unfinished(part_.string());
}

// False when somebody took it for left over before it was locked.
bool PartFile::make() {
    part_ = path_;
    part_ += part_ending();
    lock_ = open(part_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (lock_ < 0 && errno == EEXIST) return false;
    if (lock_ < 0)
        throw InputError(fmt::format("{}: cannot be written: {}", path_.string(), reason()));
    lock_whole_file(lock_);
    struct stat found {};
    if (fstat(lock_, &found) == 0 && found.st_nlink > 0) return true;
    close(lock_);
    return false;
}

PartFile::~PartFile() {
    if (!part_.empty()) unlink(part_.c_str());
    forget_unfinished(static_cast<UnfinishedSlot*>(slot_));
    close(lock_);
}

void PartFile::finish() {
    std::error_code error;
    fs::rename(part_, path_, error);
    if (error)
        throw InputError(
            fmt::format("{}: cannot be replaced: {}", path_.string(), error.message()));
    part_.clear();
}

void remove_left_overs(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end; entry.increment(error)) {
        if (!is_part_name(entry->path().filename().string())) continue;
        const int descriptor = open(entry->path().c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
        if (descriptor < 0) continue;
        if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry->path().c_str());
        close(descriptor);
    }
}

void write_file_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    PartFile file(path);
    std::ofstream out(file.part(), std::ios::binary | std::ios::trunc);
    if (!out) throw InputError(fmt::format("{}: cannot be written: {}", path.string(), reason()));
    write(out);
    out.close();
    if (!out) throw InputError(fmt::format("{}: writing failed: {}", path.string(), reason()));
    file.finish();
}

void write_file_atomically(const fs::path& path, std::string_view content) {
    write_file_atomically(path, [&](std::ostream& out) {
        out.write(content.data(), static_cast<std::streamsize>(content.size()));
    });
}

void remove_unfinished_files() noexcept {
    for (UnfinishedSlot& slot : unfinished)
        if (slot.ready) unlink(slot.path);
}

} // namespace knead
