// Measures soft balls that fall on a floor and on each other, beside Bullet where it is there, one
// thread each, and judges both by the same independent measures after every step:
//
//     bench_soft_balls [--only one|two|eight] [--knead] [--bullet] [--margin M] [--damping S]
//
// With neither --knead nor --bullet, both. --margin (5e-3 m) is where contact begins in Bullet, and
// --damping (0 s, as for Knead) its damping of strain rates; with 0.01 a step
// costs two to three times as much.

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/dynamics/elastic_volume.hpp"
#include "knead/dynamics/simulation.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/collision_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dynamics/soft_ball.hpp"

#ifdef KNEAD_BENCH_BULLET
#include "bullet_balls.hpp"
#endif

namespace knead::bench {
namespace {

constexpr double tolerance = 5e-3;   // m; at which contacts are kept apart
constexpr double large_step = 30e-3; // s
constexpr double far_away = 100;     // m; what gets there has blown up
const Vec3 gravity(0, -9.81, 0);

struct BallScene {
    std::string name;
    double seconds = 0;
    std::vector<BodyDefinition> balls;
};

std::vector<BallScene> make_scenes() {
    using testing::soft_ball;
    constexpr double sideways[8][2] = {{0, 0},        {0.12, 0.05}, {-0.08, 0.1},  {0.1, -0.12},
                                       {-0.1, -0.05}, {0.05, 0.12}, {0.12, -0.08}, {-0.12, 0.02}};
    std::vector<BallScene> scenes{
        {"one", 1.5, {soft_ball("ball", {0, 1.5, 0})}},
        {"two", 1.5, {soft_ball("lower", {0, 0.6, 0}), soft_ball("upper", {0.1, 1.9, 0.05})}},
        {"eight", 3, {}}};
    for (int k = 0; k < 8; ++k)
        scenes[2].balls.push_back(
            soft_ball(fmt::format("ball {}", k), {sideways[k][0], 0.8 + 1.15 * k, sideways[k][1]}));
    return scenes;
}

// One list a ball, of all nodes, not only those of the surface.
using Nodes = std::vector<std::vector<Vec3>>;

using Masses = std::vector<std::vector<double>>;

bool blew_up(const Nodes& positions) {
    for (const auto& ball : positions)
        for (const Vec3& x : ball)
            if (!(x.norm() <= far_away)) return true;
    return false;
}

// Shares nothing with either simulation but the energy of an element, and knows nothing of how
// a state came about.
struct Judge {
    std::span<const BodyDefinition> balls;
    std::vector<ElasticVolume> models;
    CollisionMesh surfaces; // of all balls, then of the floor
    std::vector<Vec3> points;

    explicit Judge(const BallScene& scene) : balls(scene.balls) {
        for (const BodyDefinition& ball : balls) {
            models.push_back(make_elastic_volume(*ball.elements, {}, ball.material, ball.name));
            add(ball.faces, ball.positions);
        }
        const TriangleMesh floor = make_grid({20, 20}, {2, 2});
        add(floor.faces, floor.positions);
        const auto bodies = static_cast<std::size_t>(surfaces.bodies);
        surfaces.may_touch.assign(bodies * bodies, 1);
        for (std::size_t b = 0; b < bodies; ++b) surfaces.may_touch[b * bodies + b] = 0;
        complete(surfaces);
    }

    void add(std::span<const Triangle> faces, std::span<const Vec3> positions) {
        const int first = static_cast<int>(points.size());
        for (const Triangle& face : faces)
            surfaces.faces.push_back({first + face[0], first + face[1], first + face[2]});
        points.insert(points.end(), positions.begin(), positions.end());
        surfaces.body_of_vertex.resize(points.size(), surfaces.bodies++);
    }

    int crossings(const Nodes& positions) {
        auto place = points.begin();
        for (std::size_t b = 0; b < balls.size(); ++b)
            place = std::copy_n(positions[b].begin(), balls[b].positions.size(), place);
        return count_crossing_faces(surfaces, points);
    }

