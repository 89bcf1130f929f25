#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/simulated.hpp"
#include "dynamics/soft_ball.hpp"
#include "figures.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

using namespace testing_dynamics;
using knead::testing::soft_ball;

constexpr double length = 1.2;

struct Drop {
    std::vector<double> heights, energies; // after every step
    double height_at(double dt, double time) const {
        return heights[static_cast<std::size_t>(std::lround(time / dt)) - 1];
    }
    // The highest point of the first one.
    double bounce() const {
        std::size_t i = 1;
        while (i < heights.size() && heights[i] < heights[i - 1]) ++i;
        while (i < heights.size() && heights[i] > heights[i - 1]) ++i;
        return heights[i - 1];
    }
    double energy_at(double dt, double time) const {
        return energies[static_cast<std::size_t>(std::lround(time / dt)) - 1];
    }
};

Drop drop(double dt) {
    Simulation simulation({soft_ball("ball", Vec3(0, 0.9, 0)), make_floor()}, keep_apart(5e-3));
    Drop result;
    for (int i = 0; i < static_cast<int>(std::lround(length / dt)); ++i) {
        const StepReport report = simulation.step(go_on(dt));
        result.heights.push_back(mean_place(simulation.positions(0)).y());
        result.energies.push_back(report.energy.total());
    }
    return result;
}

} // namespace

std::string step_section(const FigureSettings& settings) {
    const std::vector<double> steps = {0.03, 0.015, 0.0075, 0.00375, 0.001875};
    const std::vector<double> times = {0.24, 0.36, 0.48, 0.6, 0.9, 1.2};
    std::vector<Drop> drops;
    Plot plot;
    plot.x_label = "seconds";
    plot.y_label = "height of the centre, m";
    for (const double dt : steps) {
        settings.say(fmt::format("drop at {} ms", 1000 * dt));
        drops.push_back(drop(dt));
        PlotSeries series;
        series.name = fmt::format("{:g} ms", 1000 * dt);
        series.pieces.resize(1);
        series.pieces[0].push_back(Vec2(0, 0.9));
        for (std::size_t i = 0; i < drops.back().heights.size(); ++i)
            series.pieces[0].push_back(
                Vec2(dt * static_cast<double>(i + 1), drops.back().heights[i]));
        plot.series.push_back(std::move(series));
    }
    write_file_atomically(settings.pictures / "drop.svg", to_svg(plot));

    std::string head = "| |", line = "| --- |", heights, energies, order = "| order |";
    for (const double time : times) {
        head += fmt::format(" {:g} s |", time);
        line += " --- |";
    }
    const std::string energy_head = head + "\n" + line,
                      height_head = head + " bounces to |\n" + line + " --- |";
    for (std::size_t s = 0; s < steps.size(); ++s) {
        heights += fmt::format("| {:g} ms |", 1000 * steps[s]);
        energies += fmt::format("| {:g} ms |", 1000 * steps[s]);
        for (const double time : times) {
            heights += fmt::format(" {:.4f} |", drops[s].height_at(steps[s], time));
            energies += fmt::format(" {:.0f} |", drops[s].energy_at(steps[s], time));
        }
        heights += fmt::format(" {:.4f} |\n", drops[s].bounce());
        energies += "\n";
    }
    // Of the last three: how much smaller the change is when the step is halved once more.
    const std::size_t n = steps.size();
    for (const double time : times) {
        const double a = drops[n - 3].height_at(steps[n - 3], time),
                     b = drops[n - 2].height_at(steps[n - 2], time),
                     c = drops[n - 1].height_at(steps[n - 1], time);
        order += fmt::format(" {:.2f} |", std::log2(std::abs(a - b) / std::abs(b - c)));
    }
    return fmt::format(
        "A soft ball of radius 0.5 m (1248 elements, Young's modulus 1e5 Pa, density 1000 kg/m3) "
        "falls "
        "from 0.4 m onto the floor, without damping in the material. Height of the centre in m; "
        "the order "
        "is that of the last three steps, log2 of the ratio of changes.\n\n{}\n{}{} |\n\n"
        "Total energy in J:\n\n{}\n{}\n"
        "Backward Euler is of first order, and what it damps is the bounce: large steps "
        "land softly, and none adds energy.\n\n![Height of the centre over time]({})\n",
        height_head, heights, order, energy_head, energies, settings.link("drop.svg"));
}

} // namespace knead::quality
