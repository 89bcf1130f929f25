#include "knead/scene/scene_simulation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/scene/body_contacts.hpp"
#include "knead/scene/frame_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <istream>
#include <ostream>

namespace knead {
namespace {

// Frames have three decimals; what is nearer to a step than this is at it.
constexpr double same_frame = 1e-6;
// Vertices that are held at the tolerance may be a little further.
constexpr double reach_of_tolerance = 1.1;

double volume_of(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    return signed_volume(positions, faces, bounding_box(positions).center());
}

// What was done since a whole frame.
struct StepsSoFar {
    DynamicsReport report;
    std::vector<std::pair<std::string, double>> milliseconds;
    Stopwatch watch;

    void add(const StepReport& step) {
        report.steps += static_cast<int>(step.refinement_rounds.size());
        report.refinement_rounds.insert(report.refinement_rounds.end(),
                                        step.refinement_rounds.begin(),
                                        step.refinement_rounds.end());
        report.halvings += step.halvings;
        report.last_resorts += step.last_resorts;
        report.contacts_active = step.contacts_active;
        report.work += step.work;
        for (const std::string& note : step.notes)
            if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end())
                report.notes.push_back(note);
        for (const auto& [stage, time] : step.milliseconds) {
            if (stage == "total") continue; // that of the frame is more
            const auto found =
                std::find_if(milliseconds.begin(), milliseconds.end(),
                             [&](const auto& entry) { return entry.first == stage; });
            if (found == milliseconds.end())
                milliseconds.emplace_back(stage, time);
            else
                found->second += time;
        }
    }
};

using Lists = std::vector<std::vector<Vec3>>;

void interpolate(const Lists& from, double t, Lists& to) {
    for (std::size_t i = 0; i < to.size(); ++i)
        for (std::size_t v = 0; v < to[i].size(); ++v)
            to[i][v] = (1 - t) * from[i][v] + t * to[i][v];
}

} // namespace

struct SceneSimulation::State {
    const LoadedScene& scene;
    SceneBodies bodies;
    SceneSteps steps;
    std::vector<double> rest_volumes; ///< one an object
    Simulation simulation;
    int frame;

    explicit State(const LoadedScene& of)
        : scene(of),
          bodies(make_bodies(of)),
          steps(steps_of(of.scene)),
          simulation(start()),
          frame(of.scene.frames.first) {
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
            const int body = bodies.body_of[i];
            rest_volumes.push_back(
                body < 0 ? 0 : volume_of(bodies.bodies[body].positions, bodies.bodies[body].faces));
        }
    }

    Simulation start() const {
        try {
            return Simulation(bodies.bodies, bodies.settings);
        } catch (const InputError& error) {
            throw InputError(fmt::format("{}: {}", scene.scene.path, error.what()));
        } catch (const GeometryError& error) {
            throw GeometryError(fmt::format("{}: {}", scene.scene.path, error.what()));
        }
    }

    // One list an object, of one of the simulation's lists.
    Lists lists(std::span<const Vec3> (Simulation::*list)(int) const) const {
        Lists result(scene.objects.size());
        for (std::size_t i = 0; i < result.size(); ++i)
            if (const int body = bodies.body_of[i]; body >= 0) {
                const std::span<const Vec3> of_body = (simulation.*list)(body);
                result[i].assign(of_body.begin(), of_body.end());
            }
        return result;
    }

    void step(double at, StepsSoFar& done) {
        try {
            done.add(simulation.step(step_input(scene, bodies, at, steps.seconds)));
        } catch (const SolveError& error) {
            throw SolveError(
                fmt::format("{}: frame {}: {}", scene.scene.path, shortest(at), error.what()));
        }
    }

    SimulatedFrame show(double at, const Lists& positions_before, const Lists& velocities_before,
                        double t, const StepsSoFar& done) const;
};

// The state at `t` of the way from the step before to where the simulation is now.
SimulatedFrame SceneSimulation::State::show(double at, const Lists& positions_before,
                                            const Lists& velocities_before, double t,
                                            const StepsSoFar& done) const {
    const Stopwatch measuring;
    SimulatedFrame result;
    SolvedFrame& solved = result.solved;
    solved.before = positions_at(scene, at);
    solved.after = lists(&Simulation::positions);
    result.velocities = lists(&Simulation::velocities);
    if (t < 1) {
        interpolate(positions_before, t, solved.after);
        interpolate(velocities_before, t, result.velocities);
    }
    for (std::size_t i = 0; i < solved.after.size(); ++i)
        if (bodies.body_of[i] < 0) {
            solved.after[i] = solved.before[i];
            result.velocities[i].assign(solved.after[i].size(), Vec3::Zero());
        }
    BodyContacts contacts = measure_bodies(scene, bodies, solved.before, solved.after,
                                           reach_of_tolerance * simulation.tolerance());
    FrameReport& report = result.report;
    report.frame = at;
    report.contacts = std::move(contacts.contacts);
    solved.objects.resize(solved.after.size());
    solved.proxies.resize(solved.after.size());
    for (std::size_t i = 0; i < solved.after.size(); ++i) {
        ObjectOutcome& outcome = solved.objects[i];
        outcome.zone = std::move(contacts.touching[i]);
        outcome.contact_vertices =
            static_cast<int>(std::count(outcome.zone.begin(), outcome.zone.end(), 1.0));
        ObjectReport object = object_report(scene, solved, static_cast<int>(i));
        object.volume_before = rest_volumes[i];
        object.volume_after = volume_of(solved.after[i], scene.objects[i].source.mesh.faces);
        report.objects.push_back(std::move(object));
    }
    report.dynamics = done.report;
    const Energies energy = simulation.energy(scene.scene.gravity.at(at));
    report.dynamics->kinetic = energy.kinetic;
    report.dynamics->elastic = energy.elastic;
    report.dynamics->potential = energy.potential;
    report.dynamics->crossings = simulation.crossings();
    report.dynamics->tolerance = simulation.tolerance();
    if (const double distance = simulation.smallest_distance(); std::isfinite(distance))
        report.dynamics->smallest_distance = distance;
    report.dynamics->notes.insert(report.dynamics->notes.begin(), bodies.notes.begin(),
                                  bodies.notes.end());
    report.milliseconds = done.milliseconds;
    report.milliseconds.emplace_back("measure", measuring.milliseconds());
    report.milliseconds.emplace_back("total", done.watch.milliseconds());
    solved.milliseconds = report.milliseconds;
    return result;
}

