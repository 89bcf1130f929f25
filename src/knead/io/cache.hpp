#pragma once

#include "knead/io/mesh_file.hpp"

#include <memory>

namespace knead {

/// One file for all frames of a mesh.
enum class CacheFormat {
    pc2,  ///< point cache, single precision; Blender's Mesh Cache reads it
    glb,  ///< morph-target animation, single precision
    usda, ///< a plain-text USD mesh with time-sampled points that read back to the same double
};

struct CacheSettings {
    double fps = 24;
    char up = 'y'; ///< 'y' or 'z'; USD only
    /// Numbers a vertex that change from frame to frame, in place of an attribute of that name. USD
    /// only: the other formats hold nothing but positions that change, and leave them out.
    std::vector<std::string> maps = {};
};

/// Gathers frames and writes the cache at the end. Frames go to a nameless file beside `path` until
/// then, so that memory holds one at a time and nothing is left behind whatever happens.
class CacheWriter {
public:
    /// `source` gives faces, groups, UVs and attributes, and must outlive the writer.
    CacheWriter(std::filesystem::path path, CacheFormat format, const MeshFile& source,
                const CacheSettings& settings = {});
    ~CacheWriter();
    CacheWriter(const CacheWriter&) = delete;
    CacheWriter& operator=(const CacheWriter&) = delete;

    /// Positions of the *mesh* vertices at a frame. Frames may come in any order and from several
    /// threads; the file does not show it. `maps` are those of the settings, in their order.
    void add(double frame, std::span<const Vec3> positions,
             std::span<const std::vector<double>> maps = {});

    /// Writes the file. Throws InputError when there are no frames, one came twice, or the format
    /// cannot hold them: PC2 wants frames at equal distances, GLB at most 4 GB.
    void finish();

private:
    void check_maps(double frame, std::span<const std::vector<double>> maps) const;

    struct State;
    std::unique_ptr<State> state_;
};

struct FramePositions {
    double frame = 0;
    std::vector<Vec3> positions = {};
};

/// The same in one call, for frames that are in memory anyway.
void write_cache(const std::filesystem::path& path, CacheFormat format, const MeshFile& source,
                 std::span<const FramePositions> frames, const CacheSettings& settings = {});

} // namespace knead
