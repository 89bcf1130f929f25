#include "knead/base/log.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/run.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {

struct RunArguments {
    SceneArguments scene;
    std::string out = "out";
    std::string format = "obj";
    std::string method = "deform";
    std::string report;
    int threads = 0;
    bool resume = false;
    bool quiet = false;
};

void run(const RunArguments& arguments) {
    const ThreadLimit limit(arguments.threads);
    set_warnings(!arguments.quiet);
    const LoadedScene scene = load(arguments.scene);
    RunSettings settings;
    settings.frames = frames_of(arguments.scene, scene.scene);
    settings.out = arguments.out;
    settings.format = *output_format(arguments.format);
    if (!arguments.report.empty()) settings.report = arguments.report;
    settings.resume = arguments.resume;

    RunSummary summary;
    {
        ProgressDisplay display(fs::path(arguments.scene.path).filename().string(),
                                arguments.quiet);
        summary = run_scene(scene, settings, display.progress());
    }
    if (arguments.quiet) return;
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
    fmt::print("{}{} in {}; deepest contact {:.4g}, at most {:.4g} left; report {}\n",
               counted(summary.frames_done, "frame", "frames"),
               summary.frames_skipped > 0 ? fmt::format(" ({} were there)", summary.frames_skipped)
                                          : "",
               arguments.out, deepest, left, summary.report_path.string());
    if (notes > 0)
        fmt::print("{} about contacts in the report, the first: {}\n",
                   counted(notes, "note", "notes"), note);
}

} // namespace

void add_run(CLI::App& app) {
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command =
        app.add_subcommand("run", "resolve the contacts of a scene, frame by frame");
    command->footer(
        "Example:\n  knead run scenes/sphere-on-plane.json --frames 1:48 --out out --format obj");
    add_scene_arguments(*command, arguments->scene);
    command->add_option("--out", arguments->out, "folder for the results")->capture_default_str();
    command
        ->add_option("--format", arguments->format,
                     "obj or ply: a file a frame; pc2, glb or usda: a cache an object")
        ->check(CLI::IsMember({"obj", "ply", "pc2", "glb", "usda"}))
        ->capture_default_str();
    command->add_option("--method", arguments->method, "how contact is resolved")
        ->check(CLI::IsMember({"deform"}))
        ->capture_default_str();
    command->add_option("--threads", arguments->threads, "threads to use; 0 is all cores")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->add_option("--report", arguments->report, "where the report goes [DIR/report.json]");
    command->add_flag("--resume", arguments->resume, "skip frames that are there already");
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    command->callback([arguments] { run(*arguments); });
}

} // namespace knead::cli
