#pragma once

#include "knead/dynamics/body.hpp"

#include <array>
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace knead {

/// How contacts between bodies are solved for.
enum class ContactSolver {
    /// Condensed where contacts touch few nodes, else iterative.
    automatic,
    /// Each body as a whole, exactly, between the nodes that contacts touch.
    condensed_anticipation,
    /// [OTSG09] sec. 5.2 to 5.5: node by node, again and again; takes any number of contacts.
    iterative_anticipation,
    /// [OTSG09] sec. 5.1: the reference; time and memory grow with the square of the contacts.
    full_anticipation,
};

struct SimulationSettings {
    /// Contacts are kept this far apart, and never end a step closer than half of it. Nothing: a
    /// tenth of the mean edge of the finest surface, or less where bodies start closer than that.
    std::optional<double> tolerance = {};
    /// Pairs of bodies that ignore each other.
    std::vector<std::array<int, 2>> exclude = {};
    ContactSolver solver = ContactSolver::automatic;
    int max_rounds = 5;   ///< of constraint manifold refinement, before a step is halved
    int max_halvings = 3; ///< before the last resort
    /// Bodies that start crossing or too close are moved apart first, each as a whole, instead of
    /// being refused.
    bool separate_start = false;
};

/// What the scene does to the bodies during a step.
struct StepInput {
    double seconds = settings::step.otherwise;
    Vec3 gravity = default_gravity();
    Vec3 wind = Vec3::Zero(); ///< velocity of the air; it drags at the faces of cloth
    double air_density = settings::air_density.otherwise; ///< kg / m^3; 0: no air at all
    /// One list a body: where kinematic bodies, pins and targets are at the end of the step. Empty
    /// for bodies that have none of these, or do not move.
    std::vector<std::vector<Vec3>> targets = {};
};

/// In joules.
struct Energies {
    double kinetic = 0, elastic = 0, potential = 0;
    double total() const { return kinetic + elastic + potential; }
};

struct StepReport {
    std::vector<int> refinement_rounds = {}; ///< one a step that was taken, after halvings
    int halvings = 0;
    int last_resorts = 0;      ///< steps in which some nodes had to be held back
    int contacts_active = 0;   ///< with a force, at the end
    int contacts = 0;          ///< constraints of the last step
    int solver_iterations = 0; ///< passes over the contacts, over all rounds
    Energies energy = {};      ///< at the end
    double work = 0; ///< done on the bodies by pins, kinematic bodies, targets and wind; J
    /// Compromises: kinematic bodies that left no room and were held back, by name and distance.
    std::vector<std::string> notes = {};
    std::vector<std::pair<std::string, double>> milliseconds = {}; ///< by stage
};

/// Cloth, soft volumes and rigid bodies that never end a step in penetration [OTSG09].
///
/// The state is what `save` writes: with the same definitions, settings and steps, a simulation
/// that was loaded goes on exactly like the one that was saved, bit for bit and with any number of
/// threads.
///
/// One call at a time, readings included: a second `step` while one goes on is refused with an
/// InputError. Different simulations can be stepped at the same time.
class Simulation {
public:
    /// Throws InputError, naming the body, for what cannot be simulated, and GeometryError, naming
    /// pairs, for bodies that start in each other unless `separate_start` says otherwise.
    Simulation(std::vector<BodyDefinition> bodies, const SimulationSettings& settings = {});
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    /// Goes on by `input.seconds`. Throws SolveError when it cannot, and Cancelled on a request to
    /// stop; then the state is as before.
    StepReport step(const StepInput& input, const std::stop_token& stop = {});

    int body_count() const;
    /// Of the body's surface.
    std::span<const Vec3> positions(int body) const;
    std::span<const Vec3> velocities(int body) const;
    /// The lattice of a volume, or nothing.
    const TetMesh* elements(int body) const;
    std::span<const Vec3> element_positions(int body) const;

    double tolerance() const;
    double time() const; ///< seconds since the start
    // What a program can watch besides the energy of the step's report.
    Vec3 linear_momentum() const;
    Vec3 angular_momentum() const; ///< about the origin
    /// Smallest distance of any pair of primitives that may not touch; infinite without any within
    /// twice the tolerance.
    double smallest_distance() const;
    /// The judge: pairs of faces of bodies that may touch, or of one body, that cross.
    int crossings() const;
    Energies energy(const Vec3& gravity = default_gravity()) const;

    void save(std::ostream& out) const;
    /// Throws InputError for what is not a state of these bodies.
    void load(std::istream& in);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The same for one stretch of time: the surfaces of the bodies after `seconds`, which go by in
/// equal steps that are no longer than `input` says. What has targets goes there in the first of
/// them.
std::vector<std::vector<Vec3>> simulate(std::vector<BodyDefinition> bodies, double seconds,
                                        const StepInput& input = {},
                                        const SimulationSettings& settings = {});

} // namespace knead
