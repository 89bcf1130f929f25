#include "knead/dynamics/simulation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/one_at_a_time.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/dynamics/equal_steps.hpp"
#include "knead/dynamics/start.hpp"
#include "knead/dynamics/state_file.hpp"
#include "knead/dynamics/step.hpp"
#include "knead/spatial/collision_judge.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace knead {

struct Simulation::State {
    OneAtATime use;
    World world;
    WorldState state;
    StepWorkspace workspace;
    std::vector<Vec3> surface_velocities;
};

Simulation::Simulation(std::vector<BodyDefinition> bodies, const SimulationSettings& settings)
    : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.world = make_world(std::move(bodies), settings, s.state, s.workspace.system.matrix);
    check_start(s.world, s.state);
    prepare(s.world, s.workspace.system);
    s.surface_velocities.assign(s.state.surface.size(), Vec3::Zero());
    knead::surface_velocities(s.world, s.state, s.state.velocities, s.surface_velocities);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

StepReport Simulation::step(const StepInput& input, const std::stop_token& stop) {
    State& s = *state_;
    const OneAtATime::Use use = s.use.begin("step");
    if (!settings::step.bounds.contain(input.seconds))
        throw InputError(fmt::format("step: found {} seconds, expected a finite positive number",
                                     input.seconds));
    if (input.targets.size() > s.world.bodies.size())
        throw InputError(fmt::format("step: found targets for {} bodies, expected at most {}",
                                     input.targets.size(), s.world.bodies.size()));
    for (std::size_t b = 0; b < input.targets.size(); ++b) {
        const std::size_t count = input.targets[b].size();
        if (count == 0) continue;
        if (count != static_cast<std::size_t>(s.world.bodies[b].vertices))
            throw InputError(
                fmt::format("step: found {} targets for body {}, expected one a vertex", count, b));
        for (const Vec3& target : input.targets[b])
            if (!target.allFinite())
                throw InputError(fmt::format("step: body {} has a target that is not finite", b));
    }
    StepReport report;
    const Stopwatch watch;
    const std::vector<Vec3> before = s.state.surface;
    const WorldState saved = s.state;
    try {
        take_step(s.world, input, stop, s.state, s.workspace, report);
    } catch (...) {
        s.state = saved;
        throw;
    }
    for (std::size_t v = 0; v < before.size(); ++v)
        s.surface_velocities[v] = (s.state.surface[v] - before[v]) / input.seconds;
    report.energy = energy_of(s.world, s.state, input.gravity);
    report.milliseconds.emplace_back("total", watch.milliseconds());
    return report;
}

int Simulation::body_count() const {
    return static_cast<int>(state_->world.bodies.size());
}

std::span<const Vec3> Simulation::positions(int body) const {
    const WorldBody& b = state_->world.bodies[body];
    return std::span(state_->state.surface).subspan(b.first_vertex, b.vertices);
}

std::span<const Vec3> Simulation::velocities(int body) const {
    const WorldBody& b = state_->world.bodies[body];
    return std::span(state_->surface_velocities).subspan(b.first_vertex, b.vertices);
}

const TetMesh* Simulation::elements(int body) const {
    const auto& elements = state_->world.bodies[body].elements;
    return elements ? &*elements : nullptr;
}

std::span<const Vec3> Simulation::element_positions(int body) const {
    const WorldBody& b = state_->world.bodies[body];
    if (!b.elements) return {};
    return std::span(state_->state.positions).subspan(b.first_block, b.blocks);
}

double Simulation::tolerance() const {
    return state_->world.tolerance;
}

double Simulation::time() const {
    return state_->state.time;
}

Vec3 Simulation::linear_momentum() const {
    Vec3 momentum = Vec3::Zero();
    for (int i = 0; i < state_->world.blocks(); ++i)
        momentum += state_->world.block_mass[i] * state_->state.velocities[i];
    return momentum;
}

Vec3 Simulation::angular_momentum() const {
    const WorldState& state = state_->state;
    Vec3 momentum = Vec3::Zero();
    for (int i = 0; i < state_->world.blocks(); ++i)
        momentum += state_->world.block_mass[i] * state.positions[i].cross(state.velocities[i]);
    for (const Vec3& own : state.angular_momentum) momentum += own;
    return momentum;
}

double Simulation::smallest_distance() const {
    return knead::smallest_distance(state_->world.surface, state_->state.surface,
                                    2 * state_->world.tolerance);
}

int Simulation::crossings() const {
    return count_crossing_faces(state_->world.surface, state_->state.surface);
}

Energies Simulation::energy(const Vec3& gravity) const {
    return energy_of(state_->world, state_->state, gravity);
}

void Simulation::save(std::ostream& out) const {
    write_state(out, state_->world, state_->state, state_->surface_velocities);
}

void Simulation::load(std::istream& in) {
    read_state(in, state_->world, state_->state, state_->surface_velocities);
}

std::vector<std::vector<Vec3>> simulate(std::vector<BodyDefinition> bodies, double seconds,
                                        const StepInput& input,
                                        const SimulationSettings& settings) {
    const int count = equal_steps(seconds, input.seconds);
    Simulation simulation(std::move(bodies), settings);
    StepInput one = input;
    one.seconds = count > 0 ? seconds / count : 0;
    for (int i = 0; i < count; ++i) simulation.step(one);
    std::vector<std::vector<Vec3>> surfaces;
    for (int body = 0; body < simulation.body_count(); ++body) {
        const std::span<const Vec3> positions = simulation.positions(body);
        surfaces.emplace_back(positions.begin(), positions.end());
    }
    return surfaces;
}

} // namespace knead
