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
    /// The nameless file lies beside `path`.
    FrameSpool(const std::filesystem::path& path, std::size_t vertex_count);
    ~FrameSpool();
    FrameSpool(const FrameSpool&) = delete;
    FrameSpool& operator=(const FrameSpool&) = delete;

    /// May be called from several threads.
    void add(double frame, std::span<const Vec3> positions);

    /// Puts the frames into order. Throws InputError when there are none or one came twice.
    void sort();

    // After `sort`:
    std::size_t count() const { return entries_.size(); }
    double frame(std::size_t index) const { return entries_[index].frame; }
    void read(std::size_t index, std::vector<Vec3>& positions) const;

private:
    struct Entry {
        double frame;
        std::size_t slot;
    };

    std::string path_;
    std::size_t vertex_count_;
    int descriptor_ = -1;
    std::mutex mutex_;
    std::vector<Entry> entries_;
};

} // namespace knead
