// Point cache 2: a header, then the points of one sample after the other, in little-endian floats.
#include "knead/base/error.hpp"
#include "knead/io/cache_formats.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead::formats {

void write_pc2(std::ostream& out, const std::string& path, const MeshFile& source,
               const FrameSpool& frames) {
    const double first = frames.frame(0);
    const double step = frames.count() > 1 ? frames.frame(1) - first : 1.0;
    for (std::size_t f = 1; f < frames.count(); ++f)
        if (std::abs(frames.frame(f) - frames.frame(f - 1) - step) > 1e-6 * step)
            throw InputError(fmt::format("{}: frame {} follows frame {}, expected steps of {} as "
                                         "between the first two",
                                         path, frames.frame(f), frames.frame(f - 1), step));

    std::string bytes("POINTCACHE2\0", 12);
    put(bytes, std::int32_t(1)); // version
    put(bytes, static_cast<std::int32_t>(source.file_vertex_count()));
    put(bytes, static_cast<float>(first));
    put(bytes, static_cast<float>(step)); // frames a sample
    put(bytes, static_cast<std::int32_t>(frames.count()));
    std::vector<Vec3> positions;
    for (std::size_t f = 0; f < frames.count(); ++f) {
        frames.read(f, positions);
        for (int v = 0; v < source.file_vertex_count(); ++v)
            put_point(bytes, positions[source.mesh_vertex(v)]);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.clear();
    }
}

} // namespace knead::formats
