#include "knead/base/file.hpp"
#include "knead/scene/run_files.hpp"
#include "knead/scene/scene_simulation.hpp"

#include <algorithm>
#include <sstream>

namespace knead {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view state_header = "knead dynamics state 1\n";

void write_state(const fs::path& path, const std::string& hash, const SceneSimulation& simulation) {
    write_file_atomically(path, [&](std::ostream& out) {
        out << state_header << hash << "\n";
        simulation.save(out);
    });
}

// A simulation that goes on from the state in the file; nothing when there is none that was left by
// the same scene and is from before the first wanted frame.
std::optional<SceneSimulation> resumed(const LoadedScene& scene, const fs::path& path,
                                       const std::string& hash, double first_wanted) {
    if (!fs::is_regular_file(path)) return std::nullopt;
    const std::string begin = std::string(state_header) + hash + "\n";
    std::istringstream in(read_text_file(path));
    std::string found(begin.size(), '\0');
    in.read(found.data(), static_cast<std::streamsize>(found.size()));
    if (!in || found != begin) return std::nullopt;
    SceneSimulation simulation(scene);
    try {
        simulation.load(in);
    } catch (const InputError&) {
        // Of another version of the program.
        return std::nullopt;
    }
    if (simulation.frame() >= first_wanted) return std::nullopt;
    return simulation;
}

} // namespace

void run_dynamics(const LoadedScene& scene, const RunSettings& settings,
                  const FrameSequence& frames, const Progress& progress, RunSummary& summary) {
    RunFiles files(scene, settings, frames);
    const std::vector<double> wanted = files.wanted(summary);
    if (wanted.empty()) return;
    const fs::path state_path = settings.out / "dynamics.state";
    const std::string& hash = summary.report.scene_hash;
    std::optional<SceneSimulation> simulation;
    if (settings.resume && !files.are_caches())
        simulation = resumed(scene, state_path, hash, wanted.front());
    if (!simulation) simulation.emplace(scene);

    const auto write_frame = [&](SimulatedFrame frame) {
        if (settings.watch) settings.watch(frame);
        FrameOutput output = frame_output(frame.solved);
        output.velocities = std::move(frame.velocities);
        files.write(frame.report.frame, output);
        add_frame(summary.report, std::move(frame.report));
        ++summary.frames_done;
    };
    // Frames are dear: what is there is on the disk, whatever happens next.
    const auto leave_state = [&] {
        if (files.are_caches()) return;
        if (summary.frames_done > 0) write_report(summary.report_path, summary.report);
        write_state(state_path, hash, *simulation);
    };
    try {
        simulation->run(wanted, write_frame, leave_state, progress);
        files.finish();
    } catch (...) {
        // A cache is whole or not there at all; frames on their own stay and are in the report.
        if (!files.are_caches() && summary.frames_done > 0)
            write_report(summary.report_path, summary.report);
        throw;
    }
    write_report(summary.report_path, summary.report);
}

} // namespace knead
