#include "knead/implicit/solid_simulation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/one_at_a_time.hpp"
#include "knead/base/progress.hpp"
#include "knead/dynamics/equal_steps.hpp"
#include "knead/implicit/contact_response.hpp"
#include "knead/implicit/solid_insides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>

namespace knead {
namespace {

const SolidContact* find_pair(std::span<const SolidContact> contacts, int first, int second) {
    for (const SolidContact& contact : contacts)
        if (contact.first == first && contact.second == second) return &contact;
    return nullptr;
}

bool is_moved_by(std::span<const Solid> solids, const SolidContact& contact) {
    return solids[contact.first].moves() || solids[contact.second].moves();
}

// Whether a step pressed away too much at once, or more than there may be; what was too much before
// does not get better by shorter steps. Solids that are held do as they are told.
bool presses_too_much(std::span<const Solid> solids, std::span<const SolidContact> before,
                      std::span<const SolidContact> after, const SolidSettings& settings) {
    for (const SolidContact& contact : after) {
        if (!is_moved_by(solids, contact)) continue;
        const SolidContact* earlier = find_pair(before, contact.first, contact.second);
        for (int side = 0; side < 2; ++side) {
            const double was = earlier == nullptr ? 0 : earlier->crushed[side];
            const double is = contact.crushed[side];
            if (is - was > settings.most_crushing_a_step ||
                (is > settings.most_crushing && was <= settings.most_crushing))
                return true;
        }
    }
    return false;
}

// Solids that went past each other, or may have: those that moved by more than half a radius
// against each other, along a way on which they could meet.
bool may_have_passed(std::span<const Solid> solids, std::span<const Box> boxes_before,
                     std::span<const Pose> poses_before, const PassingPairs& passing) {
    std::vector<Box> swept;
    for (std::size_t i = 0; i < solids.size(); ++i) {
        swept.push_back(placed_box(solids[i].samples.box, solids[i].pose));
        swept.back().include(boxes_before[i]);
    }
    for (int a = 0; a < static_cast<int>(solids.size()); ++a)
        for (int b = a + 1; b < static_cast<int>(solids.size()); ++b) {
            if (!solids[a].moves() && !solids[b].moves()) continue;
            const Vec3 moved =
                solids[a].pose.at - poses_before[a].at - (solids[b].pose.at - poses_before[b].at);
            const double radius =
                std::min(solids[a].field.smallest_radius(), solids[b].field.smallest_radius());
            if (moved.norm() > 0.5 * radius && swept[a].overlaps(swept[b]) &&
                !is_passing(passing, a, b))
                return true;
        }
    return false;
}

// How much more is pressed away, told by those samples alone that were deepest before: where that
// is too much already, nothing else has to be looked at.
double growth_at_deepest(std::span<const Solid> solids, std::span<const SolidContact> before) {
    double most = 0;
    for (const SolidContact& contact : before)
        for (int side = 0; side < 2; ++side) {
            const int sample = contact.sides[side].deepest;
            if (sample < 0 || !is_moved_by(solids, contact)) continue;
            const SampledSolid self = solids[side == 0 ? contact.first : contact.second].sampled(),
                               other = solids[side == 0 ? contact.second : contact.first].sampled();
            const Vec3 position = self.placed.pose.to_world(self.samples->positions[sample]);
            if (!(other.placed.value(position) > 1)) continue;
            const ContactPoint point =
                contact_point(self, other, sample, position,
                              self.placed.pose.turn * self.samples->normals[sample]);
            // Of a rigid solid's sample, it is the other that is pressed.
            const Field& pressed = self.rigid ? *other.placed.field : *self.placed.field;
            most = std::max(most, point.pressure / (pressed.peak() - 1) -
                                      contact.crushed[self.rigid ? 1 - side : side]);
        }
    return most;
}

std::vector<FieldPiece> between(const std::vector<FieldPiece>& from,
                                const std::vector<FieldPiece>& to, double t) {
    std::vector<FieldPiece> result = to;
    const auto blend = [&](double a, double b) { return (1 - t) * a + t * b; };
    for (std::size_t i = 0; i < result.size(); ++i) {
        for (std::size_t p = 0; p < result[i].points.size(); ++p)
            result[i].points[p] = (1 - t) * from[i].points[p] + t * to[i].points[p];
        const FieldFunction before = completed(from[i].function),
                            behind = completed(to[i].function);
        FieldFunction& function = result[i].function;
        function.radius = blend(before.radius, behind.radius);
        function.influence = blend(*before.influence, *behind.influence);
        // Between two that are allowed, the stiffness may be a little too large.
        function.stiffness = std::min(blend(*before.stiffness, *behind.stiffness),
                                      3 / (*function.influence - function.radius));
    }
    return result;
}

// Where a solid is and how it moves: what a step changes.
struct Place {
    Pose pose;
    RigidState state;
    Vec3 velocity, angular_velocity;
    std::optional<Field> field; ///< of a held one; its samples follow when it moves the next time
};

std::vector<Place> places_of(std::span<const Solid> solids) {
    std::vector<Place> places;
    for (const Solid& solid : solids)
        places.push_back({solid.pose, solid.state, solid.velocity, solid.angular_velocity,
                          solid.moves() ? std::nullopt : std::optional(solid.field)});
    return places;
}

void put_back(const Place& place, Solid& solid) {
    solid.pose = place.pose;
    solid.state = place.state;
    solid.velocity = place.velocity;
    solid.angular_velocity = place.angular_velocity;
    if (place.field) solid.field = *place.field;
}

template <typename T>
void put(std::ostream& out, const T& value) {
    out.write(reinterpret_cast<const char*>(value.data()),
              static_cast<std::streamsize>(value.size() * sizeof(double)));
}

template <typename T>
void get(std::istream& in, T& value) {
    in.read(reinterpret_cast<char*>(value.data()),
            static_cast<std::streamsize>(value.size() * sizeof(double)));
    if (!in || !value.allFinite() || !(value.cwiseAbs().maxCoeff() <= most_in_a_state))
        throw InputError("a state of solids: found no numbers up to 1e100");
}

} // namespace

struct SolidSimulation::State {
    OneAtATime use;
    SolidSettings settings;
    std::vector<Solid> solids;
    std::vector<SolidContact> contacts;
    std::vector<ContactForce> forces;
    std::vector<std::string> notes;

