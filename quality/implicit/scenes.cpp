#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/implicit/solid_insides.hpp"
#include "knead/scene/methods/implicit/solid_description.hpp"
#include "knead/scene/methods/scene_steps.hpp"
#include "knead/scene/read/scene_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figures.hpp"
#include "plot.hpp"

namespace knead::quality {
namespace {

// A demo as its solids, walked through without pictures.
struct SolidDemo {
    LoadedScene scene;
    SceneSolids solids;
    int steps_a_frame;
    double seconds; ///< of a step

    explicit SolidDemo(Scene read)
        : scene(load_scene(std::move(read))),
          solids(make_scene_solids(scene)),
          steps_a_frame(steps_of(scene.scene).a_frame),
          seconds(steps_of(scene.scene).seconds) {}

    int last_step() const {
        return static_cast<int>((scene.scene.frames.last - scene.scene.frames.first) *
                                steps_a_frame);
    }
    double frame_at(int step) const {
        return scene.scene.frames.first + static_cast<double>(step) / steps_a_frame;
    }
    Vec3 gravity(int step) const { return scene.scene.gravity.at(frame_at(step)); }
    SolidStep step(int index) const {
        return {seconds, gravity(index), held_targets(scene, solids, frame_at(index))};
    }
};

struct Phase {
    std::string name;
    double from = 0, to = 0; ///< parts of the time
    int steps = 0, taken = 0, halvings = 0, rounds = 0, at_limit = 0, contacts = 0;
    double milliseconds = 0, shapes = 0;
    int shown = 0;
};

void add_step(Phase& phase, const SolidStepReport& report, double milliseconds, int contacts) {
    ++phase.steps;
    phase.taken += report.steps;
    phase.halvings += report.halvings;
    for (const int rounds : report.rounds) {
        phase.rounds += rounds;
        phase.at_limit += rounds >= 16 ? 1 : 0;
    }
    phase.contacts += contacts;
    phase.milliseconds += milliseconds;
}

} // namespace

std::string speed_section(const FigureSettings& settings) {
    settings.say("time of the vaulting horse");
    const ThreadLimit limit(1);
    Scene scene = read_scene(settings.scenes / "vaulting-horse.json");
    for (SceneObject& object : scene.objects) object.implicit.samples = 5000;
    const Stopwatch loading;
    const SolidDemo demo(std::move(scene));
    SolidSimulation simulation(demo.solids.solids, demo.solids.settings);
    const double loaded = loading.milliseconds();
    std::array<Phase, 3> phases;
    phases[0].name = "falling: only the horse stands on the floor";
    phases[1].name = "impact: until the balls have lost their speed";
    phases[2].name = "at rest";
    bool hit = false;
    std::size_t description = 0;
    int samples = 0;
    for (const Solid& solid : SolidInsides::solids(simulation)) samples += solid.samples.count();
    std::size_t faces = 0;
    for (const Solid& solid : SolidInsides::solids(simulation)) faces += solid.samples.faces.size();
    for (int i = 1; i <= demo.last_step(); ++i) {
        const SolidStep step = demo.step(i);
        const Stopwatch watch;
        const SolidStepReport report = simulation.step(step);
        const double milliseconds = watch.milliseconds();
        double fastest = 0;
        for (const Solid& solid : SolidInsides::solids(simulation))
            if (solid.moves()) fastest = std::max(fastest, solid.state.velocity.norm());
        for (const SolidContact& contact : SolidInsides::contacts(simulation))
            hit = hit || (SolidInsides::solids(simulation)[contact.first].moves() &&
                          SolidInsides::solids(simulation)[contact.second].moves());
        Phase& phase = phases[!hit ? 0 : fastest > 0.1 ? 1 : 2];
        add_step(phase, report, milliseconds,
                 static_cast<int>(SolidInsides::contacts(simulation).size()));
        if (i % demo.steps_a_frame != 0) continue;
        const Stopwatch showing;
        const SolidFrame frame = SolidInsides::frame(simulation);
        for (int s = 0; s < static_cast<int>(SolidInsides::solids(simulation).size()); ++s)
            deformed_shape(SolidInsides::solids(simulation), frame, s);
        phase.shapes += showing.milliseconds();
        ++phase.shown;
        description =
            std::max(description, describe_solids(demo.solids, frame, demo.frame_at(i)).size());
    }
    std::string rows;
    Phase all;
    all.name = "all";
    const auto row = [&](const Phase& phase) {
        if (phase.steps == 0) return;
        rows += fmt::format("| {} | {} | {:.1f} | {:.0f} | {} | {:.1f} | {} | {:.1f} | {:.1f} |\n",
                            phase.name, phase.steps, phase.milliseconds / phase.steps,
                            1000.0 * phase.steps / phase.milliseconds, phase.halvings,
                            static_cast<double>(phase.rounds) / std::max(1, phase.taken),
                            phase.at_limit, static_cast<double>(phase.contacts) / phase.steps,
                            phase.shown > 0 ? phase.shapes / phase.shown : 0.0);
    };
    for (const Phase& phase : phases) {
        row(phase);
        all.steps += phase.steps;
        all.taken += phase.taken;
        all.halvings += phase.halvings;
        all.rounds += phase.rounds;
        all.at_limit += phase.at_limit;
        all.contacts += phase.contacts;
        all.milliseconds += phase.milliseconds;
        all.shapes += phase.shapes;
        all.shown += phase.shown;
    }
    row(all);
    // As the paper counts: positions and normals in double, faces as indices.
    const std::size_t bytes =
        static_cast<std::size_t>(samples) * 6 * sizeof(double) + faces * 3 * sizeof(int);
    return fmt::format(
        "The four solids of `scenes/vaulting-horse.json` with about 5,000 samples each ({} in "
        "all), one core, steps of {:.2f} ms of simulated time. Rounds are those of friction, a "
        "step; shapes are the milliseconds of moving all samples of a frame. Loading and sampling "
        "took {:.0f} ms, once.\n\n"
        "| | steps | ms a step | steps a second | halvings | rounds | steps with all 16 | contacts "
        "| "
        "shapes, ms a "
        "frame |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n{}\n"
        "The description of a frame takes at most {} bytes; the samples with their normals and "
        "triangles {} bytes, {:.0f} times as much.\n",
        samples, 1000 * demo.seconds, loaded, rows, description, bytes,
        static_cast<double>(bytes) / static_cast<double>(description));
}

std::string energy_section(const FigureSettings& settings) {
    std::string text, rows;
    for (const std::string name : {"vaulting-horse", "clover-stairs", "heap-of-twenty"}) {
        const auto path = settings.scenes / (name + ".json");
        if (!std::filesystem::exists(path)) continue;
        settings.say("energy of " + name);
        const SolidDemo demo(read_scene(path));
        SolidSimulation simulation(demo.solids.solids, demo.solids.settings);
        Plot plot;
        plot.x_label = "seconds";
        plot.y_label = "energy";
        for (const char* series : {"sum", "kinetic", "elastic", "potential"}) {
            plot.series.emplace_back();
            plot.series.back().name = series;
            plot.series.back().pieces.resize(1);
        }
        std::vector<SolidEnergies> energies{simulation.energy(demo.gravity(0))};
        for (int i = 1; i <= demo.last_step(); ++i) {
            simulation.step(demo.step(i));
            energies.push_back(simulation.energy(demo.gravity(i)));
        }
        const double ground = energies.back().potential;
        double rise = 0, kinetic = 0;
        for (std::size_t i = 0; i < energies.size(); ++i) {
            const SolidEnergies& e = energies[i];
            const double t = demo.seconds * static_cast<double>(i);
            const double values[] = {e.sum() - ground, e.kinetic, e.elastic, e.potential - ground};
            for (int s = 0; s < 4; ++s) plot.series[s].pieces[0].emplace_back(t, values[s]);
            if (i > 0) rise = std::max(rise, e.sum() - energies[i - 1].sum());
            kinetic = std::max(kinetic, e.kinetic);
        }
        double fastest = 0;
        for (const Solid& solid : SolidInsides::solids(simulation))
            if (solid.moves()) fastest = std::max(fastest, solid.state.velocity.norm());
        const double range = energies.front().sum() - energies.back().sum();
        rows += fmt::format("| {} | {} | {:.2f} | {:.4f} | {:.1e} | {:.1e} | {:.1e} |\n", name,
                            SolidInsides::solids(simulation).size(),
                            demo.seconds * static_cast<double>(demo.last_step()), range,
                            rise / range, energies.back().kinetic / kinetic, fastest);
        const std::string file = "energy-" + name + ".svg";
        write_file_atomically(settings.pictures / file, to_svg(plot));
        text += fmt::format("\n![Energy of {} over time]({})\n", name, settings.link(file));
    }
    return "Nothing is put in but gravity, so the sum may only fall. The rise is the largest from "
           "one step to the next, as a part of all energy that is lost; kinetic energy at the end "
           "is a part of its largest; speeds are of centres of mass. "
           "Plots show sum and potential less the potential at the end.\n\n"
           "| | solids | seconds | energy lost | largest rise | kinetic at the end | fastest at "
           "the end |\n| --- | --- | --- | --- | --- | --- | --- |\n" +
           rows + text;
}

} // namespace knead::quality
