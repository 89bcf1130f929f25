#include "knead/scene/methods/implicit/implicit_method.hpp"

#include "knead/base/error.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/base/text.hpp"
#include "knead/implicit/solid_insides.hpp"
#include "knead/scene/methods/implicit/solid_frames.hpp"
#include "knead/scene/methods/scene_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>

namespace knead {
namespace {

class ImplicitMethod : public TimeMethod {
public:
    explicit ImplicitMethod(const LoadedScene& scene)
        : stage_(scene), steps_(steps_of(scene.scene)), simulation_(start()) {}

    int steps_a_frame() const override { return steps_.a_frame; }
    void begin_frame() override {
        done_ = {};
        milliseconds_ = 0;
    }
    void remember() override {
        poses_before_.clear();
        for (const Solid& solid : SolidInsides::solids(simulation_))
            poses_before_.push_back(solid.pose);
    }
    void step(double at, const std::stop_token& stop) override;
    SimulatedFrame show(double at, double t) override;
    std::vector<bool> followed() const override { return followed_solids(stage_); }
    void save(std::ostream& out) const override;
    void load(std::istream& in) override;

private:
    SolidSimulation start() const;
    void add_forces(FrameReport& report) const;

    SolidStage stage_;
    SceneSteps steps_;
    SolidSimulation simulation_;
    SolidStepReport done_; ///< since the last whole frame
    double milliseconds_ = 0;
    std::vector<Pose> poses_before_;
    double at_ = stage_.scene.scene.frames.first; ///< the frame that was reached
};

SolidSimulation ImplicitMethod::start() const {
    try {
        return SolidSimulation(stage_.solids.solids, stage_.solids.settings);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{}: {}", stage_.scene.scene.path, error.what()));
    } catch (const GeometryError& error) {
        throw GeometryError(fmt::format("{}: {}", stage_.scene.scene.path, error.what()));
    }
}

void ImplicitMethod::step(double at, const std::stop_token& stop) {
    const Stopwatch watch;
    for (std::size_t i = 0; i < stage_.solids.solids.size(); ++i) {
        const ContactNumbers numbers =
            contact_numbers(stage_.scene, stage_.solids.object_of[i], at);
        simulation_.set_contact(static_cast<int>(i), numbers.drag, numbers.friction,
                                numbers.propagation);
    }
    const SolidStep step{steps_.seconds, stage_.scene.scene.gravity.at(at),
                         held_targets(stage_.scene, stage_.solids, at)};
    try {
        const SolidStepReport report = simulation_.step(step, stop);
        done_.steps += report.steps;
        done_.halvings += report.halvings;
        done_.rounds.insert(done_.rounds.end(), report.rounds.begin(), report.rounds.end());
        for (const std::string& note : report.notes)
            if (std::find(done_.notes.begin(), done_.notes.end(), note) == done_.notes.end())
                done_.notes.push_back(note);
    } catch (const SolveError& error) {
        throw SolveError(
            fmt::format("{}: frame {}: {}", stage_.scene.scene.path, shortest(at), error.what()));
    } catch (const InputError& error) {
        throw InputError(
            fmt::format("{}: frame {}: {}", stage_.scene.scene.path, shortest(at), error.what()));
    }
    at_ = at;
    milliseconds_ += watch.milliseconds();
}

SimulatedFrame ImplicitMethod::show(double at, double t) {
    const Stopwatch showing;
    SimulatedFrame result;
    if (t < 1) {
        // Between two steps: where the solids pass on their way, in contact there.
        std::vector<Solid> solids = SolidInsides::solids(simulation_);
        for (std::size_t i = 0; i < solids.size(); ++i)
            solids[i].pose = blended(poses_before_[i], solids[i].pose, t);
        const std::vector<SolidContact> contacts =
            find_contacts(solids, stage_.solids.settings.passing);
        result = picture_of_solids(stage_, solids, contacts, frame_of(solids, contacts), at);
    } else {
        result = picture_of_solids(stage_, SolidInsides::solids(simulation_),
                                   SolidInsides::contacts(simulation_),
                                   SolidInsides::frame(simulation_), at);
        add_forces(result.report);
    }
    DynamicsReport& report = *result.report.dynamics;
    report.steps = done_.steps;
    report.refinement_rounds = done_.rounds;
    report.halvings = done_.halvings;
    report.contacts_active = static_cast<int>(SolidInsides::contacts(simulation_).size());
    const SolidEnergies energy = simulation_.energy(stage_.scene.scene.gravity.at(at));
    report.kinetic = energy.kinetic;
    report.elastic = energy.elastic;
    report.potential = energy.potential;
    std::vector<std::string> notes = stage_.solids.notes;
    notes.insert(notes.end(), simulation_.notes().begin(), simulation_.notes().end());
    notes.insert(notes.end(), done_.notes.begin(), done_.notes.end());
    report.notes.insert(report.notes.begin(), notes.begin(), notes.end());
    const double shown = showing.milliseconds();
    result.report.milliseconds = {
        {"steps", milliseconds_}, {"shapes", shown}, {"total", milliseconds_ + shown}};
    result.solved.milliseconds = result.report.milliseconds;
    return result;
}

// Pictures know the pressure; what the solids really did to each other has drag and friction, too.
void ImplicitMethod::add_forces(FrameReport& report) const {
    const std::vector<SceneObject>& objects = stage_.scene.scene.objects;
    for (const ContactForce& contact : simulation_.forces()) {
        const std::string &first = objects[stage_.solids.object_of[contact.first]].name,
                          &second = objects[stage_.solids.object_of[contact.second]].name;
        for (ContactReport& entry : report.contacts)
            if (entry.between == std::array{first, second})
                entry.force = contact.force;
            else if (entry.between == std::array{second, first})
                entry.force = -contact.force;
    }
}

void ImplicitMethod::save(std::ostream& out) const {
    out.write(reinterpret_cast<const char*>(&at_), sizeof at_);
    simulation_.save(out);
}

void ImplicitMethod::load(std::istream& in) {
    in.read(reinterpret_cast<char*>(&at_), sizeof at_);
    if (!in || !(std::abs(at_) < 1e9)) throw InputError("a state of solids: found no frame");
    simulation_.load(in);
    simulation_.hold(held_targets(stage_.scene, stage_.solids, at_));
}

} // namespace

std::unique_ptr<TimeMethod> make_implicit(const LoadedScene& scene) {
    return std::make_unique<ImplicitMethod>(scene);
}

} // namespace knead
