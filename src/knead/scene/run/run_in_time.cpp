#include "knead/base/file.hpp"
#include "knead/scene/run/run_files.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <fmt/format.h>

#include <optional>
#include <sstream>

namespace knead {
namespace fs = std::filesystem;

namespace {

// Of a file with a state: what it is, and of which scene.
std::string state_header(Method method, const std::string& hash) {
    return fmt::format("knead {} state 1\n{}\n", method_name(method), hash);
}

void write_state(const fs::path& path, const std::string& header,
                 const SceneSimulation& simulation) {
    write_file_atomically(path, [&](std::ostream& out) {
        out << header;
        simulation.save(out);
    });
}

// A simulation that goes on from the state in the file; nothing when there is none that was left by
// the same scene and is from before the first wanted frame.
std::optional<SceneSimulation> resumed(const LoadedScene& scene, Method method,
                                       const fs::path& path, const std::string& header,
                                       double first_wanted) {
    if (!fs::is_regular_file(path)) return std::nullopt;
    std::istringstream in(read_text_file(path));
    std::string found(header.size(), '\0');
    in.read(found.data(), static_cast<std::streamsize>(found.size()));
    if (!in || found != header) return std::nullopt;
    SceneSimulation simulation(scene, method);
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

void run_in_time(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames,
                 const Progress& progress, const WatchFrames& watch, RunSummary& summary) {
    const Method method = summary.method;
    if (settings.from && method != Method::implicit)
        throw InputError(fmt::format("{}: only the method implicit keeps descriptions of frames",
                                     settings.from->string()));
    std::error_code ignored;
    if (settings.from && fs::equivalent(*settings.from, settings.out, ignored))
        throw InputError(fmt::format("{}: frames are read from here, expected another folder to "
                                     "write to",
                                     settings.out.string()));
    RunFiles files(scene, settings, frames, method, summary.report_path);
    const std::vector<double> wanted = files.wanted(summary);
    const fs::path state_path = files.state_path();
    const std::string header = state_header(method, files.scene_hash());
    std::optional<SceneSimulation> simulation;
    if (!wanted.empty() && !settings.from) {
        if (settings.resume)
            simulation = resumed(scene, method, state_path, header, wanted.front());
        if (!simulation) simulation.emplace(scene, method);
    }

    const auto write_frame = [&](SimulatedFrame frame) {
        if (watch) watch(frame);
        FrameOutput output = frame_output(frame.solved);
        output.velocities = std::move(frame.velocities);
        files.write(frame.report.frame, output);
        if (!frame.description.empty())
            write_file_atomically(description_path(settings.out, frame.report.frame),
                                  frame.description);
        files.add_report(std::move(frame.report));
        ++summary.frames_done;
    };
    // Frames are dear: what is there is on the disk, whatever happens next.
    const auto leave_state = [&] {
        files.write_report();
        write_state(state_path, header, *simulation);
    };
    try {
        if (settings.from)
            show_stored_frames(scene, *settings.from, wanted, write_frame, progress);
        else if (simulation)
            simulation->run(wanted, write_frame, leave_state, progress);
    } catch (...) {
        files.write_report();
        throw;
    }
    summary.report = files.finish();
}

} // namespace knead
