#pragma once

#include "knead/base/types.hpp"

#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

namespace knead {

/// Frames of equal size in a file without a name, which vanishes with its last user.
class FrameSpool {
public:
    /// The nameless file lies beside `path`. A map is a number a vertex.
    FrameSpool(const std::filesystem::path& path, std::size_t vertex_count,
               std::size_t map_count = 0);
    ~FrameSpool();
    FrameSpool(const FrameSpool&) = delete;
    FrameSpool& operator=(const FrameSpool&) = delete;

    /// May be called from several threads.
    void add(double frame, std::span<const Vec3> positions,
             std::span<const std::vector<double>> maps = {});

    /// Puts the frames into order. Throws InputError when there are none or one came twice.
    void sort();

    // After `sort`:
    std::size_t count() const { return entries_.size(); }
    double frame(std::size_t index) const { return entries_[index].frame; }
    void read(std::size_t index, std::vector<Vec3>& positions) const;
    void read_map(std::size_t index, std::size_t map, std::vector<double>& values) const;

private:
    void put(const void* data, std::size_t size, std::size_t offset) const;
    void get(void* data, std::size_t size, std::size_t offset) const;
    std::size_t slot_size() const {
        return vertex_count_ * (sizeof(Vec3) + map_count_ * sizeof(double));
    }

    struct Entry {
        double frame;
        std::size_t slot;
    };

    std::string path_;
    std::size_t vertex_count_, map_count_;
    int descriptor_ = -1;
    std::mutex mutex_;
    std::vector<Entry> entries_;
};

} // namespace knead
