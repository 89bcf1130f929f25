#pragma once

#include "knead/base/file_lock.hpp"
#include "knead/base/types.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace knead {

/// What shading wants to know of a frame, one number a vertex: 1 in a contact zone, and how far the
/// vertex was moved.
using OutputMaps = std::array<std::vector<double>, 2>;

/// Frames on their way into caches, a whole file each in a folder of their own: a cache is written
/// when all of them are there, and a run that was interrupted can go on.
class FrameStore {
public:
    /// Takes the folder. Throws InputError with `refusal` when another run has it. An entry of
    /// `vertex_counts` an object.
    FrameStore(std::filesystem::path folder, std::vector<std::size_t> vertex_counts,
               const std::string& refusal);
    ~FrameStore();
    FrameStore(const FrameStore&) = delete;
    FrameStore& operator=(const FrameStore&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    /// Whether what is there by the time this goes away stays. It does unless told otherwise.
    void keep(bool yes) { kept_ = yes; }
    /// Removes frames, their report and state.
    void clear();
    /// Of a frame's file.
    static std::string name_of(double frame);

    bool has(double frame) const;
    /// May be called from several threads.
    void write(double frame, std::span<const std::vector<Vec3>> positions,
               std::span<const OutputMaps> maps) const;
    /// One object of a frame that is there.
    void read(double frame, int object, std::vector<Vec3>& positions, OutputMaps& maps) const;

private:
    std::filesystem::path path_of(double frame) const;

    std::filesystem::path folder_;
    std::vector<std::size_t> vertex_counts_;
    std::optional<FileLock> lock_;
    bool kept_ = true;
};

} // namespace knead
