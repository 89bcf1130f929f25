#include "knead/scene/methods/dynamics/dynamics_method.hpp"

#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/base/text.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/methods/dynamics/body_contacts.hpp"
#include "knead/scene/methods/dynamics/scene_bodies.hpp"
#include "knead/scene/methods/scene_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace knead {
namespace {

// Vertices that are held at the tolerance may be a little further.
constexpr double reach_of_tolerance = 1.1;

double volume_of(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    return signed_volume(positions, faces, bounding_box(positions).center());
}

// What was done since a whole frame.
struct StepsSoFar {
    DynamicsReport report;
    std::vector<std::pair<std::string, double>> milliseconds;
    double total = 0; ///< milliseconds

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
        for (const auto& spent : step.milliseconds) {
            if (spent.first == "total") continue; // that of the frame is more
            const auto found =
                std::find_if(milliseconds.begin(), milliseconds.end(),
                             [&](const auto& entry) { return entry.first == spent.first; });
            if (found == milliseconds.end())
                milliseconds.push_back(spent);
            else
                found->second += spent.second;
        }
    }
};

using Lists = std::vector<std::vector<Vec3>>;

void interpolate(const Lists& from, double t, Lists& to) {
    for (std::size_t i = 0; i < to.size(); ++i)
        for (std::size_t v = 0; v < to[i].size(); ++v)
            to[i][v] = (1 - t) * from[i][v] + t * to[i][v];
}

class Dynamics : public TimeMethod {
public:
    explicit Dynamics(const LoadedScene& scene)
        : scene_(scene),
          bodies_(make_bodies(scene)),
          steps_(steps_of(scene.scene)),
          simulation_(start()) {
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
            const int body = bodies_.body_of[i];
            rest_volumes_.push_back(
                body < 0 ? 0
                         : volume_of(bodies_.bodies[body].positions, bodies_.bodies[body].faces));
        }
    }

    int steps_a_frame() const override { return steps_.a_frame; }
    void begin_frame() override { done_ = {}; }
    void remember() override {
        positions_before_ = lists(&Simulation::positions);
        velocities_before_ = lists(&Simulation::velocities);
    }
    void step(double at, const std::stop_token& stop) override;
    SimulatedFrame show(double at, double t) override;
    std::vector<bool> followed() const override;
    void save(std::ostream& out) const override { simulation_.save(out); }
    void load(std::istream& in) override { simulation_.load(in); }

private:
    Simulation start() const;
    // One list an object, of one of the simulation's lists.
    Lists lists(std::span<const Vec3> (Simulation::*list)(int) const) const;

    const LoadedScene& scene_;
    SceneBodies bodies_;
    SceneSteps steps_;
    std::vector<double> rest_volumes_; ///< one an object
    Simulation simulation_;
    StepsSoFar done_;
    Lists positions_before_, velocities_before_;
};

Simulation Dynamics::start() const {
    try {
        return Simulation(bodies_.bodies, bodies_.settings);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", scene_.scene.path, error.what()));
    } catch (const GeometryError& error) {
        throw GeometryError(fmt::format("{}: {}", scene_.scene.path, error.what()));
    } catch (const SolveError& error) {
        throw SolveError(fmt::format("{}: {}", scene_.scene.path, error.what()));
    }
}

Lists Dynamics::lists(std::span<const Vec3> (Simulation::*list)(int) const) const {
    Lists result(scene_.objects.size());
    for (std::size_t i = 0; i < result.size(); ++i)
        if (const int body = bodies_.body_of[i]; body >= 0) {
            const std::span<const Vec3> of_body = (simulation_.*list)(body);
            result[i].assign(of_body.begin(), of_body.end());
        }
    return result;
}

void Dynamics::step(double at, const std::stop_token& stop) {
    const Stopwatch watch;
    try {
        done_.add(simulation_.step(step_input(scene_, bodies_, at, steps_.seconds), stop));
    } catch (const SolveError& error) {
        throw SolveError(
            fmt::format("{}: frame {}: {}", scene_.scene.path, shortest(at), error.what()));
    }
    done_.total += watch.milliseconds();
}

SimulatedFrame Dynamics::show(double at, double t) {
    const Stopwatch measuring;
    SimulatedFrame result;
    SolvedFrame& solved = result.solved;
    solved.before = positions_at(scene_, at);
    solved.after = lists(&Simulation::positions);
    result.velocities = lists(&Simulation::velocities);
    if (t < 1) {
        interpolate(positions_before_, t, solved.after);
        interpolate(velocities_before_, t, result.velocities);
    }
    for (std::size_t i = 0; i < solved.after.size(); ++i)
        if (bodies_.body_of[i] < 0) {
            solved.after[i] = solved.before[i];
            result.velocities[i].assign(solved.after[i].size(), Vec3::Zero());
        }
    BodyContacts contacts = measure_bodies(scene_, bodies_, solved.before, solved.after,
                                           reach_of_tolerance * simulation_.tolerance());
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
        ObjectReport object = object_report(scene_, solved, static_cast<int>(i));
        object.volume_before = rest_volumes_[i];
        object.volume_after = volume_of(solved.after[i], scene_.objects[i].source.mesh.faces);
        report.objects.push_back(std::move(object));
    }
    report.dynamics = done_.report;
    const Energies energy = simulation_.energy(scene_.scene.gravity.at(at));
    report.dynamics->kinetic = energy.kinetic;
    report.dynamics->elastic = energy.elastic;
    report.dynamics->potential = energy.potential;
    report.dynamics->crossings = simulation_.crossings();
    report.dynamics->tolerance = simulation_.tolerance();
    if (const double distance = simulation_.smallest_distance(); std::isfinite(distance))
        report.dynamics->smallest_distance = distance;
    report.dynamics->notes.insert(report.dynamics->notes.begin(), bodies_.notes.begin(),
                                  bodies_.notes.end());
    report.milliseconds = done_.milliseconds;
    const double measured = measuring.milliseconds();
    report.milliseconds.emplace_back("measure", measured);
    report.milliseconds.emplace_back("total", done_.total + measured);
    solved.milliseconds = report.milliseconds;
    return result;
}

// Bodies that move by themselves, and solids.
std::vector<bool> Dynamics::followed() const {
    std::vector<bool> followed;
    for (std::size_t i = 0; i < bodies_.body_of.size(); ++i) {
        const int body = bodies_.body_of[i];
        followed.push_back(body >= 0 && (bodies_.bodies[body].kind != BodyKind::kinematic ||
                                         bodies_.structures[i]->closed));
    }
    if (std::none_of(followed.begin(), followed.end(), [](bool yes) { return yes; }))
        followed.assign(followed.size(), true);
    return followed;
}

} // namespace

std::unique_ptr<TimeMethod> make_dynamics(const LoadedScene& scene) {
    return std::make_unique<Dynamics>(scene);
}

} // namespace knead
