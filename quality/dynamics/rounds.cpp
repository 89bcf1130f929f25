#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dynamics/simulated.hpp"
#include "dynamics/soft_ball.hpp"
#include "figures.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

using namespace testing_dynamics;
using knead::testing::soft_ball;

struct Rounds {
    std::string name;
    std::vector<int> counts; // of steps with so many rounds, from one on
    int steps = 0, halvings = 0, last_resorts = 0, crossings = 0;
    double nearest = 1; // of all steps, over the tolerance

    double percent(std::size_t rounds) const { return 100.0 * counts[rounds - 1] / steps; }
    double within(std::size_t rounds) const {
        double sum = 0;
        for (std::size_t r = 1; r <= rounds; ++r) sum += percent(r);
        return sum;
    }
};

Rounds count(const std::string& name, Simulation simulation, double dt, double seconds,
             const auto& targets) {
    Rounds result;
    result.name = name;
    result.counts.assign(SimulationSettings().max_rounds + 1, 0);
    for (int i = 1; i <= static_cast<int>(std::lround(seconds / dt)); ++i) {
        StepInput input = go_on(dt);
        input.targets = targets(dt * i);
        const StepReport report = simulation.step(input);
        for (const int rounds : report.refinement_rounds) ++result.counts[rounds - 1];
        result.steps += static_cast<int>(report.refinement_rounds.size());
        result.halvings += report.halvings;
        result.last_resorts += report.last_resorts;
        result.crossings += simulation.crossings();
        result.nearest =
            std::min(result.nearest, simulation.smallest_distance() / simulation.tolerance());
    }
    return result;
}

Simulation eight_balls() {
    const double at[8][2] = {{0, 0},      {.12, .05}, {-.08, .1},  {.1, -.12},
                             {-.1, -.05}, {.05, .12}, {.12, -.08}, {-.12, .02}};
    std::vector<BodyDefinition> bodies;
    for (int k = 0; k < 8; ++k)
        bodies.push_back(
            soft_ball("ball " + std::to_string(k), Vec3(at[k][0], 0.8 + 1.15 * k, at[k][1])));
    bodies.push_back(make_floor(20));
    return Simulation(bodies, keep_apart(5e-3));
}

BodyDefinition sheet(double size, int cells, const Vec3& at) {
    BodyDefinition cloth =
        make_body("sheet", BodyKind::cloth, make_grid({size, size}, {cells, cells}), at);
    cloth.material.density = 300;
    cloth.material.young = 1e5;
    return cloth;
}

Simulation dropped_cloth() {
    return Simulation(
        {sheet(1.2, 32, Vec3(0.05, 0.75, 0)),
         make_body("post", BodyKind::kinematic, make_sphere(0.3, 3), Vec3(0, 0.35, 0)),
         make_floor()},
        keep_apart(3e-3));
}

Simulation mixed_stack() {
    BodyDefinition ring =
        make_body("ring", BodyKind::volume, make_torus(0.4, 0.15, 20), Vec3(0, 1.75, 0.05));
    ring.cells = 8;
    return Simulation(
        {soft_ball("ball", Vec3(0, 0.51, 0)),
         make_body("box", BodyKind::rigid, make_box({0.4, 0.3, 0.4}, {2, 2, 2}), Vec3(0.1, 1.3, 0)),
         ring, sheet(1, 14, Vec3(0.05, 1.06, 0)), make_floor()},
        keep_apart(4e-3));
}

} // namespace

std::string rounds_section(const FigureSettings& settings) {
    const auto nothing = [](double) { return std::vector<std::vector<Vec3>>(); };
    std::vector<Rounds> all;
    settings.say("rounds: eight soft balls");
    all.push_back(count("eight soft balls, 30 ms", eight_balls(), 0.03, 3, nothing));
    settings.say("rounds: cloth");
    all.push_back(count("cloth, 1089 vertices, 10 ms", dropped_cloth(), 0.01, 1.2, nothing));
    settings.say("rounds: mixed stack");
    all.push_back(count("soft + rigid + cloth, 20 ms", mixed_stack(), 0.02, 1.2, nothing));
    settings.say("rounds: press");
    BodyDefinition lid =
        make_body("lid", BodyKind::kinematic, make_grid({3, 3}, {2, 2}), Vec3(0.1, 1.02, 0.05));
    const std::vector<Vec3> lid_start = lid.positions;
    all.push_back(count(
        "pressed ball, to half its height, 20 ms",
        Simulation({soft_ball("ball", Vec3(0, 0.51, 0)), make_floor(), lid}, keep_apart(5e-3)),
        0.02, 1.2, [&](double time) {
            std::vector<std::vector<Vec3>> targets(3);
            targets[2] = lid_start;
            for (Vec3& p : targets[2]) p.y() -= 0.5 * std::min(time, 1.0);
            return targets;
        }));

    Rounds together = all[0];
    together.name = "all together";
    for (std::size_t i = 1; i < all.size(); ++i) {
        for (std::size_t r = 0; r < together.counts.size(); ++r)
            together.counts[r] += all[i].counts[r];
        together.steps += all[i].steps;
        together.halvings += all[i].halvings;
        together.last_resorts += all[i].last_resorts;
        together.crossings += all[i].crossings;
        together.nearest = std::min(together.nearest, all[i].nearest);
    }
    all.push_back(together);

    BarChart chart;
    chart.x_label = "rounds of constraint manifold refinement";
    chart.y_label = "% of the steps";
    std::string rows;
    for (const Rounds& scene : all) {
        chart.names.push_back(scene.name.substr(0, scene.name.find(',')));
        std::vector<double> values;
        rows += fmt::format("| {} | {} |", scene.name, scene.steps);
        for (std::size_t r = 1; r <= scene.counts.size(); ++r) {
            values.push_back(scene.percent(r));
            rows += fmt::format(" {:.1f} |", scene.percent(r));
        }
        rows += fmt::format(" {:.1f} % | {} | {} | {} | {:.2f} |\n", scene.within(3),
                            scene.halvings, scene.last_resorts, scene.crossings, scene.nearest);
        chart.values.push_back(std::move(values));
    }
    write_file_atomically(settings.pictures / "rounds.svg", to_svg(chart));
    return fmt::format(
        "How many rounds steps take, in per cent; a step that needs more than five is halved, and "
        "the "
        "sixth column is the last resort after three halvings. Crossings are counted by the judge "
        "after every step, and the nearest pair of all steps is in parts of the tolerance (half is "
        "promised).\n\n"
        "| | steps | 1 | 2 | 3 | 4 | 5 | held back | at most three | halvings | last resorts | "
        "crossings "
        "| nearest |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | "
        "--- "
        "|\n{}\n![Rounds of all steps]({})\n",
        rows, settings.link("rounds.svg"));
}

} // namespace knead::quality
