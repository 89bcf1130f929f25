// Measures what the simulation promises, and writes a page with tables and plots.

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/log.hpp"
#include "knead/base/stopwatch.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "figures.hpp"

namespace fs = std::filesystem;

namespace {

struct Section {
    std::string name, title;
    std::string (*measure)(const knead::quality::FigureSettings&);
};

const std::vector<Section> sections = {
    {"cantilever", "A bar under its own weight", knead::quality::cantilever_section},
    {"steps", "Size of steps", knead::quality::step_section},
    {"slope", "Friction on a slope", knead::quality::slope_section},
    {"rounds", "Rounds of refinement", knead::quality::rounds_section},
    {"solvers", "Time of contact solvers", knead::quality::solver_section},
    {"circle", "The deformer beside the simulation", knead::quality::circle_section},
};

// What an earlier run wrote below a heading; empty when there is none.
std::string kept(const std::string& page, const std::string& title) {
    const std::string heading = "\n## " + title + "\n\n";
    const std::size_t begin = page.find(heading);
    if (begin == std::string::npos) return "";
    const std::size_t from = begin + heading.size(), end = page.find("\n## ", from);
    return page.substr(from, end == std::string::npos ? end : end - from);
}

} // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures how good simulations are, and writes a page.");
    fs::path page, pictures;
    std::vector<std::string> only;
    app.add_option("page", page, "the page to write (.md)")->required();
    app.add_option("pictures", pictures, "folder for its pictures, beside the page")->required();
    app.add_option("--only", only,
                   "cantilever, steps, slope, rounds, solvers, circle; others are kept [all]");
    CLI11_PARSE(app, argc, argv);
    try {
        knead::set_warnings(false);
        const knead::Stopwatch watch;
        knead::quality::FigureSettings settings;
        settings.pictures = pictures;
        settings.say = [&](const std::string& what) {
            fmt::print("{:6.0f} s  {}\n", watch.milliseconds() / 1000, what);
            std::fflush(stdout);
        };
        for (const std::string& name : only)
            if (std::none_of(sections.begin(), sections.end(),
                             [&](const Section& section) { return section.name == name; }))
                throw knead::InputError(fmt::format("--only: no figure is called {}", name));
        const std::string before = fs::exists(page) ? knead::read_text_file(page) : "";
        std::string text =
            "# Figures of the simulation\n\n`make quality` measures these and writes "
            "this page; [dynamics.md](dynamics.md) says what they are about.\n";
        for (const Section& section : sections) {
            const bool now =
                only.empty() || std::find(only.begin(), only.end(), section.name) != only.end();
            const std::string body = now ? section.measure(settings) : kept(before, section.title);
            if (!body.empty()) text += "\n## " + section.title + "\n\n" + body;
        }
        knead::write_file_atomically(page, text);
        return 0;
    } catch (const std::exception& error) {
        fmt::print(stderr, "knead_dynamics_quality: {}\n", error.what());
        return 3;
    }
}
