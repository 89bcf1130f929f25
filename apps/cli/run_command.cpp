#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/base/warning.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <set>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {

struct RunArguments {
    SceneArguments scene;
    std::string out = "out";
    std::string format = "obj";
    std::string method;
    std::string report;
    int threads = 0;
    std::string from;
    bool resume = false;
    bool quiet = false;
};

void say_what_was_deformed(const RunSummary& summary, const std::string& frames,
                           const std::string& out) {
    double deepest = 0, left = 0;
    int notes = 0;
    std::string note;
    for (const FrameReport& frame : summary.report.frames)
        for (const ContactReport& contact : frame.contacts) {
            deepest = std::max(deepest, contact.depth_before);
            left = std::max(left, contact.depth_after);
            if (contact.note.empty()) continue;
            if (notes++ == 0) note = fmt::format("frame {}: {}", frame.frame, contact.note);
        }
    fmt::print("{} in {}; deepest contact {:.4g}, at most {:.4g} left; report {}\n", frames, out,
               deepest, left, summary.report_path.string());
    if (notes > 0)
        fmt::print("{} about contacts in the report, the first: {}\n",
                   counted(notes, "note", "notes"), note);
}

// Of frames of a simulation: how many different ones, and the first.
void say_notes(const RunSummary& summary) {
    std::set<std::string> notes;
    std::string first_note;
    for (const FrameReport& frame : summary.report.frames) {
        if (!frame.dynamics) continue;
        for (const std::string& note : frame.dynamics->notes) {
            if (notes.empty()) first_note = fmt::format("frame {}: {}", frame.frame, note);
            notes.insert(note);
        }
    }
    if (!notes.empty())
        fmt::print("{} in the report, the first: {}\n",
                   counted(static_cast<long long>(notes.size()), "note", "notes"), first_note);
}

void say_what_was_simulated(const RunSummary& summary, const std::string& frames,
                            const std::string& out) {
    int steps = 0, rounds = 0, halvings = 0, resorts = 0, crossings = 0;
    double nearest = std::numeric_limits<double>::infinity(), tolerance = 0;
    for (const FrameReport& frame : summary.report.frames) {
        if (!frame.dynamics) continue;
        const DynamicsReport& dynamics = *frame.dynamics;
        steps += dynamics.steps;
        for (const int count : dynamics.refinement_rounds) rounds = std::max(rounds, count);
        halvings += dynamics.halvings;
        resorts += dynamics.last_resorts;
        crossings = std::max(crossings, dynamics.crossings.value_or(0));
        tolerance = dynamics.tolerance.value_or(0);
        nearest = std::min(nearest, dynamics.smallest_distance.value_or(nearest));
    }
    fmt::print(
        "{} in {}; {} of at most {}, {} halved, {} held back; {}, {}; report {}\n", frames, out,
        counted(steps, "step", "steps"), counted(rounds, "round", "rounds"), halvings, resorts,
        std::isfinite(nearest)
            ? fmt::format("never nearer than {:.4g} with a tolerance of {:.4g}", nearest, tolerance)
            : "nothing touched",
        crossings == 0 ? "no crossings"
                       : fmt::format("up to {}", counted(crossings, "crossing", "crossings")),
        summary.report_path.string());
    say_notes(summary);
}

void say_what_was_pressed(const RunSummary& summary, const std::string& frames,
                          const std::string& out) {
    int steps = 0, halvings = 0, contacts = 0;
    double pressure = 0;
    for (const FrameReport& frame : summary.report.frames) {
        if (frame.dynamics) {
            steps += frame.dynamics->steps;
            halvings += frame.dynamics->halvings;
        }
        contacts = std::max(contacts, static_cast<int>(frame.contacts.size()));
        for (const ContactReport& contact : frame.contacts)
            pressure = std::max(pressure, contact.pressure.value_or(0));
    }
    fmt::print(
        "{} in {}; {}, {} halved; up to {} at once, the largest pressure {:.4g}; report {}\n",
        frames, out, counted(steps, "step", "steps"), halvings,
        counted(contacts, "contact", "contacts"), pressure, summary.report_path.string());
    say_notes(summary);
}

// What is said about meshes may be kept quiet, but never that something of before goes.
LoadedScene load_silently_if(bool quiet, const SceneArguments& arguments) {
    if (!quiet) return load(arguments);
    const WarningHandler handler = set_warning_handler({});
    LoadedScene scene = load(arguments);
    set_warning_handler(handler);
    return scene;
}

void run(const RunArguments& arguments) {
    const ThreadLimit limit(arguments.threads);
    const LoadedScene scene = load_silently_if(arguments.quiet, arguments.scene);
    RunSettings settings;
    settings.frames = frames_of(arguments.scene, scene.scene);
    settings.out = arguments.out;
    settings.format = *output_format(arguments.format);
    settings.method = method_of(arguments.method, scene.scene);
    if (!arguments.report.empty()) settings.report = arguments.report;
    settings.resume = arguments.resume;
    settings.resumable = true;
    if (!arguments.from.empty()) {
        if (settings.method != Method::implicit)
            throw UsageError("--from: only the method implicit keeps descriptions of frames");
        settings.from = arguments.from;
    }

    RunSummary summary;
    {
        ProgressDisplay display(fs::path(arguments.scene.path).filename().string(),
                                arguments.quiet);
        summary = run_scene(scene, settings, display.progress());
    }
    if (arguments.quiet) return;
    const std::string frames =
        counted(summary.frames_done, "frame", "frames") +
        (summary.frames_skipped > 0 ? fmt::format(" ({} were there)", summary.frames_skipped) : "");
    if (summary.method == Method::dynamics)
        say_what_was_simulated(summary, frames, arguments.out);
    else if (summary.method == Method::implicit)
        say_what_was_pressed(summary, frames, arguments.out);
    else
        say_what_was_deformed(summary, frames, arguments.out);
}

} // namespace

void add_run(CLI::App& app) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command =
        app.add_subcommand("run", "resolve the contacts of a scene, frame by frame");
    command->footer(
        "Example:\n  knead run scenes/sphere-on-plane.json --frames 1:48 --out out --format obj\n"
        "  knead run cloth.json --method dynamics --format usda");
    add_scene_arguments(*command, arguments->scene);
    add_out(*command, arguments->out, "folder for the results");
    add_format(*command, arguments->format);
    add_method(*command, arguments->method);
    add_threads(*command, arguments->threads);
    command->add_option("--report", arguments->report, "where the report goes [DIR/report.json]");
    add_from(*command, arguments->from);
    command->add_flag(
        "--resume", arguments->resume,
        "go on where a run was interrupted, in any format: skip frames that are there "
        "already; a simulation goes on from the last one; a cache that is whole is made "
        "anew when it gets more frames");
    command->add_flag("--quiet", arguments->quiet,
                      "print nothing but errors, and what of an earlier run is replaced");
    command->callback([arguments] { run(*arguments); });
}

} // namespace knead::cli
