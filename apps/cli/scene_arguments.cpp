#include "scene_arguments.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/scene/read/scene_file.hpp"

#include "commands.hpp"

namespace knead::cli {

void add_scene_arguments(CLI::App& command, SceneArguments& arguments) {
    command.add_option("scene", arguments.path, "scene file")->required()->type_name("SCENE.json");
    add_frames(command, arguments.frames);
    command.add_option("--step", arguments.step, "from frame to frame; may be fractional")
        ->capture_default_str();
    command
        .add_option(
            "--set", arguments.overrides,
            "change a value of the scene, such as objects.ball.stiffness=2; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command
        .add_option("--assets", arguments.assets,
                    "a folder besides the scene's own that meshes may come from; may be repeated")
        ->type_name("DIR")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* add_frames(CLI::App& command, std::string& frames) {
    return command.add_option("--frames", frames, "first and last frame [all of the scene]")
        ->type_name("A:B");
}

CLI::Option* add_format(CLI::App& command, std::string& format) {
    return command
        .add_option("--format", format,
                    "obj or ply: a file a frame; pc2, glb or usda: a cache an object")
        ->check(CLI::IsMember({"obj", "ply", "pc2", "glb", "usda"}))
        ->capture_default_str();
}

CLI::Option* add_threads(CLI::App& command, int& threads) {
    return command.add_option("--threads", threads, "threads to use; 0 is all cores")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
}

CLI::Option* add_out(CLI::App& command, std::string& out, const std::string& what) {
    return command.add_option("--out", out, what)
        ->check([](const std::string& folder) {
            return folder.empty() ? "found '', expected a folder; . is the one you are in" : "";
        })
        ->type_name("DIR")
        ->capture_default_str();
}

LoadedScene load(const SceneArguments& arguments) {
    if (arguments.path.empty()) throw UsageError("scene: found '', expected a scene file (.json)");
    SceneOptions options;
    options.overrides = arguments.overrides;
    options.assets.assign(arguments.assets.begin(), arguments.assets.end());
    return load_scene(read_scene(arguments.path, options));
}

void add_method(CLI::App& command, std::string& method) {
    command
        .add_option("--method", method,
                    "how contact is resolved: deform, each frame on its own; dynamics, a "
                    "simulation from the first frame on; or implicit, solids made of fields "
                    "[the scene's]")
        ->type_name("NAME");
}

void add_from(CLI::App& command, std::string& folder) {
    command
        .add_option("--from", folder,
                    "show the frames that an earlier run of the method implicit described in this "
                    "folder, with the samples the scene has now, instead of simulating")
        ->type_name("DIR");
}

Method method_of(const std::string& argument, const Scene& scene) {
    if (argument.empty()) return scene.method;
    if (const auto method = knead::method_of(argument)) return *method;
    if (argument == "learned")
        throw UsageError("--method: " + argument +
                         " is not in this version, expected deform, dynamics or implicit");
    throw UsageError("--method: found " + single_quoted(argument) +
                     ", expected deform, dynamics or implicit");
}

FrameSequence frames_of(const SceneArguments& arguments, const Scene& scene) {
    try {
        if (!arguments.frames.empty())
            return parse_frame_sequence(arguments.frames, arguments.step, "--frames");
        const FrameSequence all{double(scene.frames.first), double(scene.frames.last),
                                arguments.step};
        check_frame_sequence(all, "--step");
        return all;
    } catch (const InputError& error) {
        throw UsageError(error.what());
    }
}

} // namespace knead::cli
