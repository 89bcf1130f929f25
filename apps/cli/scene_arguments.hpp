#pragma once

#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/spec/frame_sequence.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace knead::cli {

namespace fs = std::filesystem;

/// What every command that takes a scene has in common.
struct SceneArguments {
    std::string path;
    std::string frames;
    double step = 1;
    std::vector<std::string> overrides;
    std::vector<std::string> assets;
};

void add_scene_arguments(CLI::App& command, SceneArguments& arguments);

// Options that several commands have.
CLI::Option* add_frames(CLI::App& command, std::string& frames);
CLI::Option* add_format(CLI::App& command, std::string& format);
CLI::Option* add_out(CLI::App& command, std::string& out, const std::string& what);
CLI::Option* add_threads(CLI::App& command, int& threads);

LoadedScene load(const SceneArguments& arguments);

/// `--method`, which may be left out. Of the methods that are planned, says that they are not
/// there.
void add_method(CLI::App& command, std::string& method);
void add_from(CLI::App& command, std::string& folder);
/// The method asked for; without --method the scene's.
Method method_of(const std::string& argument, const Scene& scene);

/// The frames asked for; without --frames all of the scene.
FrameSequence frames_of(const SceneArguments& arguments, const Scene& scene);

} // namespace knead::cli
