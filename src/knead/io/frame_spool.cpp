#include "knead/io/frame_spool.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unistd.h>

namespace knead {
namespace {

std::string reason() {
    return std::error_code(errno, std::generic_category()).message();
}

} // namespace

FrameSpool::FrameSpool(const std::filesystem::path& path, std::size_t vertex_count)
    : path_(path.string()), vertex_count_(vertex_count) {
    std::error_code error;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    std::string name = path_ + ".XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0)
        throw InputError(fmt::format("{}: cannot be written: {}", path_, reason()));
    unlink(name.c_str());
}

FrameSpool::~FrameSpool() {
    close(descriptor_);
}

void FrameSpool::add(double frame, std::span<const Vec3> positions) {
    const std::size_t size = vertex_count_ * sizeof(Vec3);
    std::size_t slot = 0;
    {
        const std::lock_guard lock(mutex_);
        slot = entries_.size();
        entries_.push_back({frame, slot});
    }
    const char* bytes = reinterpret_cast<const char*>(positions.data());
    for (std::size_t done = 0; done < size;) {
        const ssize_t written =
            pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(slot * size + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw InputError(fmt::format("{}: writing failed: {}", path_, reason()));
        done += static_cast<std::size_t>(written);
    }
}

void FrameSpool::sort() {
    if (entries_.empty())
        throw InputError(fmt::format("{}: no frames given, expected at least 1", path_));
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.frame < b.frame; });
    for (std::size_t i = 1; i < entries_.size(); ++i)
        if (entries_[i].frame == entries_[i - 1].frame)
            throw InputError(fmt::format("{}: frame {} given twice", path_, entries_[i].frame));
}

void FrameSpool::read(std::size_t index, std::vector<Vec3>& positions) const {
    positions.resize(vertex_count_);
    const std::size_t size = vertex_count_ * sizeof(Vec3);
    char* bytes = reinterpret_cast<char*>(positions.data());
    for (std::size_t done = 0; done < size;) {
        const ssize_t got = pread(descriptor_, bytes + done, size - done,
                                  static_cast<off_t>(entries_[index].slot * size + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw InputError(fmt::format("{}: frames cannot be read back: {}", path_, reason()));
        done += static_cast<std::size_t>(got);
    }
}

} // namespace knead
