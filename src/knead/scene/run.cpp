#include "knead/scene/run.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/io/cache.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/scene/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>

namespace knead {
namespace fs = std::filesystem;

namespace {

std::string_view extension(OutputFormat format) {
    switch (format) {
    case OutputFormat::obj:
        return "obj";
    case OutputFormat::ply:
        return "ply";
    case OutputFormat::pc2:
        return "pc2";
    case OutputFormat::glb:
        return "glb";
    case OutputFormat::usda:
        return "usda";
    }
    return "";
}

struct FrameResult {
    std::vector<std::vector<Vec3>> positions; ///< one list an object
    FrameReport report;
};

ObjectReport measure_object(const std::string& name, const std::vector<Triangle>& faces,
                            const std::vector<Vec3>& before, const std::vector<Vec3>& after) {
    ObjectReport report;
    report.name = name;
    report.vertices = static_cast<int>(before.size());
    const Vec3 origin = bounding_box(before).center();
    report.volume_before = signed_volume(before, faces, origin);
    report.volume_after = signed_volume(after, faces, origin);
    for (std::size_t v = 0; v < before.size(); ++v) {
        const double moved = (after[v] - before[v]).norm();
        report.max_displacement = std::max(report.max_displacement, moved);
        report.deformed_vertices += moved > 0;
    }
    return report;
}

// No method moves anything yet: the output is the input, and the report says so where there is
// contact.
FrameResult compute_frame(const LoadedScene& scene, const SceneGauge& gauge, double frame) {
    Stopwatch total;
    FrameResult result;
    result.report.frame = frame;
    result.positions = positions_at(scene, frame);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
        result.report.objects.push_back(measure_object(scene.scene.objects[i].name,
                                                       scene.objects[i].source.mesh.faces,
                                                       result.positions[i], result.positions[i]));
    for (int contact = 0; contact < static_cast<int>(gauge.contacts.size()); ++contact) {
        const Penetration found = measure_contact(gauge, contact, result.positions);
        ContactReport report;
        for (const int side : {0, 1})
            report.between[side] = side_name(scene.scene, gauge.contacts[contact].between[side]);
        report.depth_before = report.depth_after = found.depth;
        report.crossings_before = report.crossings_after = found.crossings;
        if (found.depth > 0 || found.crossings > 0)
            report.note = "no response: this version only measures";
        result.report.contacts.push_back(std::move(report));
    }
    result.report.milliseconds = {{"total", total.milliseconds()}};
    return result;
}

std::optional<CacheFormat> cache_format(OutputFormat format) {
    switch (format) {
    case OutputFormat::pc2:
        return CacheFormat::pc2;
    case OutputFormat::glb:
        return CacheFormat::glb;
    case OutputFormat::usda:
        return CacheFormat::usda;
    default:
        return std::nullopt;
    }
}

// The files of a run: who is called what, what is there already, and the open caches.
class RunFiles {
public:
    RunFiles(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames)
        : scene_(scene), settings_(settings), frames_(frames) {
        const std::optional<CacheFormat> format = cache_format(settings.format);
        if (!format) return;
        for (int object = 0; object < object_count(); ++object)
            caches_.push_back(std::make_unique<CacheWriter>(
                settings.out / fmt::format("{}.{}", name(object), extension(settings.format)),
                *format, scene.objects[object].source, CacheSettings{scene.scene.fps, 'y'}));
    }

    bool are_caches() const { return !caches_.empty(); }

    // Frames within a cache cannot be skipped one by one.
    bool is_there(double frame) const {
        if (are_caches()) return false;
        for (int object = 0; object < object_count(); ++object)
            if (!fs::is_regular_file(frame_path(object, frame))) return false;
        return true;
    }

    // Called from several threads.
    void write(double frame, std::span<const std::vector<Vec3>> positions) const {
        for (int object = 0; object < object_count(); ++object) {
            const MeshFile& source = scene_.objects[object].source;
            if (are_caches())
                caches_[object]->add(frame, positions[object]);
            else if (settings_.format == OutputFormat::obj)
                write_obj(frame_path(object, frame), source, positions[object]);
            else
                write_ply(frame_path(object, frame), source, positions[object],
                          source.mesh.attributes);
        }
    }

    void finish() {
        for (const auto& cache : caches_) cache->finish();
    }

private:
    int object_count() const { return static_cast<int>(scene_.objects.size()); }
    const std::string& name(int object) const { return scene_.scene.objects[object].name; }
    fs::path frame_path(int object, double frame) const {
        return settings_.out / fmt::format("{}.{}.{}", name(object),
                                           frame_label(frame, frames_.is_fractional()),
                                           extension(settings_.format));
    }

    const LoadedScene& scene_;
    const RunSettings& settings_;
    const FrameSequence& frames_;
    std::vector<std::unique_ptr<CacheWriter>> caches_;
};

// The report that is there already, when it is of the same scene.
Report report_to_continue(const LoadedScene& scene, const fs::path& path) {
    const Report fresh{fs::path(scene.scene.path).filename().string(), scene.scene.hash, {}};
    if (!fs::exists(path)) return fresh;
    Report found = read_report(path);
    return found.scene == fresh.scene && found.scene_hash == fresh.scene_hash ? found : fresh;
}

void compute_frames(const LoadedScene& scene, const SceneGauge& gauge,
                    std::span<const double> wanted, const RunFiles& files, const Progress& progress,
                    RunSummary& summary) {
    std::mutex summary_lock;
    parallel_for(wanted.size(), 1, [&](std::size_t i) {
        if (progress.stop.stop_requested()) return;
        FrameResult result = compute_frame(scene, gauge, wanted[i]);
        files.write(wanted[i], result.positions);
        const std::lock_guard lock(summary_lock);
        add_frame(summary.report, std::move(result.report));
        ++summary.frames_done;
        progress.at(summary.frames_done / static_cast<double>(wanted.size()));
    });
    progress.check();
}

} // namespace

std::optional<OutputFormat> output_format(std::string_view name) {
    for (const OutputFormat format : {OutputFormat::obj, OutputFormat::ply, OutputFormat::pc2,
                                      OutputFormat::glb, OutputFormat::usda})
        if (name == extension(format)) return format;
    return std::nullopt;
}

RunSummary run_scene(const LoadedScene& scene, const RunSettings& settings,
                     const Progress& progress) {
    RunSummary summary;
    const FrameSequence frames = settings.frames.value_or(
        FrameSequence{double(scene.scene.frames.first), double(scene.scene.frames.last), 1});
    summary.report_path = settings.report.value_or(settings.out / "report.json");
    summary.report = report_to_continue(scene, summary.report_path);
    RunFiles files(scene, settings, frames);

    std::vector<double> wanted;
    for (int i = 0; i < frames.count(); ++i) {
        const double frame = frames.frame(i);
        if (settings.resume && find_frame(summary.report, frame) && files.is_there(frame))
            ++summary.frames_skipped;
        else
            wanted.push_back(frame);
    }

    const SceneGauge gauge = make_gauge(scene);
    try {
        compute_frames(scene, gauge, wanted, files, progress, summary);
        files.finish();
    } catch (...) {
        // A cache is whole or not there at all; frames on their own stay and are in the report.
        if (!files.are_caches() && summary.frames_done > 0)
            write_report(summary.report_path, summary.report);
        throw;
    }
    write_report(summary.report_path, summary.report);
    return summary;
}

} // namespace knead
