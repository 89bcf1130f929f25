#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "criteria.hpp"
#include "page_rows.hpp"
#include "quality_page.hpp"

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> scene_files(const std::string& folder, const std::vector<std::string>& only) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().stem().string();
        // Simulations are not what is measured here.
        if (entry.path().extension() == ".json" &&
            (only.empty() || std::find(only.begin(), only.end(), name) != only.end()) &&
            knead::read_scene(entry.path()).method == knead::Method::deform)
            files.push_back(entry.path());
    }
    if (files.empty())
        throw knead::InputError(fmt::format("found no such scene of the deformer in {}", folder));
    std::sort(files.begin(), files.end());
    return files;
}

// `keep`: what was measured before stays for scenes that are not measured now, or not yet.
void write_page(const std::string& path, const std::string& page, bool keep) {
    keep = keep && fs::exists(path);
    knead::write_file_atomically(
        path, keep ? knead::quality::with_rows_of(page, knead::read_text_file(path)) : page);
}

} // namespace

int main(int argc, char** argv) try {
    CLI::App app("Measures how good the deformer is on a folder of scenes, and writes a page.");
    std::string folder, page;
    std::vector<std::string> only;
    knead::quality::MeasureSettings settings;
    app.add_option("scenes", folder, "folder with scenes")->required();
    app.add_option("page", page, "the page to write (.md)")->required();
    app.add_option("--only", only, "names of scenes to measure; the others keep their rows [all]");
    std::string criteria;
    app.add_option("--criteria", criteria,
                   "write a page of the zone criteria to this file (.md), and nothing else");
    app.add_option("--placements", settings.placements, "random placements of each scene")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    app.add_option("--jump-resolutions", settings.jump_resolutions,
                   "resolutions to search for jumps, from the coarse one")
        ->check(CLI::Range(0, 3))
        ->capture_default_str();
    app.add_option("--kept", settings.kept,
                   "folder for the figures of what was measured: a run that was stopped, or one by "
                   "the same build of the same scene, takes them from there");
    CLI11_PARSE(app, argc, argv);
    const knead::Stopwatch watch;
    settings.say = [&](const std::string& what) {
        fmt::print("{:6.0f} s  {}\n", watch.milliseconds() / 1000, what);
        std::fflush(stdout);
    };
    if (!criteria.empty()) {
        std::vector<knead::quality::CriterionQuality> rows;
        for (const fs::path& file : scene_files(folder, only)) {
            const knead::Scene scene = knead::read_scene(file);
            if (scene.objects.size() != 2) continue;
            settings.say(file.stem().string());
            for (auto& row : knead::quality::compare_criteria(scene, file.stem().string()))
                rows.push_back(std::move(row));
        }
        write_page(criteria, knead::quality::criteria_page(rows), !only.empty());
        return 0;
    }
    std::vector<knead::quality::SceneQuality> measured;
    const std::vector<fs::path> files = scene_files(folder, only);
    for (const fs::path& file : files) {
        const knead::Scene scene = knead::read_scene(file);
        measured.push_back(knead::quality::measure_scene(scene, file.stem().string(), settings));
        // After every scene, so that a run that is cut short leaves what it has.
        write_page(page, knead::quality::quality_page(measured, settings),
                   !only.empty() || measured.size() < files.size());
    }
    fmt::print("{:6.0f} s  {} scenes: {}\n", watch.milliseconds() / 1000, measured.size(), page);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "knead_quality: %s\n", error.what());
    return 3;
}
