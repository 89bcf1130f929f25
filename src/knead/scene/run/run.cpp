#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/run_files.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <mutex>

namespace knead {
namespace {

struct FrameResult {
    FrameOutput output;
    FrameReport report;
};

FrameResult compute_frame(const LoadedScene& scene, const SceneGauge& gauge,
                          const FrameSolver& solver, double frame, const std::stop_token& stop) {
    const Progress progress{{}, stop};
    FrameResult result;
    SolvedFrame solved;
    solver.solve(frame, solved, progress);
    result.report.frame = frame;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
        result.report.objects.push_back(object_report(scene, solved, object));
    result.report.contacts = contact_reports(scene, gauge, solved, progress);
    result.report.milliseconds = std::move(solved.milliseconds);
    result.output = frame_output(solved);
    return result;
}

// A run that is killed loses no more than the reports of so many milliseconds.
constexpr double between_reports = 5000;

void compute_frames(const LoadedScene& scene, const SceneGauge& gauge,
                    std::span<const double> wanted, RunFiles& files, const Progress& progress,
                    RunSummary& summary) {
    const FrameSolver solver(scene);
    std::mutex summary_lock;
    Stopwatch since_report;
    parallel_for(wanted.size(), 1, [&](std::size_t i) {
        if (progress.stop.stop_requested()) return;
        FrameResult result = compute_frame(scene, gauge, solver, wanted[i], progress.stop);
        files.write(wanted[i], result.output);
        const std::lock_guard lock(summary_lock);
        files.add_report(std::move(result.report));
        ++summary.frames_done;
        progress.at(summary.frames_done / static_cast<double>(wanted.size()));
        if (since_report.milliseconds() < between_reports) return;
        files.write_report();
        since_report = Stopwatch();
    });
    progress.check();
}

void run_deformer(const LoadedScene& scene, const RunSettings& settings,
                  const FrameSequence& frames, const Progress& progress, RunSummary& summary) {
    RunFiles files(scene, settings, frames, summary.method, summary.report_path);
    const std::vector<double> wanted = files.wanted(summary);
    const SceneGauge gauge = make_gauge(scene);
    try {
        compute_frames(scene, gauge, wanted, files, progress, summary);
    } catch (...) {
        files.write_report();
        throw;
    }
    summary.report = files.finish();
}

} // namespace

RunSummary run_scene(const LoadedScene& scene, const RunSettings& settings,
                     const Progress& progress, const WatchFrames& watch) {
    RunSummary summary;
    summary.method = settings.method.value_or(scene.scene.method);
    const FrameSequence frames = settings.frames.value_or(
        FrameSequence{double(scene.scene.frames.first), double(scene.scene.frames.last), 1});
    summary.report_path = settings.report.value_or(settings.out / "report.json");
    expect_inputs_kept(scene, settings, frames, summary.method, summary.report_path);
    remove_left_overs(settings.out);
    remove_left_overs(summary.report_path.parent_path());
    if (depends_on_time(summary.method))
        run_in_time(scene, settings, frames, progress, watch, summary);
    else
        run_deformer(scene, settings, frames, progress, summary);
    return summary;
}

RunSummary run_scene_file(const std::filesystem::path& path, const RunSettings& settings,
                          const SceneOptions& options, const Progress& progress) {
    return run_scene(load_scene(read_scene(path, options)), settings, progress);
}

} // namespace knead
