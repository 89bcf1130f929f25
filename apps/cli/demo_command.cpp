#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/picture/picture.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/run_scene.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "demo_scenes.hpp"
#include "scene_arguments.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {

struct DemoArguments {
    std::string name;
    std::string out;
    SceneArguments scene;
    std::string format = "obj";
    int threads = 0;
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

// The frame of a simulation with the most contacts.
double busiest_frame(const Report& report) {
    const auto contacts = [](const FrameReport& entry) {
        return entry.dynamics ? entry.dynamics->contacts_active : 0;
    };
    return std::max_element(report.frames.begin(), report.frames.end(),
                            [&](const FrameReport& a, const FrameReport& b) {
                                return contacts(a) < contacts(b);
                            })
        ->frame;
}

void run_demo(const DemoArguments& arguments) {
    const DemoScene& demo = find_demo(arguments.name);
    const fs::path out =
        arguments.out.empty() ? fs::path("knead-demo") / arguments.name : fs::path(arguments.out);
    const fs::path scene_path = out / (arguments.name + ".json");
    // Somebody may have worked on it.
    if (fs::exists(scene_path) && read_text_file(scene_path) != demo.text)
        throw InputError(fmt::format("{}: is there and differs from the bundled scene, which would "
                                     "replace it; choose another folder with --out, or run it with "
                                     "knead run",
                                     scene_path.string()));
    const ThreadLimit limit(arguments.threads);
    const FrameSequence frames = frames_of(arguments.scene, parse_scene(demo.text, scene_path));
    remove_left_overs(out);
    write_file_atomically(scene_path, demo.text);
    const LoadedScene scene = load_scene(read_scene(scene_path));
    RunSettings settings;
    settings.out = out / "frames";
    settings.report = out / "report.json";
    settings.frames = frames;
    settings.format = *output_format(arguments.format);
    // A simulation is not done again for its pictures.
    SimulatedFrames simulated(scene);
    const auto watch = [&](const SimulatedFrame& frame) {
        simulated.keep(frame.report.frame, frame.solved);
    };
    ProgressDisplay display(arguments.name, arguments.quiet);
    const RunSummary summary = run_scene(scene, settings, display.progress(), watch);

    // Those that an earlier run has left in the report are not pictured.
    Report report;
    std::vector<double> numbers;
    for (int i = 0; i < frames.count(); ++i) {
        numbers.push_back(frames.frame(i));
        add_frame(report, *find_frame(summary.report, numbers.back()));
    }
    std::unique_ptr<FrameSolver> solver;
    const bool in_time = depends_on_time(summary.method);
    if (in_time)
        simulated.set_followed(SceneSimulation(scene, summary.method).followed());
    else
        solver = std::make_unique<FrameSolver>(scene);
    const FrameSource& source = in_time ? static_cast<const FrameSource&>(simulated) : *solver;
    std::string pictures;
    const auto picture = [&](const char* name, double frame, const PictureSettings& look) {
        write_png(out / name,
                  picture_of(scene, source, frame, make_stage(scene, source, numbers, look), look));
        pictures += (pictures.empty() ? "" : ", ") + (out / name).string();
    };
    PictureSettings look;
    picture("first.png", numbers.front(), look);
    if (in_time) {
        picture("busiest.png", busiest_frame(report), look);
        picture("last.png", numbers.back(), look);
    } else {
        const double deepest = deepest_frame(report);
        picture("deepest.png", deepest, look);
        look.field = "depth";
        picture("depth.png", deepest, look);
    }
    if (!arguments.quiet)
        fmt::print("{}\n{} in {}\nthe scene is {}, the report {}\npictures: {}\n",
                   scene.scene.about, counted(summary.frames_done, "frame", "frames"),
                   settings.out.string(), scene_path.string(), summary.report_path.string(),
                   pictures);
}

} // namespace

void add_demo(CLI::App& app) {
    auto arguments = std::make_shared<DemoArguments>();
    CLI::App* command = app.add_subcommand("demo", "list the bundled scenes, or write and run one");
    command->footer("Example:\n  knead demo sphere-on-plane --out demo\n"
                    "  knead demo cloth-folds --frames 1:24 --format usda");
    CLI::Option* name =
        command->add_option("name", arguments->name, "a bundled scene; left out, they are listed")
            ->type_name("NAME");
    command->add_option("--out", arguments->out,
                        "folder for the scene, its frames, report and pictures [knead-demo/NAME]");
    add_frames(*command, arguments->scene.frames)->needs(name);
    add_format(*command, arguments->format)->needs(name);
    add_threads(*command, arguments->threads)->needs(name);
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    command->callback(
        [arguments] { arguments->name.empty() ? list_demos() : run_demo(*arguments); });
}

} // namespace knead::cli
