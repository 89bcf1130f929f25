#include "inspect_jumps.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/run/jumps.hpp"

#include <fmt/format.h>

#include "scene_arguments.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {

// Most jumps are a row of many that look alike.
constexpr std::size_t most_rows = 40;

void print_row(const Scene& scene, const SceneJump& jump) {
    fmt::print("  {:<13.6f}{:<14}{:>8}{:>12.4g}{:>10.3g}{:>12.3g}  {}\n", jump.high,
               scene.objects[jump.object].name, jump.vertex, jump.size, jump.edges, jump.input_size,
               describe_change(scene, jump));
}

} // namespace

void inspect_jumps(const std::string& path, const JumpArguments& arguments) {
    if (fs::path(path).extension() != ".json")
        throw InputError(fmt::format("{}: expected a scene (.json) to look for jumps in", path));
    const ThreadLimit limit(arguments.threads);
    SceneArguments scene_arguments;
    scene_arguments.path = path;
    scene_arguments.frames = arguments.frames;
    scene_arguments.step = arguments.step;
    scene_arguments.overrides = arguments.overrides;
    const LoadedScene loaded = load(scene_arguments);
    const Scene& scene = loaded.scene;
    const FrameSequence frames = frames_of(scene_arguments, scene);
    JumpReport report;
    {
        ProgressDisplay display(fs::path(path).filename().string(), false);
        report = find_jumps(loaded, frames, display.progress());
    }

    fmt::print("{}: frames {} to {}, {}\n", path, shortest(frames.first), shortest(frames.last),
               counted(report.steps, "step", "steps"));
    const bool any = report.largest.object >= 0;
    if (any) {
        fmt::print("  {:<13}{:<14}{:>8}{:>12}{:>10}{:>12}  {}\n", "frame", "object", "vertex",
                   "size", "edges", "input", "what changed");
        for (std::size_t i = 0; i < std::min(report.jumps.size(), most_rows); ++i)
            print_row(scene, report.jumps[i]);
        if (report.jumps.size() > most_rows)
            fmt::print("  ... and {}\n",
                       counted(static_cast<long long>(report.jumps.size() - most_rows),
                               "further jump", "further jumps"));
        if (report.jumps.size() != 1) {
            fmt::print("  {}\n", report.jumps.empty() ? "largest, no jump:" : "largest:");
            print_row(scene, report.largest);
        }
    }
    if (report.jumps.empty())
        fmt::print("continuous: nothing jumps by more than 1/500 of an edge\n");
    else
        fmt::print("not continuous: {} above 1/500 of an edge\n",
                   counted(static_cast<long long>(report.jumps.size()), "jump", "jumps"));
}

} // namespace knead::cli
