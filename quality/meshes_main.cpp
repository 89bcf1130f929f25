#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/io/mesh_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "measure_pressed.hpp"
#include "mesh_page.hpp"

namespace fs = std::filesystem;

namespace {

using namespace knead::quality;

std::vector<fs::path> mesh_files(const std::vector<std::string>& arguments) {
    std::vector<fs::path> files;
    for (const fs::path argument : arguments) {
        if (!fs::is_directory(argument)) {
            files.push_back(argument);
            continue;
        }
        for (const auto& entry : fs::directory_iterator(argument))
            if (entry.is_regular_file() && knead::is_mesh_name(entry.path()))
                files.push_back(entry.path());
    }
    if (files.empty()) throw knead::InputError("found no mesh in what was named");
    std::sort(files.begin(), files.end());
    return files;
}

// Written as they rest, so that a scene holds them still.
std::vector<NamedMesh> rest_meshes(const std::vector<fs::path>& files, const fs::path& folder) {
    std::vector<NamedMesh> meshes;
    for (const fs::path& file : files) {
        const knead::MeshFile source = knead::read_mesh(file);
        NamedMesh mesh{file.stem().string(), file.stem().string() + ".obj", source.mesh};
        const auto is_same = [&](const NamedMesh& other) { return other.name == mesh.name; };
        if (std::any_of(meshes.begin(), meshes.end(), is_same))
            throw knead::InputError(
                fmt::format("{}: found two meshes of this name, expected one", file.string()));
        knead::write_obj(folder / mesh.file, knead::mesh_file(source.mesh), source.mesh.positions);
        meshes.push_back(std::move(mesh));
    }
    return meshes;
}

} // namespace

int main(int argc, char** argv) try {
    CLI::App app("Presses meshes from anywhere on a floor, by a ball, by a ring and by each other, "
                 "and prints what is left.");
    std::vector<std::string> arguments;
    std::string page;
    std::vector<std::string> presses;
    fs::path folder = fs::temp_directory_path() / "knead-try-meshes";
    MeasureSettings settings;
    bool without_jumps = false;
    app.add_option("meshes", arguments, "mesh files, or folders of them")->required();
    app.add_option("--page", page, "write the table to this page (.md), too");
    app.add_option("--by", presses, "floor, ball, ring, other [all]")
        ->check(CLI::IsMember({"floor", "ball", "ring", "other"}));
    app.add_option("--scenes", folder, "where to write the scenes that are made, for a look")
        ->capture_default_str();
    app.add_option("--kept", settings.kept,
                   "folder for the figures of what was measured: a run that was stopped takes "
                   "them from there");
    app.add_flag("--no-jumps", without_jumps, "do not search for jumps, which takes longest");
    CLI11_PARSE(app, argc, argv);
    if (without_jumps) settings.jump_resolutions = 0;

    const std::vector<NamedMesh> meshes = rest_meshes(mesh_files(arguments), folder);
    std::vector<PressedMesh> pressed;
    fmt::print("{:<24}{:>9}  {:<24}{:>9}{:>9}{:>16}{:>7}{:>10}{:>9}{:>9}\n", "mesh", "vertices",
               "by", "depth", "left, %", "crossings", "flips", "jump", "ms", "last");
    for (std::size_t i = 0; i < meshes.size(); ++i)
        for (std::size_t p = 0; p < press_names.size(); ++p) {
            if (!presses.empty() &&
                std::find(presses.begin(), presses.end(), press_names[p]) == presses.end())
                continue;
            const auto press = static_cast<Press>(p);
            const NamedMesh& other = meshes[(i + 1) % meshes.size()];
            const std::optional<std::string> text = press_scene(meshes[i], press, other);
            if (!text) continue;
            const fs::path file =
                folder / fmt::format("{}-{}.json", meshes[i].name, press_names[p]);
            knead::write_file_atomically(file, *text);
            PressedMesh row{meshes[i].name, press, other.name, {}};
            row.quality = measure_pressed(file, settings);
            const MotionQuality& motion = row.quality.motion;
            fmt::print("{:<24}{:>9}  {:<24}{:>9.3g}{:>9.3g}{:>16}{:>7}{:>10.2g}{:>9.1f}{:>9.2f}\n",
                       row.mesh, row.quality.vertices,
                       press == Press::other ? row.other : press_names[p], motion.depth_before,
                       100 * motion.depth.value,
                       fmt::format("{}, {}", motion.crossings_before,
                                   std::max(motion.crossings, motion.other_crossings)),
                       motion.flips, row.quality.jump ? row.quality.jump->value : 0,
                       row.quality.milliseconds, row.quality.last_pass);
            std::fflush(stdout);
            pressed.push_back(std::move(row));
            if (!page.empty()) knead::write_file_atomically(page, mesh_page(pressed));
        }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "try-meshes: %s\n", error.what());
    return 3;
}
