#include "knead/base/file.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
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

class UnfinishedFile {
public:
    explicit UnfinishedFile(const std::string& path) {
        for (UnfinishedSlot& slot : unfinished) {
            if (path.size() + 1 > sizeof slot.path || slot.taken.exchange(true)) continue;
            std::memcpy(slot.path, path.c_str(), path.size() + 1);
            slot.ready = true;
            slot_ = &slot;
            return;
        }
    }
    ~UnfinishedFile() {
        if (slot_ == nullptr) return;
        slot_->ready = false;
        slot_->taken = false;
    }
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

private:
    UnfinishedSlot* slot_ = nullptr;
};

std::string reason() {
    return std::error_code(errno, std::generic_category()).message();
}

} // namespace

std::string read_text_file(const fs::path& path, std::uintmax_t max_bytes) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(fmt::format("{}: no such file", path.string()));
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

void write_file_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
    std::error_code error;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    if (error)
        throw InputError(fmt::format("{}: the folder cannot be made: {}",
                                     path.parent_path().string(), error.message()));
    static std::atomic<unsigned> counter{0};
    fs::path temporary = path;
    temporary += fmt::format(".{}-{}.part", getpid(), counter++);
    const UnfinishedFile unfinished_file(temporary.string());
    try {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        if (!out)
            throw InputError(fmt::format("{}: cannot be written: {}", path.string(), reason()));
        write(out);
        out.close();
        if (!out) throw InputError(fmt::format("{}: writing failed: {}", path.string(), reason()));
        fs::rename(temporary, path, error);
        if (error)
            throw InputError(
                fmt::format("{}: cannot be replaced: {}", path.string(), error.message()));
    } catch (...) {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        throw;
    }
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
