#include "knead/scene/run.hpp"

#include "knead/base/parallel.hpp"
#include "knead/scene/frame_report.hpp"
#include "knead/scene/run_files.hpp"

#include <mutex>

namespace knead {
namespace {

struct FrameResult {
    FrameOutput output;
    FrameReport report;
};

FrameResult compute_frame(const LoadedScene& scene, const SceneGauge& gauge,
                          const FrameSolver& solver, double frame) {
    FrameResult result;
    SolvedFrame solved = solver.solve(frame);
    result.report.frame = frame;
    for (int object = 0; object < static_cast<int>(scene.objects.size()); ++object)
        result.report.objects.push_back(object_report(scene, solved, object));
    result.report.contacts = contact_reports(scene, gauge, solved);
    result.report.milliseconds = std::move(solved.milliseconds);
    result.output = frame_output(solved);
    return result;
}

void compute_frames(const LoadedScene& scene, const SceneGauge& gauge,
                    std::span<const double> wanted, const RunFiles& files, const Progress& progress,
                    RunSummary& summary) {
    const FrameSolver solver(scene);
    std::mutex summary_lock;
    parallel_for(wanted.size(), 1, [&](std::size_t i) {
        if (progress.stop.stop_requested()) return;
        FrameResult result = compute_frame(scene, gauge, solver, wanted[i]);
        files.write(wanted[i], result.output);
        const std::lock_guard lock(summary_lock);
        add_frame(summary.report, std::move(result.report));
        ++summary.frames_done;
        progress.at(summary.frames_done / static_cast<double>(wanted.size()));
    });
    progress.check();
}

void run_deformer(const LoadedScene& scene, const RunSettings& settings,
                  const FrameSequence& frames, const Progress& progress, RunSummary& summary) {
    RunFiles files(scene, settings, frames);
    const std::vector<double> wanted = files.wanted(summary);
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
}

} // namespace

RunSummary run_scene(const LoadedScene& scene, const RunSettings& settings,
                     const Progress& progress) {
    RunSummary summary;
    summary.method = settings.method.value_or(scene.scene.method);
    const FrameSequence frames = settings.frames.value_or(
        FrameSequence{double(scene.scene.frames.first), double(scene.scene.frames.last), 1});
    summary.report_path = settings.report.value_or(settings.out / "report.json");
    expect_inputs_kept(scene, settings, frames, summary);
    summary.report = report_to_continue(scene, summary.method, summary.report_path);
    if (depends_on_time(summary.method))
        run_in_time(scene, settings, frames, progress, summary);
    else
        run_deformer(scene, settings, frames, progress, summary);
    return summary;
}

} // namespace knead