SceneSimulation::SceneSimulation(const LoadedScene& scene) : state_(new State(scene)) {}
SceneSimulation::~SceneSimulation() = default;
SceneSimulation::SceneSimulation(SceneSimulation&&) noexcept = default;
SceneSimulation& SceneSimulation::operator=(SceneSimulation&&) noexcept = default;

int SceneSimulation::frame() const {
    return state_->frame;
}

const SceneBodies& SceneSimulation::bodies() const {
    return state_->bodies;
}

void SceneSimulation::run(std::span<const double> wanted,
                          const std::function<void(SimulatedFrame)>& each,
                          const std::function<void()>& at_whole_frame, const Progress& progress) {
    State& state = *state_;
    std::size_t next = 0;
    if (state.frame == state.scene.scene.frames.first) {
        const StepsSoFar none;
        for (; next < wanted.size() && wanted[next] <= state.frame + same_frame; ++next)
            each(state.show(wanted[next], {}, {}, 1, none));
        if (at_whole_frame) at_whole_frame();
    }
    while (next < wanted.size() && wanted[next] <= state.frame + same_frame) ++next;
    if (next == wanted.size()) return;
    const int start = state.frame;
    const double all = std::ceil(wanted.back() - same_frame) - start;
    while (next < wanted.size()) {
        StepsSoFar done;
        double before = state.frame;
        for (int k = 1; k <= state.steps.a_frame; ++k) {
            progress.check();
            const double at = k == state.steps.a_frame
                                  ? state.frame + 1.0
                                  : state.frame + static_cast<double>(k) / state.steps.a_frame;
            Lists positions, velocities;
            if (next < wanted.size() && wanted[next] < at - same_frame) {
                positions = state.lists(&Simulation::positions);
                velocities = state.lists(&Simulation::velocities);
            }
            state.step(at, done);
            for (; next < wanted.size() && wanted[next] <= at + same_frame; ++next) {
                const double t =
                    wanted[next] < at - same_frame ? (wanted[next] - before) / (at - before) : 1;
                each(state.show(wanted[next], positions, velocities, t, done));
            }
            before = at;
            progress.at((state.frame - start + static_cast<double>(k) / state.steps.a_frame) / all);
        }
        ++state.frame;
        if (at_whole_frame) at_whole_frame();
    }
}

void SceneSimulation::save(std::ostream& out) const {
    const std::int64_t frame = state_->frame;
    out.write(reinterpret_cast<const char*>(&frame), sizeof frame);
    state_->simulation.save(out);
}

void SceneSimulation::load(std::istream& in) {
    std::int64_t frame = 0;
    in.read(reinterpret_cast<char*>(&frame), sizeof frame);
    if (!in || frame < state_->scene.scene.frames.first || frame > 1'000'000'000)
        throw InputError("a state of a simulation: found no frame of the scene");
    state_->simulation.load(in);
    state_->frame = static_cast<int>(frame);
}

void SimulatedFrames::keep(double frame, const SolvedFrame& solved) {
    Kept& kept = frames_[frame];
    kept.after = solved.after;
    kept.zones.clear();
    for (const ObjectOutcome& object : solved.objects) kept.zones.push_back(object.zone);
}

SolvedFrame SimulatedFrames::solve(double frame) const {
    const auto found = frames_.find(frame);
    if (found == frames_.end())
        throw InputError(fmt::format("frame {} was not simulated", shortest(frame)));
    SolvedFrame solved;
    solved.before = positions_at(scene_, frame);
    solved.after = found->second.after;
    solved.objects.resize(solved.after.size());
    for (std::size_t i = 0; i < solved.objects.size(); ++i)
        solved.objects[i].zone = found->second.zones[i];
    solved.proxies.resize(solved.after.size());
    return solved;
}

std::vector<bool> followed_by_camera(const SceneBodies& bodies) {
    std::vector<bool> followed;
    for (std::size_t i = 0; i < bodies.body_of.size(); ++i) {
        const int body = bodies.body_of[i];
        followed.push_back(body >= 0 && (bodies.bodies[body].kind != BodyKind::kinematic ||
                                         bodies.structures[i]->closed));
    }
    if (std::none_of(followed.begin(), followed.end(), [](bool yes) { return yes; }))
        followed.assign(followed.size(), true);
    return followed;
}

SimulatedFrames simulate_frames(const LoadedScene& scene, std::span<const double> frames,
                                const Progress& progress) {
    SceneSimulation simulation(scene);
    SimulatedFrames kept(scene);
    kept.set_followed(followed_by_camera(simulation.bodies()));
    std::vector<double> wanted(frames.begin(), frames.end());
    std::sort(wanted.begin(), wanted.end());
    simulation.run(
        wanted, [&](SimulatedFrame frame) { kept.keep(frame.report.frame, frame.solved); }, {},
        progress);
    return kept;
}

} // namespace knead
