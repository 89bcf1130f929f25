#include "knead/io/frame_spool.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace knead {
namespace {

std::string reason() {
    return std::error_code(errno, std::generic_category()).message();
}

} // namespace

FrameSpool::FrameSpool(const std::filesystem::path& path, std::size_t vertex_count,
                       std::size_t map_count)
    : path_(path.string()), vertex_count_(vertex_count), map_count_(map_count) {
    // It has a name as long as it takes to open it.
    const PartFile file(path);
    descriptor_ = open(file.part().c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor_ < 0)
        throw InputError(fmt::format("{}: cannot be written: {}", path_, reason()));
}

FrameSpool::~FrameSpool() {
    close(descriptor_);
}

void FrameSpool::put(const void* data, std::size_t size, std::size_t offset) const {
    const char* bytes = static_cast<const char*>(data);
    for (std::size_t done = 0; done < size;) {
        const ssize_t written =
            pwrite(descriptor_, bytes + done, size - done, static_cast<off_t>(offset + done));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw InputError(fmt::format("{}: writing failed: {}", path_, reason()));
        done += static_cast<std::size_t>(written);
    }
}

void FrameSpool::get(void* data, std::size_t size, std::size_t offset) const {
    char* bytes = static_cast<char*>(data);
    for (std::size_t done = 0; done < size;) {
        const ssize_t got =
            pread(descriptor_, bytes + done, size - done, static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            throw InputError(fmt::format("{}: frames cannot be read back: {}", path_, reason()));
        done += static_cast<std::size_t>(got);
    }
}

void FrameSpool::add(double frame, std::span<const Vec3> positions,
                     std::span<const std::vector<double>> maps) {
    std::size_t slot = 0;
    {
        const std::lock_guard lock(mutex_);
        slot = entries_.size();
        entries_.push_back({frame, slot});
    }
    std::size_t offset = slot * slot_size();
    put(positions.data(), vertex_count_ * sizeof(Vec3), offset);
    offset += vertex_count_ * sizeof(Vec3);
    for (const std::vector<double>& map : maps) {
        put(map.data(), vertex_count_ * sizeof(double), offset);
        offset += vertex_count_ * sizeof(double);
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
    get(positions.data(), vertex_count_ * sizeof(Vec3), entries_[index].slot * slot_size());
}

void FrameSpool::read_map(std::size_t index, std::size_t map, std::vector<double>& values) const {
    values.resize(vertex_count_);
    get(values.data(), vertex_count_ * sizeof(double),
        entries_[index].slot * slot_size() + vertex_count_ * (sizeof(Vec3) + map * sizeof(double)));
}

} // namespace knead
