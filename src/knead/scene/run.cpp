#include "knead/scene/run.hpp"

#include "knead/base/hash.hpp"
#include "knead/base/parallel.hpp"
#include "knead/io/cache.hpp"
#include "knead/scene/frame_report.hpp"

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

// What shading wants to know of a frame, one number a vertex: 1 in a contact zone, and how far the
// vertex was moved.
const std::vector<std::string> map_names = {"contact", "displacement"};
using OutputMaps = std::array<std::vector<double>, 2>;

struct FrameResult {
    std::vector<std::vector<Vec3>> positions; ///< one list an object
    std::vector<OutputMaps> maps;             ///< one an object, in the order of `map_names`
    FrameReport report;
};

// Zeros where nothing touched the object: what reads the files can rely on the maps.
OutputMaps output_maps(const ObjectOutcome& outcome, const std::vector<Vec3>& before,
                       const std::vector<Vec3>& after) {
    OutputMaps maps{outcome.zone, {}};
    maps[0].resize(before.size(), 0.0);
    for (std::size_t v = 0; v < before.size(); ++v)
        maps[1].push_back((after[v] - before[v]).norm());
    return maps;
}

FrameResult compute_frame(const LoadedScene& scene, const SceneGauge& gauge,
                          const FrameSolver& solver, double frame) {
    FrameResult result;
    SolvedFrame solved = solver.solve(frame);
    result.report.frame = frame;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object) {
        result.report.objects.push_back(object_report(scene, solved, object));
        result.maps.push_back(
            output_maps(solved.objects[object], solved.before[object], solved.after[object]));
    }
    result.report.contacts = contact_reports(scene, gauge, solved);
    result.report.milliseconds = std::move(solved.milliseconds);
    result.positions = std::move(solved.after);
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
            caches_.push_back(!has_mesh(object)
                                  ? nullptr
                                  : std::make_unique<CacheWriter>(
                                        settings.out / fmt::format("{}.{}", name(object),
                                                                   extension(settings.format)),
                                        *format, scene.objects[object].source,
                                        CacheSettings{scene.scene.fps, 'y', map_names}));
    }

    bool are_caches() const { return !caches_.empty(); }

    // Frames within a cache cannot be skipped one by one.
    bool is_there(double frame) const {
        if (are_caches()) return false;
        for (int object = 0; object < object_count(); ++object)
            if (has_mesh(object) && !fs::is_regular_file(frame_path(object, frame))) return false;
        return true;
    }

    // Called from several threads.
    void write(double frame, const FrameResult& result) const {
        for (int object = 0; object < object_count(); ++object) {
            // Objects given by a potential field alone have no vertices to write.
            if (!has_mesh(object)) continue;
            const MeshFile& source = scene_.objects[object].source;
            const std::vector<Vec3>& positions = result.positions[object];
            if (are_caches())
                caches_[object]->add(frame, positions, result.maps[object]);
            else if (settings_.format == OutputFormat::obj)
                write_obj(frame_path(object, frame), source, positions);
            else
                write_ply(frame_path(object, frame), source, positions,
                          with_maps(source.mesh.attributes, result.maps[object]));
        }
    }

    void finish() {
        for (const auto& cache : caches_)
            if (cache) cache->finish();
    }

private:
    static std::map<std::string, VertexAttribute>
    with_maps(std::map<std::string, VertexAttribute> attributes, const OutputMaps& maps) {
        for (std::size_t m = 0; m < maps.size(); ++m) attributes[map_names[m]] = {1, maps[m]};
        return attributes;
    }

    int object_count() const { return static_cast<int>(scene_.objects.size()); }
    bool has_mesh(int object) const { return !scene_.objects[object].source.mesh.faces.empty(); }
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

// The scene's text and the meshes it names: frames of an edited mesh are frames of another scene.
// Of what moves them, skins and sequences of files, three frames tell.
std::string hash_of(const LoadedScene& scene) {
    Hash hash;
    hash.add(scene.scene.hash);
    const auto add_mesh = [&](const TriangleMesh& mesh) {
        hash.add(mesh.positions.data(), mesh.positions.size() * sizeof(Vec3));
        hash.add(mesh.faces.data(), mesh.faces.size() * sizeof(Triangle));
        for (const auto& [name, attribute] : mesh.attributes)
            hash.add(attribute.values.data(), attribute.values.size() * sizeof(double));
        for (const auto& [name, vertices] : mesh.groups)
            hash.add(vertices.data(), vertices.size() * sizeof(int));
    };
    for (const LoadedObject& object : scene.objects) {
        add_mesh(object.source.mesh);
        if (object.proxy) add_mesh(object.proxy->mesh);
    }
    const FrameRange range = scene.scene.frames;
    for (const double frame :
         {1.0 * range.first, 0.5 * (range.first + range.last), 1.0 * range.last})
        for (const std::vector<Vec3>& positions : positions_at(scene, frame))
            hash.add(positions.data(), positions.size() * sizeof(Vec3));
    return hash.text();
}

// The report that is there already, when it is of the same scene.
Report report_to_continue(const LoadedScene& scene, const fs::path& path) {
    const Report fresh{fs::path(scene.scene.path).filename().string(), hash_of(scene), {}};
    if (!fs::exists(path)) return fresh;
    Report found = read_report(path);
    return found.scene == fresh.scene && found.scene_hash == fresh.scene_hash ? found : fresh;
}

void compute_frames(const LoadedScene& scene, const SceneGauge& gauge,
                    std::span<const double> wanted, const RunFiles& files, const Progress& progress,
                    RunSummary& summary) {
    const FrameSolver solver(scene);
    std::mutex summary_lock;
    parallel_for(wanted.size(), 1, [&](std::size_t i) {
        if (progress.stop.stop_requested()) return;
        FrameResult result = compute_frame(scene, gauge, solver, wanted[i]);
        files.write(wanted[i], result);
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
