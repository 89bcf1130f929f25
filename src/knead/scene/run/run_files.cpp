#include "knead/scene/run/run_files.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"
#include "knead/base/text.hpp"
#include "knead/base/warning.hpp"
#include "knead/io/cache.hpp"
#include "knead/scene/load/input_files.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> map_names = {"contact", "displacement"};

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

// Zeros where nothing touched the object: what reads the files can rely on the maps.
OutputMaps output_maps(const ObjectOutcome& outcome, const std::vector<Vec3>& before,
                       const std::vector<Vec3>& after) {
    OutputMaps maps{outcome.zone, {}};
    maps[0].resize(before.size(), 0.0);
    for (std::size_t v = 0; v < before.size(); ++v)
        maps[1].push_back((after[v] - before[v]).norm());
    return maps;
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

std::string state_name(Method method) {
    return fmt::format("{}.state", method_name(method));
}

std::string frame_name(const std::string& object, double frame, const FrameSequence& frames,
                       OutputFormat format) {
    return fmt::format("{}.{}.{}", object, frame_label(frame, frames.is_fractional()),
                       extension(format));
}

std::string cache_name(const std::string& object, OutputFormat format) {
    return fmt::format("{}.{}", object, extension(format));
}

// All that a run leaves in its folder, the report aside.
std::vector<std::string> result_names(const LoadedScene& scene, const RunSettings& settings,
                                      const FrameSequence& frames, Method method) {
    std::vector<std::string> names;
    if (depends_on_time(method)) names.push_back(state_name(method));
    for (int i = 0; i < frames.count() && method == Method::implicit; ++i)
        names.push_back(description_path({}, frames.frame(i)).string());
    for (std::size_t object = 0; object < scene.objects.size(); ++object) {
        if (scene.objects[object].source.mesh.faces.empty()) continue;
        const std::string& name = scene.scene.objects[object].name;
        if (cache_format(settings.format))
            names.push_back(cache_name(name, settings.format));
        else
            for (int i = 0; i < frames.count(); ++i)
                names.push_back(frame_name(name, frames.frame(i), frames, settings.format));
    }
    return names;
}

// Where frames wait for their cache to be whole.
fs::path store_folder(const RunSettings& settings) {
    return settings.out / fmt::format("{}.frames", extension(settings.format));
}

// The scene's text and the meshes it names: frames of an edited mesh are frames of another scene.
// Of what moves them, skins and sequences of files, three frames tell.
std::string hash_of(const LoadedScene& scene, Method method) {
    Hash hash;
    hash.add(scene.scene.hash);
    if (depends_on_time(method)) hash.add(method_name(method));
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

Report fresh_report(const LoadedScene& scene, Method method) {
    return {fs::path(scene.scene.path).filename().string(), hash_of(scene, method)};
}

// "1 to 24", "1 to 24 by 0.5"
std::string describe(const FrameSequence& frames) {
    return fmt::format("{} to {}{}", shortest(frames.first), shortest(frames.last),
                       frames.step == 1 ? "" : " by " + shortest(frames.step));
}

} // namespace

std::optional<OutputFormat> output_format(std::string_view name) {
    for (const OutputFormat format : {OutputFormat::obj, OutputFormat::ply, OutputFormat::pc2,
                                      OutputFormat::glb, OutputFormat::usda})
        if (name == extension(format)) return format;
    return std::nullopt;
}

FrameOutput frame_output(SolvedFrame& solved) {
    FrameOutput output;
    for (std::size_t i = 0; i < solved.after.size(); ++i)
        output.maps.push_back(output_maps(solved.objects[i], solved.before[i], solved.after[i]));
    output.positions = std::move(solved.after);
    return output;
}

RunFiles::RunFiles(const LoadedScene& scene, const RunSettings& settings,
                   const FrameSequence& frames, Method method, const fs::path& report_path)
    : scene_(scene),
      settings_(settings),
      frames_(frames),
      method_(method),
      report_(report_path, fresh_report(scene, method)) {
    if (cache_format(settings.format)) open_store();
    warn_of_lost_entries();
}

void RunFiles::warn_of_lost_entries() const {
    if (!report_.replaced()) return;
    const Report& replaced = *report_.replaced();
    const std::string path = report_.path().string();
    if (replaced.scene != report_.all().scene) {
        warn(fmt::format("{}: is the report of {}, and will be replaced", path,
                         single_quoted(replaced.scene)));
        return;
    }
    const auto lost = std::count_if(replaced.frames.begin(), replaced.frames.end(),
                                    [&](const FrameReport& entry) {
                                        return !frames_.contains({entry.frame, entry.frame, 1});
                                    });
    if (lost > 0)
        warn(fmt::format("{}: is the report of other values of {} or another method, and will be "
                         "replaced; {} that this run does not make will be gone from it",
                         path, single_quoted(replaced.scene), counted(lost, "frame", "frames")));
}

void RunFiles::open_store() {
    const std::string format(extension(settings_.format));
    std::vector<std::size_t> vertex_counts;
    for (int object = 0; object < object_count(); ++object)
        vertex_counts.push_back(
            has_mesh(object) ? scene_.objects[object].source.mesh.positions.size() : 0);
    store_.emplace(store_folder(settings_), std::move(vertex_counts),
                   fmt::format("{}: another run is writing its {} caches into this folder; wait "
                               "until it has ended, or {}",
                               settings_.out.string(), format, settings_.another_out));
    const Report fresh{report_.all().scene, report_.all().scene_hash};
    // Whoever had the store before may have finished since the report was read.
    report_ = RunReport(report_.path(), fresh);
    const fs::path path = store_->folder() / "report.json";
    try {
        stored_report_.emplace(path, fresh);
    } catch (const InputError&) {
        // Something else has that name.
    }
    if (caches_are_whole()) {
        // Whoever wrote them may have been killed before it had tidied up.
        if (!store_has_more()) store_->clear();
        stored_report_.reset();
        store_.reset();
        return;
    }
    const bool is_ours = stored_report_ && !stored_report_->replaced();
    // One that was killed while it wrote the caches has said so.
    std::optional<FrameSequence> there =
        is_ours ? stored_report_->cache_found(format) : std::nullopt;
    if (!there) there = report_.cache_found(format);
    expect_no_frames_lost(there);
    store_->keep(settings_.resumable);
    if (is_ours && settings_.resume) return;
    store_->clear();
    stored_report_.emplace(path, fresh);
}

bool RunFiles::caches_are_whole() const {
    if (!settings_.resume) return false;
    const auto& caches = report_.all().caches;
    const auto found = caches.find(std::string(extension(settings_.format)));
    if (found == caches.end() || !found->second.contains(frames_)) return false;
    for (int i = 0; i < frames_.count(); ++i)
        if (find_frame(report_.all(), frames_.frame(i)) == nullptr) return false;
    for (int object = 0; object < object_count(); ++object)
        if (has_mesh(object) && !fs::is_regular_file(cache_path(object))) return false;
    return true;
}

bool RunFiles::store_has_more() const {
    if (!stored_report_) return false;
    if (stored_report_->replaced()) return true;
    const std::string format(extension(settings_.format));
    const std::optional<FrameSequence> finished = stored_report_->cache_found(format);
    return !stored_report_->all().frames.empty() &&
           !(finished && report_.all().caches.at(format).contains(*finished));
}

// A cache is one piece: a run of other frames would lose those that it has.
void RunFiles::expect_no_frames_lost(const std::optional<FrameSequence>& there) const {
    int object = 0;
    while (object < object_count() && !(has_mesh(object) && fs::exists(cache_path(object))))
        ++object;
    if (object == object_count()) return;
    const FrameRange whole = scene_.scene.frames;
    if (frames_.contains(there.value_or(FrameSequence{1.0 * whole.first, 1.0 * whole.last, 1})))
        return;
    throw InputError(fmt::format(
        "{}: {}{}, and a run of the frames {} would replace it: a cache is one piece; {}, {}, or "
        "remove the cache",
        cache_path(object).string(),
        there ? fmt::format("the cache has the frames {}", describe(*there))
              : "it is not known which frames the cache has",
        report_.replaced() ? " of another scene, other values or another method" : "",
        describe(frames_), there ? "include those frames" : "run all frames",
        settings_.another_out));
}

bool RunFiles::is_there(double frame) const {
    if (store_) return store_->has(frame);
    if (cache_format(settings_.format)) return true;
    for (int object = 0; object < object_count(); ++object)
        if (has_mesh(object) && !fs::is_regular_file(frame_path(object, frame))) return false;
    return true;
}

std::vector<double> RunFiles::wanted(RunSummary& summary) const {
    std::vector<double> result;
    for (int i = 0; i < frames_.count(); ++i) {
        const double frame = frames_.frame(i);
        if (settings_.resume && find_frame(running_report().all(), frame) && is_there(frame))
            ++summary.frames_skipped;
        else
            result.push_back(frame);
    }
    return result;
}

fs::path RunFiles::state_path() const {
    return (store_ ? store_->folder() : settings_.out) / state_name(method_);
}

void RunFiles::write(double frame, const FrameOutput& output) const {
    if (store_) {
        store_->write(frame, output.positions, output.maps);
        return;
    }
    for (int object = 0; object < object_count(); ++object) {
        // Objects given by a potential field alone have no vertices to write.
        if (!has_mesh(object)) continue;
        if (settings_.format == OutputFormat::obj)
            write_obj(frame_path(object, frame), scene_.objects[object].source,
                      output.positions[object]);
        else
            write_ply_frame(object, frame, output);
    }
}

void RunFiles::write_ply_frame(int object, double frame, const FrameOutput& output) const {
    const MeshFile& source = scene_.objects[object].source;
    std::map<std::string, VertexAttribute> attributes = source.mesh.attributes;
    for (std::size_t m = 0; m < map_names.size(); ++m)
        attributes[map_names[m]] = {1, output.maps[object][m]};
    if (!output.velocities.empty()) {
        VertexAttribute& velocity = attributes["velocity"] = {3, {}};
        for (const Vec3& v : output.velocities[object])
            velocity.values.insert(velocity.values.end(), {v.x(), v.y(), v.z()});
    }
    write_ply(frame_path(object, frame), source, output.positions[object], attributes);
}

void RunFiles::write_report() {
    if (running_report().has_news()) running_report().write();
}

void RunFiles::write_cache(int object) const {
    CacheWriter writer(cache_path(object), *cache_format(settings_.format),
                       scene_.objects[object].source,
                       CacheSettings{scene_.scene.fps, 'y', map_names});
    std::vector<Vec3> positions;
    OutputMaps maps;
    for (int i = 0; i < frames_.count(); ++i) {
        store_->read(frames_.frame(i), object, positions, maps);
        writer.add(frames_.frame(i), positions, maps);
    }
    writer.finish();
}

const Report& RunFiles::finish() {
    if (store_) {
        const std::string format(extension(settings_.format));
        // If this is killed among the caches, the next run sees here what it was about, and nobody
        // takes them for whole.
        stored_report_->add_cache(format, frames_);
        stored_report_->write();
        report_.forget_cache(format);
        for (int object = 0; object < object_count(); ++object)
            if (has_mesh(object)) write_cache(object);
        for (int i = 0; i < frames_.count(); ++i)
            report_.add(*find_frame(stored_report_->all(), frames_.frame(i)));
        report_.add_cache(format, frames_);
        report_.write();
        store_->clear();
    } else {
        write_report();
    }
    return report_.all();
}

fs::path RunFiles::frame_path(int object, double frame) const {
    return settings_.out /
           frame_name(scene_.scene.objects[object].name, frame, frames_, settings_.format);
}

fs::path RunFiles::cache_path(int object) const {
    return settings_.out / cache_name(scene_.scene.objects[object].name, settings_.format);
}

void expect_inputs_kept(const LoadedScene& scene, const RunSettings& settings,
                        const FrameSequence& frames, Method method, const fs::path& report) {
    InputFiles inputs(scene.scene);
    if (settings.from)
        for (int i = 0; i < frames.count(); ++i)
            inputs.add(description_path(*settings.from, frames.frame(i)), "as a frame of --from");
    const std::vector<std::string> names = result_names(scene, settings, frames, method);
    inputs.expect_not_written(settings.out, names, settings.another_out);
    if (cache_format(settings.format)) {
        std::vector<std::string> stored = {"report.json", state_name(method)};
        for (int i = 0; i < frames.count(); ++i)
            stored.push_back(FrameStore::name_of(frames.frame(i)));
        inputs.expect_not_written(store_folder(settings), stored, settings.another_out);
    }
    const std::string name = report.filename().string();
    inputs.expect_not_written(report.parent_path(), std::array{name},
                              settings.report ? "choose another file with --report"
                                              : settings.another_out);
    std::error_code ignored;
    const auto folder_of = [&](const fs::path& folder) {
        return fs::weakly_canonical(fs::absolute(folder, ignored), ignored);
    };
    if (std::find(names.begin(), names.end(), name) != names.end() &&
        folder_of(report.parent_path()) == folder_of(settings.out))
        throw InputError(fmt::format("{}: the run writes a result of this name; choose another "
                                     "file with --report",
                                     report.string()));
}

} // namespace knead
