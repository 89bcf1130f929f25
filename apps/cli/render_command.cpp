#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/load/input_files.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/picture/picture.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <memory>
#include <optional>
#include <stop_token>
#include <sys/wait.h>

#include "commands.hpp"
#include "scene_arguments.hpp"
#include "spawn.hpp"
#include "terminal.hpp"

namespace knead::cli {
namespace {

struct RenderArguments {
    SceneArguments scene;
    std::string out = "pictures";
    std::string size = "960x540";
    std::string method;
    std::string from;
    std::vector<double> view;
    std::vector<double> clip;
    int threads = 0;
    bool quiet = false;
    PictureSettings picture;
};

void parse_size(const std::string& text, PictureSettings& picture) {
    const std::size_t x = text.find('x');
    const auto width = parse_int(std::string_view(text).substr(0, x));
    const auto height =
        x == std::string::npos ? std::nullopt : parse_int(std::string_view(text).substr(x + 1));
    if (!width || !height || *width < 1 || *height < 1)
        throw UsageError(fmt::format("--size: found {}, expected WIDTHxHEIGHT such as 960x540",
                                     single_quoted(text)));
    picture.width = *width;
    picture.height = *height;
}

// Runs a program of the system and tells whether it was there and went well. It ends when it is to
// stop.
bool run_program(std::vector<std::string> words, const std::stop_token& stop) {
    const std::optional<pid_t> child = spawn(std::move(words));
    if (!child) return false;
    {
        const std::stop_callback end(stop, [&] { kill(*child, SIGKILL); });
        // It keeps its number, so that nobody else gets the signal.
        siginfo_t ended;
        while (waitid(P_PID, static_cast<id_t>(*child), &ended, WEXITED | WNOWAIT) != 0 &&
               errno == EINTR) {
        }
    }
    int status = 0;
    return waitpid(*child, &status, 0) == *child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// An mp4 beside the pictures, where ffmpeg is installed. Tells whether there is one now.
bool make_video(const std::vector<fs::path>& pictures, double seconds_a_picture,
                const fs::path& video, const Progress& progress) {
    PartFile unfinished(video), list(video); // the list is never finished, and goes away again
    std::string lines;
    for (const fs::path& picture : pictures) {
        std::string name;
        for (const char c : picture.filename().string())
            name += c == '\'' ? std::string("'\\''") : std::string(1, c);
        lines += fmt::format("file '{}'\nduration {}\n", name, seconds_a_picture);
    }
    std::ofstream(list.part()) << lines;
    const bool made =
        run_program({"ffmpeg", "-nostdin", "-y", "-v", "quiet", "-f", "concat", "-safe", "0", "-i",
                     list.part().string(), "-vf", "scale=trunc(iw/2)*2:trunc(ih/2)*2", "-pix_fmt",
                     "yuv420p", "-f", "mp4", unfinished.part().string()},
                    progress.stop);
    progress.check();
    if (made) unfinished.finish();
    return made;
}

// A simulation cannot jump to a frame: it runs first, and is most of the work. What only comes from
// the scene needs none.
std::unique_ptr<FrameSource> source_of(const LoadedScene& scene, Method method,
                                       std::span<const double> frames,
                                       const PictureSettings& picture, const std::string& from,
                                       const Progress& progress) {
    if (!depends_on_time(method) || picture.input) return std::make_unique<FrameSolver>(scene);
    if (from.empty())
        return std::make_unique<SimulatedFrames>(simulate_frames(scene, method, frames, progress));
    return std::make_unique<SimulatedFrames>(stored_frames(scene, from, frames, progress));
}

void render_frames(RenderArguments& arguments) {
    const ThreadLimit limit(arguments.threads);
    PictureSettings& picture = arguments.picture;
    parse_size(arguments.size, picture);
    if (!arguments.view.empty()) picture.view = Vec2(arguments.view[0], arguments.view[1]);
    if (!arguments.clip.empty()) {
        const std::vector<double>& c = arguments.clip;
        picture.clip = ClipPlane{Vec3(c[0], c[1], c[2]), Vec3(c[3], c[4], c[5])};
    }
    const LoadedScene scene = load(arguments.scene);
    check_picture(scene, picture);
    const FrameSequence frames = frames_of(arguments.scene, scene.scene);
    const Method method = method_of(arguments.method, scene.scene);
    if (!arguments.from.empty() && method != Method::implicit)
        throw UsageError("--from: only the method implicit keeps descriptions of frames");
    std::vector<double> numbers;
    for (int i = 0; i < frames.count(); ++i) numbers.push_back(frames.frame(i));
    const std::string name = fs::path(arguments.scene.path).stem().string();
    std::vector<std::string> names;
    for (const double number : numbers)
        names.push_back(
            fmt::format("{}.{}.png", name, frame_label(number, frames.is_fractional())));
    const fs::path video = fs::path(arguments.out) / (name + ".mp4");
    std::vector<std::string> written = names;
    written.push_back(video.filename().string());
    InputFiles(scene.scene)
        .expect_not_written(arguments.out, written, "choose another folder with --out");
    remove_left_overs(arguments.out);
    bool has_video = false;
    {
        std::vector<fs::path> pictures;
        ProgressDisplay display(name, arguments.quiet);
        const Progress progress = display.progress();
        const std::unique_ptr<FrameSource> source =
            source_of(scene, method, numbers, picture, arguments.from, progress);
        const PictureStage stage = make_stage(scene, *source, numbers, picture);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            progress.check();
            const Image image =
                picture_of(scene, *source, numbers[i], stage, picture, {{}, progress.stop});
            pictures.push_back(fs::path(arguments.out) / names[i]);
            write_png(pictures.back(), image);
            progress.at(static_cast<double>(i + 1) / static_cast<double>(numbers.size()));
        }
        has_video = pictures.size() > 1 &&
                    make_video(pictures, frames.step / scene.scene.fps, video, progress);
    }
    if (!arguments.quiet)
        fmt::print("{} in {}{}\n", counted(frames.count(), "picture", "pictures"), arguments.out,
                   has_video ? " and " + video.string() : "");
}

} // namespace

void add_render(CLI::App& app) {
    auto arguments = std::make_shared<RenderArguments>();
    CLI::App* command = app.add_subcommand(
        "render", "make pictures of a scene, and an mp4 where ffmpeg is installed");
    command->footer("Example:\n  knead render scenes/sphere-on-plane.json --frames 24 --field "
                    "depth --out pictures");
    add_scene_arguments(*command, arguments->scene);
    PictureSettings& picture = arguments->picture;
    add_out(*command, arguments->out, "folder for the pictures");
    add_method(*command, arguments->method);
    add_from(*command, arguments->from);
    command->add_flag("--exact", picture.exact,
                      "trace implicit solids themselves instead of their samples");
    command->add_option("--size", arguments->size, "in pixels")
        ->type_name("WxH")
        ->capture_default_str();
    command->add_flag("--input", picture.input,
                      "the objects as they come, before contact is resolved");
    command
        ->add_option(
            "--field", picture.field,
            "colour by a field: amplitude, depth, direction, displacement, eta, gap, pressure, "
            "slope, u, zone, or a vertex attribute")
        ->type_name("NAME");
    command
        ->add_option("--view", arguments->view,
                     "degrees around the vertical axis and above the horizon")
        ->expected(2)
        ->type_name("AZIMUTH ELEVATION");
    command->add_option("--zoom", picture.zoom, "larger is nearer")
        ->check(CLI::Range(0.01, 100.0))
        ->capture_default_str();
    command
        ->add_option("--clip", arguments->clip,
                     "cut away what lies beyond a plane, given by a point and a normal")
        ->expected(6)
        ->type_name("X Y Z NX NY NZ");
    command->add_flag("--wireframe", picture.wireframe, "draw the edges");
    command->add_flag("--flat", picture.flat, "flat faces instead of smooth shading");
    command->add_flag("--ghost", picture.ghost, "show the input faintly behind the output");
    command->add_option("--samples", picture.samples, "rays through a pixel")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    add_threads(*command, arguments->threads);
    command->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    command->callback([arguments] { render_frames(*arguments); });
}

} // namespace knead::cli
