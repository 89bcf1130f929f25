#include "knead/implicit/solid_simulation.hpp"

#include "knead/base/error.hpp"
#include "knead/implicit/contact_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>
#include <set>

namespace knead {
namespace {

struct Crush {
    double part = 0; ///< of a solid's thickness that is pressed away
    int solid = -1, other = -1;
};

Crush worst_of(std::span<const SolidContact> contacts) {
    Crush worst;
    for (const SolidContact& contact : contacts)
        for (int side = 0; side < 2; ++side)
            if (contact.crushed[side] > worst.part)
                worst = {contact.crushed[side], side == 0 ? contact.first : contact.second,
                         side == 0 ? contact.second : contact.first};
    return worst;
}

const SolidContact* find_pair(std::span<const SolidContact> contacts, int first, int second) {
    for (const SolidContact& contact : contacts)
        if (contact.first == first && contact.second == second) return &contact;
    return nullptr;
}

// How much more is pressed away than before, in the contact where that is most.
double growth(std::span<const SolidContact> before, std::span<const SolidContact> after) {
    double most = 0;
    for (const SolidContact& contact : after) {
        const SolidContact* earlier = find_pair(before, contact.first, contact.second);
        for (int side = 0; side < 2; ++side)
            most = std::max(most, contact.crushed[side] -
                                      (earlier == nullptr ? 0 : earlier->crushed[side]));
    }
    return most;
}

// The same, told by those samples alone that were deepest before: where that is too much already,
// nothing else has to be looked at.
double growth_at_deepest(std::span<const Solid> solids, std::span<const SolidContact> before) {
    double most = 0;
    for (const SolidContact& contact : before)
        for (int side = 0; side < 2; ++side) {
            const int sample = contact.sides[side].deepest;
            if (sample < 0) continue;
            const SampledSolid self = solids[side == 0 ? contact.first : contact.second].sampled(),
                               other = solids[side == 0 ? contact.second : contact.first].sampled();
            const Vec3 position = self.placed.pose.to_world(self.samples->positions[sample]);
            if (!(other.placed.value(position) > 1)) continue;
            const ContactPoint point =
                contact_point(self, other, sample, position,
                              self.placed.pose.turn * self.samples->normals[sample]);
            most = std::max(most, point.pressure / (self.placed.field->peak() - 1) -
                                      contact.crushed[side]);
        }
    return most;
}

Pose between(const Pose& from, const Pose& to, double t) {
    if (t == 1) return to;
    const Quat turn = Quat(from.turn).slerp(t, Quat(to.turn)).normalized();
    return {turn.toRotationMatrix(), (1 - t) * from.at + t * to.at};
}

std::vector<FieldPiece> between(const std::vector<FieldPiece>& from,
                                const std::vector<FieldPiece>& to, double t) {
    std::vector<FieldPiece> result = to;
    for (std::size_t i = 0; i < result.size(); ++i)
        for (std::size_t p = 0; p < result[i].points.size(); ++p)
            result[i].points[p] = (1 - t) * from[i].points[p] + t * to[i].points[p];
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
    if (!in || !value.allFinite()) throw InputError("a state of solids: found no finite numbers");
}

} // namespace

SolidSimulation::SolidSimulation(std::span<const SolidDefinition> definitions,
                                 const SolidSettings& settings)
    : settings_(settings) {
    std::set<std::string> names;
    for (const SolidDefinition& definition : definitions) {
        if (!names.insert(definition.name).second)
            throw InputError(fmt::format("the name {} is there twice, expected names that differ",
                                         definition.name));
        solids_.push_back(make_solid(definition));
    }
    for (const int i : by_name(solids_))
        for (std::string& note : notes_about(solids_[i])) notes_.push_back(std::move(note));
    contacts_ = find_contacts(solids_, settings_.passing);
    for (const SolidContact& contact : contacts_) {
        const Solid &a = solids_[contact.first], &b = solids_[contact.second];
        forces_.push_back({contact.first, contact.second, contact.force, contact.area});
        if (!a.moves() && !b.moves()) continue;
        const double crushed = std::max(contact.crushed[0], contact.crushed[1]);
        const std::string pair =
            fmt::format("{} and {} start in each other", a.definition.name, b.definition.name);
        if (crushed > settings_.most_crushing)
            throw InputError(fmt::format(
                "{}, with {:.0f} % of their thickness pressed away, expected at most {:.0f} %",
                pair, 100 * crushed, 100 * settings_.most_crushing));
        notes_.push_back(
            fmt::format("{}: {:.1f} % of their thickness is pressed away, and pushes them apart",
                        pair, 100 * crushed));
    }
}

int SolidSimulation::advance(double seconds, const Vec3& gravity) {
    SolidResponse response = respond(solids_, contacts_, gravity, seconds);
    for (std::size_t i = 0; i < solids_.size(); ++i) {
        Solid& solid = solids_[i];
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
    forces_ = std::move(response.forces);
    return response.rounds;
}

SolidStepReport SolidSimulation::step(const SolidStep& step) {
    SolidStepReport report;
    // Where held solids come from.
    struct Start {
        Pose pose;
        std::vector<FieldPiece> pieces;
    };
    std::vector<Start> starts;
    for (const Solid& solid : solids_) starts.push_back({solid.pose, solid.field.pieces()});
    const auto put_held = [&](double t, double seconds) {
        for (std::size_t i = 0; i < solids_.size(); ++i) {
            if (solids_[i].moves()) continue;
            if (step.targets.empty()) {
                move_held(solids_[i], solids_[i].pose, std::nullopt, seconds);
                continue;
            }
            const HeldTarget& target = step.targets[i];
            std::optional<std::vector<FieldPiece>> pieces;
            if (target.pieces) pieces = between(starts[i].pieces, *target.pieces, t);
            move_held(solids_[i], between(starts[i].pose, target.pose, t), pieces, seconds);
        }
    };

    double done = 0, length = 1; // parts of the step
    const double shortest = std::ldexp(1.0, -settings_.most_halvings);
    while (done < 1) {
        length = std::min(length, 1 - done);
        const std::vector<Place> before = places_of(solids_);
        const std::vector<ContactForce> forces_before = forces_;
        // Held solids go first: contacts of the step see how fast they are.
        put_held(done + length, length * step.seconds);
        const int rounds = advance(length * step.seconds, step.gravity);
        bool too_far = growth_at_deepest(solids_, contacts_) > settings_.most_crushing_a_step;
        std::vector<SolidContact> contacts;
        Crush worst;
        if (!too_far || length <= shortest) {
            contacts = find_contacts(solids_, settings_.passing, contacts_);
            worst = worst_of(contacts);
            too_far = growth(contacts_, contacts) > settings_.most_crushing_a_step ||
                      worst.part > settings_.most_crushing;
        }
        if (too_far && length > shortest) {
            for (std::size_t i = 0; i < solids_.size(); ++i) put_back(before[i], solids_[i]);
            forces_ = forces_before;
            length *= 0.5;
            ++report.halvings;
            continue;
        }
        if (worst.part > settings_.most_crushing)
            report.notes.push_back(fmt::format(
                "{} is pressed to its skeleton by {}: it is too heavy, too fast or too soft",
                solids_[worst.solid].definition.name, solids_[worst.other].definition.name));
        contacts_ = std::move(contacts);
        ++report.steps;
        report.rounds.push_back(rounds);
        done += length;
        length *= 2;
        if (1 - done < 0.5 * shortest) break;
    }
    std::sort(report.notes.begin(), report.notes.end());
    report.notes.erase(std::unique(report.notes.begin(), report.notes.end()), report.notes.end());
    return report;
}

SolidEnergies SolidSimulation::energy(const Vec3& gravity) const {
    SolidEnergies energies;
    for (const int i : by_name(solids_)) {
        const Solid& solid = solids_[i];
        if (!solid.moves()) continue;
        energies.kinetic += kinetic_energy(solid.mass.mass, solid.mass.inertia, solid.state);
        energies.potential -= solid.mass.mass * gravity.dot(solid.state.position);
    }
    for (const SolidContact& contact : contacts_)
        energies.elastic += contact_energy(solids_[contact.first].sampled(),
                                           solids_[contact.second].sampled(), contact);
    return energies;
}

void SolidSimulation::save(std::ostream& out) const {
    for (const int i : by_name(solids_)) {
        const RigidState& state = solids_[i].state;
        if (!solids_[i].moves()) continue;
        put(out, state.position);
        put(out, state.orientation.coeffs());
        put(out, state.velocity);
        put(out, state.angular_momentum);
    }
}

void SolidSimulation::load(std::istream& in) {
    for (const int i : by_name(solids_)) {
        Solid& solid = solids_[i];
        if (!solid.moves()) continue;
        get(in, solid.state.position);
        get(in, solid.state.orientation.coeffs());
        get(in, solid.state.velocity);
        get(in, solid.state.angular_momentum);
        solid.pose = pose_of(solid);
    }
}

void SolidSimulation::hold(std::span<const HeldTarget> targets) {
    for (std::size_t i = 0; i < solids_.size(); ++i)
        if (!solids_[i].moves()) move_held(solids_[i], targets[i].pose, targets[i].pieces, 0);
    contacts_ = find_contacts(solids_, settings_.passing);
    forces_.clear();
    for (const SolidContact& contact : contacts_)
        forces_.push_back({contact.first, contact.second, contact.force, contact.area});
}

} // namespace knead
