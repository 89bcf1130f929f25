#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/picture.hpp"
#include "knead/scene/run.hpp"
#include "knead/scene/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "demo_scenes.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {
namespace fs = std::filesystem;

struct DemoArguments {
    std::string name;
    std::string out;
    bool quiet = false;
};

void list_demos() {
    for (const DemoScene& demo : demo_scenes())
        fmt::print("{:<24}{}\n", demo.name,
                   parse_scene(demo.text, fs::path(demo.name) / ".json").about);
}

const DemoScene& find_demo(const std::string& name) {
    std::vector<std::string_view> names;
    for (const DemoScene& demo : demo_scenes()) {
        if (demo.name == name) return demo;
        names.push_back(demo.name);
    }
    const auto nearest = nearest_word(name, names);
    throw InputError(fmt::format("demo: there is no demo {}{}; knead demo lists them",
                                 single_quoted(name),
                                 nearest ? fmt::format(", did you mean '{}'?", *nearest) : ""));
}

// The frame where the objects are deepest in each other.
double deepest_frame(const Report& report) {
    double frame = report.frames.front().frame, depth = -1;
    for (const FrameReport& entry : report.frames)
        for (const ContactReport& contact : entry.contacts)
            if (contact.depth_before > depth) {
                depth = contact.depth_before;
                frame = entry.frame;
            }
    return frame;
}

void run_demo(const DemoArguments& arguments) {
    const DemoScene& demo = find_demo(arguments.name);
    const fs::path out =
        arguments.out.empty() ? fs::path("knead-demo") / arguments.name : fs::path(arguments.out);
    const fs::path scene_path = out / (arguments.name + ".json");
    write_file_atomically(scene_path, demo.text);
    const LoadedScene scene = load_scene(read_scene(scene_path));
    RunSettings settings;
    settings.out = out / "frames";
    settings.report = out / "report.json";
    ProgressDisplay display(arguments.name, arguments.quiet);
    const RunSummary summary = run_scene(scene, settings, display.progress());

    std::vector<double> frames;
    for (const FrameReport& entry : summary.report.frames) frames.push_back(entry.frame);
    const double deepest = deepest_frame(summary.report);
    const FrameSolver solver(scene);
    const auto picture = [&](const char* name, double frame, const PictureSettings& look) {
        write_png(out / name,
                  picture_of(scene, solver, frame, make_stage(scene, solver, frames, look), look));
    };
    PictureSettings look;
    picture("first.png", frames.front(), look);
    picture("deepest.png", deepest, look);
    look.field = "depth";
    picture("depth.png", deepest, look);
    if (!arguments.quiet)
        fmt::print("{}\n{} in {}\nthe scene is {}, the report {}\npictures: {}, {}, {}\n",
                   scene.scene.about, counted(summary.frames_done, "frame", "frames"),
                   settings.out.string(), scene_path.string(), summary.report_path.string(),
                   (out / "first.png").string(), (out / "deepest.png").string(),
                   (out / "depth.png").string());
}

} // namespace

void add_demo(CLI::App& app) {
    auto arguments = std::make_shared<DemoArguments>();
    CLI::App* command = app.add_subcommand("demo", "list the bundled scenes, or write and run one");
    command->footer("Example:\n  knead demo sphere-on-plane --out demo");
    command->add_option("name", arguments->name, "a bundled scene; left out, they are listed")
        ->type_name("NAME");
    command->add_option("--out", arguments->out,
                        "folder for the scene, its frames, report and pictures [knead-demo/NAME]");
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    command->callback(
        [arguments] { arguments->name.empty() ? list_demos() : run_demo(*arguments); });
}

} // namespace knead::cli
