#include "knead/io/cache.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/text.hpp"
#include "knead/io/cache_formats.hpp"
#include "knead/io/formats.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {

struct CacheWriter::State {
    std::filesystem::path path;
    CacheFormat format;
    const MeshFile& source;
    CacheSettings settings;
    FrameSpool frames;
};

CacheWriter::CacheWriter(std::filesystem::path path, CacheFormat format, const MeshFile& source,
                         const CacheSettings& settings)
    : state_(new State{path,
                       format,
                       source,
                       settings,
                       {path, source.mesh.positions.size(),
                        format == CacheFormat::usda ? settings.maps.size() : 0}}) {
    formats::check_attributes(source, source.mesh.attributes, path);
    if (!(settings.fps > 0 && std::isfinite(settings.fps)))
        throw InputError(
            fmt::format("{}: fps is {}, expected a positive number", path.string(), settings.fps));
    if (settings.up != 'y' && settings.up != 'z')
        throw InputError(
            fmt::format("{}: up is '{}', expected 'y' or 'z'", path.string(), settings.up));
}

CacheWriter::~CacheWriter() = default;

void CacheWriter::add(double frame, std::span<const Vec3> positions,
                      std::span<const std::vector<double>> maps) {
    formats::check_position_count(state_->source, positions, state_->path);
    if (!std::isfinite(frame))
        throw InputError(fmt::format("{}: frame {} given, expected a finite number",
                                     state_->path.string(), frame));
    formats::check_positions(positions, fmt::format("{}: frame {}", state_->path.string(), frame));
    check_maps(frame, maps);
    state_->frames.add(frame, positions,
                       state_->format == CacheFormat::usda ? maps : maps.first(0));
}

void CacheWriter::check_maps(double frame, std::span<const std::vector<double>> maps) const {
    const std::vector<std::string>& names = state_->settings.maps;
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("{}: frame {}: {}", state_->path.string(), frame, what));
    };
    if (maps.size() != names.size())
        fail(fmt::format("{} maps given, expected {}", maps.size(), names.size()));
    for (std::size_t m = 0; m < maps.size(); ++m) {
        if (maps[m].size() != state_->source.mesh.positions.size())
            fail(fmt::format("map {} has {} values, expected {}", single_quoted(names[m]),
                             maps[m].size(), state_->source.mesh.positions.size()));
        for (const double value : maps[m])
            if (!std::isfinite(value))
                fail(fmt::format("map {} has the value {}, expected finite numbers",
                                 single_quoted(names[m]), value));
    }
}

void CacheWriter::finish() {
    State& state = *state_;
    state.frames.sort();
    write_file_atomically(state.path, [&](std::ostream& out) {
        switch (state.format) {
        case CacheFormat::pc2:
            formats::write_pc2(out, state.path.string(), state.source, state.frames);
            break;
        case CacheFormat::glb:
            formats::write_glb(out, state.path.string(), state.source, state.frames,
                               state.settings);
            break;
        case CacheFormat::usda:
            formats::write_usda(out, state.source, state.frames, state.settings);
            break;
        }
    });
}

void write_cache(const std::filesystem::path& path, CacheFormat format, const MeshFile& source,
                 std::span<const FramePositions> frames, const CacheSettings& settings) {
    CacheWriter writer(path, format, source, settings);
    for (const FramePositions& frame : frames) writer.add(frame.frame, frame.positions);
    writer.finish();
}

} // namespace knead
