#pragma once

#include "knead/io/cache.hpp"
#include "knead/io/frame_spool.hpp"

#include <bit>
#include <ostream>

// The writers behind `CacheWriter`, one a format. `frames` is sorted and not empty; `path` is for
// messages.
namespace knead::formats {

void write_pc2(std::ostream& out, const std::string& path, const MeshFile& source,
               const FrameSpool& frames);
void write_glb(std::ostream& out, const std::string& path, const MeshFile& source,
               const FrameSpool& frames, const CacheSettings& settings);
void write_usda(std::ostream& out, const MeshFile& source, const FrameSpool& frames,
                const CacheSettings& settings);

/// Appends a number in little-endian order.
template <typename T>
void put(std::string& bytes, T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
}

inline void put_point(std::string& bytes, const Vec3& point) {
    for (int i = 0; i < 3; ++i) put(bytes, static_cast<float>(point[i]));
}

} // namespace knead::formats
