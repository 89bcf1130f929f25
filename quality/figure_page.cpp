#include "figure_page.hpp"

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/stopwatch.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace fs = std::filesystem;

namespace knead::quality {
namespace {

// What an earlier run wrote below a heading; empty when there is none.
std::string kept(const std::string& page, const std::string& title) {
    const std::string heading = "\n## " + title + "\n\n";
    const std::size_t begin = page.find(heading);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + heading.size(), end = page.find("\n## ", from);
    return page.substr(from, end == std::string::npos ? end : end - from);
}

} // namespace

int make_figure_page(const FigurePage& page, int argc, char** argv) {
    CLI::App app(page.about);
    fs::path file, pictures, scenes;
    std::vector<std::string> only;
    std::string names;
    for (const FigureSection& section : page.sections)
        names += (names.empty() ? "" : ", ") + section.name;
    if (page.needs_scenes) app.add_option("scenes", scenes, "folder of the demos")->required();
    app.add_option("page", file, "the page to write (.md)")->required();
    app.add_option("pictures", pictures, "folder for its pictures, beside the page")->required();
    app.add_option("--only", only, names + "; others are kept [all]");
    CLI11_PARSE(app, argc, argv);
    try {
        const Stopwatch watch;
        FigureSettings settings;
        settings.pictures = pictures;
        settings.scenes = scenes;
        settings.say = [&](const std::string& what) {
            fmt::print("{:6.0f} s  {}\n", watch.milliseconds() / 1000, what);
            std::fflush(stdout);
        };
        for (const std::string& name : only)
            if (std::none_of(page.sections.begin(), page.sections.end(),
                             [&](const FigureSection& section) { return section.name == name; }))
                throw InputError(fmt::format("--only: no figure is called {}", name));
        const std::string before = fs::exists(file) ? read_text_file(file) : "";
        std::vector<std::string> bodies;
        for (const FigureSection& section : page.sections)
            bodies.push_back(kept(before, section.title));
        for (std::size_t s = 0; s < bodies.size(); ++s) {
            if (!only.empty() &&
                std::find(only.begin(), only.end(), page.sections[s].name) == only.end())
                continue;
            bodies[s] = page.sections[s].measure(settings);
            // After each, so that a run that is stopped was not in vain.
            std::string text = page.head;
            for (std::size_t i = 0; i < bodies.size(); ++i)
                if (!bodies[i].empty())
                    text += "\n## " + page.sections[i].title + "\n\n" + bodies[i];
            write_file_atomically(file, text);
        }
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", page.program, error.what());
        return 3;
    }
}

} // namespace knead::quality