    SolidStepReport take_step(const SolidStep& step, const std::stop_token& stop);
    int advance(double seconds, const Vec3& gravity);
};

SolidSimulation::SolidSimulation(std::span<const SolidDefinition> definitions,
                                 const SolidSettings& settings)
    : state_(std::make_unique<State>()) {
    State& state = *state_;
    state.settings = settings;
    state.solids = make_solids(definitions);
    for (const int i : by_name(state.solids))
        for (std::string& note : notes_about(state.solids[i]))
            state.notes.push_back(std::move(note));
    state.contacts = find_contacts(state.solids, state.settings.passing);
    for (const SolidContact& contact : state.contacts) {
        const Solid &a = state.solids[contact.first], &b = state.solids[contact.second];
        state.forces.push_back({contact.first, contact.second, contact.force, contact.area});
        if (!a.moves() && !b.moves()) continue;
        const double crushed = std::max(contact.crushed[0], contact.crushed[1]);
        const std::string pair =
            fmt::format("{} and {} start in each other", a.definition.name, b.definition.name);
        if (crushed > state.settings.most_crushing)
            throw InputError(fmt::format(
                "{}, with {:.0f} % of their thickness pressed away, expected at most {:.0f} %",
                pair, 100 * crushed, 100 * state.settings.most_crushing));
        state.notes.push_back(
            fmt::format("{}: {:.1f} % of their thickness is pressed away, and pushes them apart",
                        pair, 100 * crushed));
    }
}

SolidSimulation::~SolidSimulation() = default;
SolidSimulation::SolidSimulation(SolidSimulation&&) noexcept = default;
SolidSimulation& SolidSimulation::operator=(SolidSimulation&&) noexcept = default;

std::vector<SolidShape> SolidSimulation::shapes() const {
    return deformed_shapes(state_->solids, state_->contacts);
}
const Pose& SolidSimulation::pose(int solid) const {
    return state_->solids[solid].pose;
}
const std::vector<ContactForce>& SolidSimulation::forces() const {
    return state_->forces;
}
const std::vector<std::string>& SolidSimulation::notes() const {
    return state_->notes;
}
const std::vector<Solid>& SolidInsides::solids(const SolidSimulation& simulation) {
    return simulation.state_->solids;
}
const std::vector<SolidContact>& SolidInsides::contacts(const SolidSimulation& simulation) {
    return simulation.state_->contacts;
}
SolidFrame SolidInsides::frame(const SolidSimulation& simulation) {
    return frame_of(solids(simulation), contacts(simulation));
}

int SolidSimulation::State::advance(double seconds, const Vec3& gravity) {
    SolidResponse response = respond(solids, contacts, gravity, seconds);
    for (std::size_t i = 0; i < solids.size(); ++i) {
        Solid& solid = solids[i];
        if (!solid.moves()) continue;
        RigidState& state = solid.state;
        state.velocity = response.velocities[i];
        state.angular_momentum = response.angular_momenta[i];
        const Vec3 turning = midpoint_angular_velocity(solid.mass.inertia, state, seconds);
        state.position += seconds * state.velocity;
        state.orientation = rotated(state.orientation, turning, seconds);
        solid.pose = pose_of(solid);
        if (!state.position.allFinite() || !state.velocity.allFinite())
            throw SolveError(fmt::format("{} was lost: its place is not a finite number any more",
                                         solid.definition.name));
    }
    forces = std::move(response.forces);
    return response.rounds;
}

SolidStepReport SolidSimulation::step(const SolidStep& step, const std::stop_token& stop) {
    const OneAtATime::Use use = state_->use.begin("step");
    // What cannot be done is not half done.
    const std::vector<Place> places = places_of(state_->solids);
    const std::vector<SolidContact> contacts = state_->contacts;
    const std::vector<ContactForce> forces = state_->forces;
    try {
        return state_->take_step(step, stop);
    } catch (...) {
        for (std::size_t i = 0; i < state_->solids.size(); ++i) {
            put_back(places[i], state_->solids[i]);
            if (!state_->solids[i].moves() && !step.targets.empty() && step.targets[i].pieces)
                move_held(state_->solids[i], places[i].pose, places[i].field->pieces(), 0);
        }
        state_->contacts = contacts;
        state_->forces = forces;
        throw;
    }
}

SolidStepReport SolidSimulation::State::take_step(const SolidStep& step,
                                                  const std::stop_token& stop) {
    SolidStepReport report;
    // Where held solids come from.
    struct Start {
        Pose pose;
        std::vector<FieldPiece> pieces;
    };
    std::vector<Start> starts;
    for (const Solid& solid : solids) starts.push_back({solid.pose, solid.field.pieces()});
    const auto put_held = [&](double t, double seconds) {
        for (std::size_t i = 0; i < solids.size(); ++i) {
            if (solids[i].moves()) continue;
            if (step.targets.empty()) {
                move_held(solids[i], solids[i].pose, std::nullopt, seconds);
                continue;
            }
            const HeldTarget& target = step.targets[i];
            std::optional<std::vector<FieldPiece>> pieces;
            if (target.pieces) pieces = between(starts[i].pieces, *target.pieces, t);
            move_held(solids[i], blended(starts[i].pose, target.pose, t), pieces, seconds);
        }
    };

    double done = 0, length = 1; // parts of the step
    const double shortest = std::ldexp(1.0, -settings.most_halvings);
    while (done < 1) {
        check_stop(stop);
        length = std::min(length, 1 - done);
        const std::vector<Place> before = places_of(solids);
        const std::vector<ContactForce> forces_before = forces;
        std::vector<Box> boxes;
        std::vector<Pose> poses;
        for (const Solid& solid : solids) {
            boxes.push_back(placed_box(solid.samples.box, solid.pose));
            poses.push_back(solid.pose);
        }
        // Held solids go first: contacts of the step see how fast they are.
        put_held(done + length, length * step.seconds);
        const int rounds = advance(length * step.seconds, step.gravity);
        bool too_far = growth_at_deepest(solids, contacts) > settings.most_crushing_a_step ||
                       may_have_passed(solids, boxes, poses, settings.passing);
        std::vector<SolidContact> found;
        if (!too_far || length <= shortest) {
            found = find_contacts(solids, settings.passing, contacts);
            too_far = presses_too_much(solids, contacts, found, settings);
        }
        if (too_far && length > shortest) {
            for (std::size_t i = 0; i < solids.size(); ++i) put_back(before[i], solids[i]);
            forces = forces_before;
            length *= 0.5;
            ++report.halvings;
            continue;
        }
        for (const SolidContact& contact : found)
            for (int side = 0; side < 2; ++side)
                if (contact.crushed[side] > settings.most_crushing && is_moved_by(solids, contact))
                    report.notes.push_back(fmt::format(
                        "{} is pressed to its skeleton by {}: it is too heavy, too fast or too "
                        "soft",
                        solids[side == 0 ? contact.first : contact.second].definition.name,
                        solids[side == 0 ? contact.second : contact.first].definition.name));
        contacts = std::move(found);
        ++report.steps;
        report.rounds.push_back(rounds);
        done += length;
        length *= 2;
    }
    std::sort(report.notes.begin(), report.notes.end());
    report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
    return report;
}

void SolidSimulation::set_contact(int solid, double drag, double friction,
                                  const Propagation& propagation) {
    SolidDefinition& definition = state_->solids[solid].definition;
    definition.drag = drag;
    definition.friction = friction;
    definition.propagation = completed(propagation, definition.pieces);
}

SolidEnergies SolidSimulation::energy(const Vec3& gravity) const {
    SolidEnergies energies;
    for (const int i : by_name(state_->solids)) {
        const Solid& solid = state_->solids[i];
        if (!solid.moves()) continue;
        energies.kinetic += kinetic_energy(solid.mass.mass, solid.mass.inertia, solid.state);
        energies.potential -= solid.mass.mass * gravity.dot(solid.state.position);
    }
    for (const SolidContact& contact : state_->contacts)
        energies.elastic += contact_energy(state_->solids[contact.first].sampled(),
                                           state_->solids[contact.second].sampled(), contact);
    return energies;
}

void SolidSimulation::save(std::ostream& out) const {
    for (const int i : by_name(state_->solids)) {
        const RigidState& state = state_->solids[i].state;
        if (!state_->solids[i].moves()) continue;
        put(out, state.position);
        put(out, state.orientation.coeffs());
        put(out, state.velocity);
        put(out, state.angular_momentum);
    }
}

void SolidSimulation::load(std::istream& in) {
    for (const int i : by_name(state_->solids)) {
        Solid& solid = state_->solids[i];
        if (!solid.moves()) continue;
        get(in, solid.state.position);
        get(in, solid.state.orientation.coeffs());
        if (!(std::abs(solid.state.orientation.norm() - 1) < 1e-6))
            throw InputError("a state of solids: found a turn that is no unit quaternion");
        get(in, solid.state.velocity);
        get(in, solid.state.angular_momentum);
        solid.pose = pose_of(solid);
    }
}

void SolidSimulation::hold(std::span<const HeldTarget> targets) {
    for (std::size_t i = 0; i < state_->solids.size(); ++i)
        if (!state_->solids[i].moves())
            move_held(state_->solids[i], targets[i].pose, targets[i].pieces, 0);
    state_->contacts = find_contacts(state_->solids, state_->settings.passing);
    state_->forces.clear();
    for (const SolidContact& contact : state_->contacts)
        state_->forces.push_back({contact.first, contact.second, contact.force, contact.area});
}

std::vector<SolidShape> simulate_solids(std::span<const SolidDefinition> definitions,
                                        double seconds, const SolidStep& step,
                                        const SolidSettings& settings) {
    const int count = equal_steps(seconds, step.seconds);
    SolidSimulation simulation(definitions, settings);
    SolidStep one = step;
    one.seconds = count > 0 ? seconds / count : 0;
    for (int i = 0; i < count; ++i) simulation.step(one);
    return simulation.shapes();
}

} // namespace knead