    // Without kinetic energy. J
    double stored_energy(const Nodes& positions, const Masses& mass) const {
        double sum = 0;
        for (std::size_t b = 0; b < balls.size(); ++b) {
            sum += elastic_energy(models[b], positions[b]);
            for (std::size_t v = 0; v < positions[b].size(); ++v)
                sum -= mass[b][v] * gravity.dot(positions[b][v]);
        }
        return sum;
    }

    int inverted(const Nodes& positions) const {
        int count = 0;
        for (std::size_t b = 0; b < balls.size(); ++b)
            for (std::size_t t = 0; t < balls[b].elements->tets.size(); ++t)
                count +=
                    !(signed_volume(*balls[b].elements, positions[b], static_cast<int>(t)) > 0);
        return count;
    }
};

struct Figures {
    double cpu = 0;             // s, in steps only
    double simulated = 0;       // s
    int steps = 0, crossed = 0; // steps, and those after which surfaces cross
    int most_crossings = 0;     // after a step
    double depth = 0;           // below the floor, the largest after a step; m
    int inverted = 0;           // at the end
    double energy = 0;          // the largest, as a part of that at the start
    std::string end = "whole";
};

// What both sides offer.
struct Side {
    Masses mass;
    std::function<void(double seconds)> step;
    std::function<void(Nodes& positions)> get_positions;
    std::function<double()> kinetic_energy;
};

Figures measure(const BallScene& scene, Judge& judge, double step, const Side& side) {
    Figures figures;
    Nodes positions;
    for (const BodyDefinition& ball : scene.balls) positions.push_back(ball.elements->positions);
    const double first_energy = judge.stored_energy(positions, side.mass);
    const int steps = static_cast<int>(std::lround(scene.seconds / step));
    for (int i = 0; i < steps; ++i) {
        const std::clock_t start = std::clock();
        try {
            side.step(step);
        } catch (const std::exception& error) {
            figures.end = fmt::format("gave up at {:.2f} s: {}", i * step, error.what());
            break;
        }
        figures.cpu += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        figures.simulated += step;
        ++figures.steps;
        side.get_positions(positions);
        if (blew_up(positions)) {
            figures.end = fmt::format("blew up at {:.2f} s", figures.simulated);
            break;
        }
        const int crossings = judge.crossings(positions);
        figures.most_crossings = std::max(figures.most_crossings, crossings);
        figures.crossed += crossings > 0;
        for (const auto& ball : positions)
            for (const Vec3& x : ball) figures.depth = std::max(figures.depth, -x.y());
        figures.energy = std::max(
            figures.energy,
            (judge.stored_energy(positions, side.mass) + side.kinetic_energy()) / first_energy);
    }
    figures.inverted = judge.inverted(positions);
    return figures;
}

Figures measure_knead(const BallScene& scene, Judge& judge, double step) {
    std::vector<BodyDefinition> bodies = scene.balls;
    const TriangleMesh grid = make_grid({20, 20}, {2, 2});
    BodyDefinition floor;
    floor.name = "floor";
    floor.kind = BodyKind::kinematic;
    floor.positions = grid.positions;
    floor.faces = grid.faces;
    bodies.push_back(floor);
    SimulationSettings settings;
    settings.tolerance = tolerance;
    Simulation simulation(bodies, settings);
    Masses masses;
    for (const ElasticVolume& model : judge.models) masses.push_back(model.mass);
    const Side side{masses,
                    [&](double seconds) {
                        StepInput input;
                        input.seconds = seconds;
                        input.gravity = gravity;
                        input.air_density = 0;
                        simulation.step(input);
                    },
                    [&](Nodes& positions) {
                        for (std::size_t b = 0; b < positions.size(); ++b)
                            std::ranges::copy(simulation.element_positions(static_cast<int>(b)),
                                              positions[b].begin());
                    },
                    [&] { return simulation.energy(gravity).kinetic; }};
    return measure(scene, judge, step, side);
}

#ifdef KNEAD_BENCH_BULLET
Figures measure_bullet(const BallScene& scene, Judge& judge, double step,
                       const BulletSettings& settings) {
    std::vector<double> node_mass;
    Masses masses;
    Nodes velocities;
    for (const ElasticVolume& model : judge.models) {
        const double total = std::accumulate(model.mass.begin(), model.mass.end(), 0.0);
        node_mass.push_back(total / static_cast<double>(model.mass.size()));
        masses.emplace_back(model.mass.size(), node_mass.back());
        velocities.emplace_back(model.mass.size());
    }
    BulletBalls world(scene.balls, node_mass, gravity, settings);
    const Side side{masses, [&](double seconds) { world.step(seconds); },
                    [&](Nodes& positions) {
                        for (std::size_t b = 0; b < positions.size(); ++b)
                            world.get_positions(static_cast<int>(b), positions[b]);
                    },
                    [&] {
                        double sum = 0;
                        for (std::size_t b = 0; b < velocities.size(); ++b) {
                            world.get_velocities(static_cast<int>(b), velocities[b]);
                            for (const Vec3& v : velocities[b])
                                sum += 0.5 * node_mass[b] * v.squaredNorm();
                        }
                        return sum;
                    }};
    return measure(scene, judge, step, side);
}
#endif

void print(const BallScene& scene, const char* who, double step, const Figures& f) {
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {} | {} of {} | {:.1f} | {} | {:.3f} | {} |\n",
               scene.name, who, 1e3 * step, f.cpu / f.simulated, f.most_crossings, f.crossed,
               f.steps, 1e3 * f.depth, f.inverted, f.energy, f.end);
    std::fflush(stdout);
}

struct Options {
    std::string only; // a scene; all if empty
    bool knead = false, bullet = false;
#ifdef KNEAD_BENCH_BULLET
    BulletSettings bullet_settings;
#endif
};

void run(const Options& options) {
    const ThreadLimit limit(1);
    fmt::print("| scene | who | step, ms | CPU s per s | most crossings | steps that cross | most "
               "below the "
               "floor, mm | inverted at the end | most energy / start | run |\n"
               "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n");
    std::fflush(stdout);
    for (const BallScene& scene : make_scenes()) {
        if (!options.only.empty() && options.only != scene.name) continue;
        Judge judge(scene);
#ifdef KNEAD_BENCH_BULLET
        if (options.bullet)
            for (const double step : {1.0 / 240, large_step})
                print(scene, "Bullet", step,
                      measure_bullet(scene, judge, step, options.bullet_settings));
#endif
        if (options.knead)
            print(scene, "Knead", large_step, measure_knead(scene, judge, large_step));
    }
}

constexpr auto usage = "usage: bench_soft_balls [--only one|two|eight] [--knead] [--bullet] "
                       "[--margin M] [--damping S]\n";

#ifdef KNEAD_BENCH_BULLET
double read_number(const char* word) {
    char* end = nullptr;
    const double number = std::strtod(word, &end);
    if (end == word || *end != '\0' || !(number >= 0) || !std::isfinite(number))
        throw InputError(fmt::format("found '{}', expected a number from 0\n{}", word, usage));
    return number;
}
#endif

Options read_options(std::span<char* const> words) {
    Options options;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        const bool more = i + 1 < words.size();
        if (word == "--knead")
            options.knead = true;
        else if (word == "--bullet")
            options.bullet = true;
        else if (word == "--only" && more)
            options.only = words[++i];
#ifdef KNEAD_BENCH_BULLET
        else if (word == "--margin" && more)
            options.bullet_settings.margin = read_number(words[++i]);
        else if (word == "--damping" && more)
            options.bullet_settings.damping = read_number(words[++i]);
#endif
        else
            throw InputError(usage);
    }
    if (!options.only.empty() && options.only != "one" && options.only != "two" &&
        options.only != "eight")
        throw InputError(fmt::format("there is no scene '{}'\n{}", options.only, usage));
#ifndef KNEAD_BENCH_BULLET
    if (options.bullet)
        throw InputError("built without Bullet: scripts/install-deps --bench, then configure "
                         "again\n");
#endif
    if (options.knead == options.bullet) options.knead = options.bullet = true;
    return options;
}

} // namespace
} // namespace knead::bench

int main(int argc, char** argv) {
    try {
        knead::bench::run(
            knead::bench::read_options({argv + 1, static_cast<std::size_t>(argc - 1)}));
    } catch (const knead::InputError& error) {
        fmt::print(stderr, "{}", error.what());
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 3;
    }
}
