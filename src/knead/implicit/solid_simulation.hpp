#pragma once

#include "knead/dynamics/body_settings.hpp"
#include "knead/implicit/solid_definition.hpp"
#include "knead/implicit/solid_shape.hpp"

#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace knead {

struct SolidSettings {
    /// A step is done again at half its length when it presses away more than this part of a
    /// solid's thickness,
    double most_crushing_a_step = 0.05;
    /// or when more than this part of it is pressed away in all.
    double most_crushing = 0.9;
    int most_halvings = 10;
    PassingPairs passing = {};
};

/// Where a held solid is at the end of a step.
struct HeldTarget {
    Pose pose = {};
    /// Its skeletons, when they move against each other: as many points as before.
    std::optional<std::vector<FieldPiece>> pieces = {};
};

struct SolidStep {
    double seconds = settings::step.otherwise;
    Vec3 gravity = default_gravity();
    /// One a solid, looked at for those that are held; or none when those stand still.
    std::vector<HeldTarget> targets = {};
};

struct SolidStepReport {
    int steps = 0;                ///< that were taken
    int halvings = 0;             ///< how often one was too long
    std::vector<int> rounds = {}; ///< that friction took, one a step
    std::vector<std::string> notes = {};
};

/// The whole force of a contact in the last step: pressure, damping and friction.
struct ContactForce {
    int first = -1, second = -1;
    Vec3 force = Vec3::Zero(); ///< on the first; the second gets the opposite
    double area = 0;
};

struct SolidEnergies {
    double kinetic = 0, elastic = 0, potential = 0;

    double sum() const { return kinetic + elastic + potential; }
};

/// Solids that move, press and come to rest [Gas93] sec. 2.3.
///
/// Rigid components obey the equations of rigid bodies. What they do to each other follows from the
/// contact surfaces, pressure as well as drag, and is linear in the velocities for the length of a
/// step: those at its end are solved for, so that stiff solids and heavy damping need no short
/// steps. Everything goes by the names of the solids: their order changes no bit.
///
/// One call at a time, readings included: a second `step` while one goes on is refused with an
/// InputError. Different simulations can be stepped at the same time.
class SolidSimulation {
public:
    /// Throws what `make_solid` throws, and InputError for a name that is there twice or for solids
    /// that start deeper in each other than they may get.
    explicit SolidSimulation(std::span<const SolidDefinition> definitions,
                             const SolidSettings& settings = {});

    ~SolidSimulation();
    SolidSimulation(SolidSimulation&&) noexcept;
    SolidSimulation& operator=(SolidSimulation&&) noexcept;

    /// What the solids look like at the end of the last step, pressed by each other.
    std::vector<SolidShape> shapes() const;
    /// Where it is, from its own coordinates.
    const Pose& pose(int solid) const;
    /// At the end of the last step.
    const std::vector<ContactForce>& forces() const;
    /// About the definitions: solids in several parts, vertices far from their surface, and solids
    /// that start in each other.
    const std::vector<std::string>& notes() const;

    /// When it throws, Cancelled on a request to stop, everything is as before.
    SolidStepReport step(const SolidStep& step, const std::stop_token& stop = {});
    /// What a solid's contacts are like from now on.
    void set_contact(int solid, double drag, double friction, const Propagation& propagation);
    SolidEnergies energy(const Vec3& gravity) const;

    /// Of what moves; held solids are where they were told to be.
    void save(std::ostream& out) const;
    /// Throws InputError for what is not a state of these solids. Held solids are to be put where
    /// they are at that time by `hold`.
    void load(std::istream& in);
    void hold(std::span<const HeldTarget> targets);

private:
    friend struct SolidInsides;
    struct State;
    std::unique_ptr<State> state_;
};

/// The same for one stretch of time: what the solids look like after `seconds`, which go by in
/// equal steps that are no longer than `step` says. Held solids go to its targets in the first.
std::vector<SolidShape> simulate_solids(std::span<const SolidDefinition> definitions,
                                        double seconds, const SolidStep& step = {},
                                        const SolidSettings& settings = {});

} // namespace knead
