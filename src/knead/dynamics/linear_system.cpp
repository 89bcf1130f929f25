#include "knead/dynamics/linear_system.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

bool is_soft(const WorldBody& body) {
    return body.volume || body.cloth;
}

// Springs from every vertex to its target, as stiff as the vertex is heavy.
void add_targets(const World& world, const WorldBody& body, const WorldState& state,
                 std::span<const Vec3> goals, LinearSystem& system) {
    const double dt = system.seconds;
    const double stiffness = body.target_stiffness * body.mass / body.vertices;
    for (int v = body.first_vertex; v < body.first_vertex + body.vertices; ++v) {
        const Vec3 impulse = dt * stiffness * (goals[v] - state.surface[v]);
        for (int c = world.carrier_starts[v]; c < world.carrier_starts[v + 1]; ++c) {
            const Carrier& first = world.carriers[c];
            system.outside[first.block] += first.weight * impulse;
            for (int d = world.carrier_starts[v]; d < world.carrier_starts[v + 1]; ++d) {
                const Carrier& second = world.carriers[d];
                const int place = find_block(system.matrix, first.block, second.block);
                const double taken = dt * dt * stiffness * first.weight * second.weight;
                system.matrix.values[place].diagonal().array() += taken;
                system.outside_taken[place].diagonal().array() += taken;
            }
        }
    }
}

void linearise_soft(const World& world, const WorldBody& body, const WorldState& state,
                    const StepInput& input, std::span<const Vec3> goals, LinearSystem& system) {
    const int first = body.first_block;
    const double dt = system.seconds, factor = dt * (dt + body.material.damping);
    const auto positions = std::span(state.positions).subspan(first, body.blocks);
    const auto velocities = std::span(state.velocities).subspan(first, body.blocks);
    const auto forces = std::span(system.right).subspan(first, body.blocks);
    if (body.cloth && input.air_density > 0) {
        // Drag is implicit, too: dt F + dt D v0 on the right, dt D on the left, D = -dF/dv.
        const auto outside = std::span(system.outside).subspan(first, body.blocks);
        add_wind(*body.cloth, positions, velocities, input.wind, input.air_density, outside, dt,
                 system.matrix);
        for (int i = first; i < first + body.blocks; ++i) {
            system.outside[i] *= dt;
            for (int e = system.matrix.starts[i]; e < system.matrix.starts[i + 1]; ++e) {
                system.outside_taken[e] = system.matrix.values[e];
                system.outside[i] +=
                    system.matrix.values[e] * state.velocities[system.matrix.columns[e]];
            }
        }
    }
    if (body.volume) linearise(*body.volume, positions, factor, forces, system.matrix);
    if (body.cloth) linearise(*body.cloth, positions, factor, forces, system.matrix);
    if (body.target_stiffness > 0) add_targets(world, body, state, goals, system);
    for (int i = first; i < first + body.blocks; ++i) {
        const double mass = world.block_mass[i];
        system.right[i] = dt * (system.right[i] + mass * input.gravity) + system.outside[i] +
                          mass * state.velocities[i];
        system.matrix.values[system.matrix.diagonal[i]].diagonal().array() += mass;
    }
}

// The mean motion of the pins that a block carries.
void find_pinned_velocities(const World& world, const WorldBody& body, const WorldState& state,
                            std::span<const Vec3> goals, LinearSystem& system) {
    for (const int block : body.pinned_blocks) system.right[block].setZero();
    std::vector<double> weights(body.blocks, 0.0);
    for (const int pin : body.pins) {
        const int v = body.first_vertex + pin;
        for (int c = world.carrier_starts[v]; c < world.carrier_starts[v + 1]; ++c) {
            const Carrier& carrier = world.carriers[c];
            system.right[carrier.block] +=
                carrier.weight * (goals[v] - state.surface[v]) / system.seconds;
            weights[carrier.block - body.first_block] += carrier.weight;
        }
    }
    for (const int block : body.pinned_blocks)
        system.right[block] /= weights[block - body.first_block];
}

// Rows of pinned blocks become those of the identity; what they give to others goes to the right.
void fix_pins(const World& world, const WorldBody& body, const WorldState& state,
              std::span<const Vec3> goals, LinearSystem& system,
              std::vector<LinearSystem::PinnedRow>& rows) {
    BlockMatrix& matrix = system.matrix;
    rows.clear();
    for (const int block : body.pinned_blocks) {
        LinearSystem::PinnedRow& row = rows.emplace_back();
        row.block = block;
        row.right = system.right[block];
        for (int e = matrix.starts[block]; e < matrix.starts[block + 1]; ++e)
            row.entries.emplace_back(matrix.columns[e], matrix.values[e]);
    }
    find_pinned_velocities(world, body, state, goals, system);
    for (const int block : body.pinned_blocks)
        for (int e = matrix.starts[block]; e < matrix.starts[block + 1]; ++e) {
            const int other = matrix.columns[e];
            if (!world.pinned[other]) {
                Mat3& mirrored = matrix.values[find_block(matrix, other, block)];
                system.right[other] -= mirrored * system.right[block];
                mirrored.setZero();
            }
            matrix.values[e].setZero();
        }
    for (const int block : body.pinned_blocks) matrix.values[matrix.diagonal[block]].setIdentity();
}

// Elements pressed flat by great forces may be so stiff that rounding makes the matrix indefinite:
// then all of the body is made a little stiffer.
void factorise(const World& world, int index, LinearSystem& system) {
    const WorldBody& body = world.bodies[index];
    const int first = body.first_block, last = first + body.blocks;
    double largest = 0;
    for (int i = first; i < last; ++i)
        largest = std::max(largest, system.matrix.diagonal_block(i).diagonal().maxCoeff());
    for (double added = 0;; added = added == 0 ? 1e-12 : 100 * added) {
        if (added > 0)
            for (int i = first; i < last; ++i)
                if (!world.pinned[i])
                    system.matrix.values[system.matrix.diagonal[i]].diagonal().array() +=
                        added * largest;
        lower_triangle(system.matrix, first, last, system.lower[index]);
        try {
            system.solvers[index]->factorise(system.lower[index]);
            return;
        } catch (const SolveError& error) {
            if (added < 1e-5 && std::isfinite(largest)) continue;
            throw SolveError(fmt::format("body {}: {}", single_quoted(body.name), error.what()));
        }
    }
}

} // namespace

void prepare(const World& world, LinearSystem& system) {
    system.right.assign(world.pinned.size(), Vec3::Zero());
    system.outside = system.free_velocities = system.right;
    system.outside_taken.assign(system.matrix.values.size(), Mat3::Zero());
    system.solvers.resize(world.bodies.size());
    system.lower.resize(world.bodies.size());
    for (std::size_t b = 0; b < world.bodies.size(); ++b) {
        const WorldBody& body = world.bodies[b];
        if (!is_soft(body)) continue;
        system.lower[b] =
            lower_triangle(system.matrix, body.first_block, body.first_block + body.blocks);
        system.solvers[b] = make_supernodal_solver();
        try {
            system.solvers[b]->analyse(system.lower[b]);
        } catch (const SolveError& error) {
            throw InputError(fmt::format("body {}: its {}{}: fewer cells or a coarser mesh",
                                         single_quoted(body.name), body.volume ? "lattice's " : "",
                                         error.what()));
        }
    }
}

void linearise(const World& world, const WorldState& state, const StepInput& input,
               std::span<const Vec3> goals, double seconds, LinearSystem& system) {
    system.seconds = seconds;
    std::vector<std::vector<LinearSystem::PinnedRow>> pinned(world.bodies.size());
    parallel_for(world.bodies.size(), 1, [&](std::size_t b) {
        const WorldBody& body = world.bodies[b];
        const int first = body.first_block, last = first + body.blocks;
        for (int i = first; i < last; ++i) {
            system.right[i].setZero();
            system.outside[i].setZero();
            for (int e = system.matrix.starts[i]; e < system.matrix.starts[i + 1]; ++e) {
                system.matrix.values[e].setZero();
                system.outside_taken[e].setZero();
            }
        }
        if (is_soft(body)) {
            linearise_soft(world, body, state, input, goals, system);
            fix_pins(world, body, state, goals, system, pinned[b]);
        } else if (body.kind == BodyKind::rigid) {
            system.matrix.values[system.matrix.diagonal[first]] = body.mass * Mat3::Identity();
            system.matrix.values[system.matrix.diagonal[first + 1]] =
                world_inertia(body.rigid_mass.inertia, state.orientations[b]);
        }
    });
    system.pinned_rows.clear();
    for (auto& rows : pinned)
        for (auto& row : rows) system.pinned_rows.push_back(std::move(row));
}

void solve_free(const World& world, const WorldState& state, const StepInput& input,
                LinearSystem& system) {
    parallel_for(world.bodies.size(), 1, [&](std::size_t b) {
        const WorldBody& body = world.bodies[b];
        const int first = body.first_block;
        if (body.kind == BodyKind::rigid) {
            system.free_velocities[first] =
                state.velocities[first] + system.seconds * input.gravity;
            system.free_velocities[first + 1] =
                midpoint_angular_velocity(body.rigid_mass.inertia,
                                          {state.positions[first], state.orientations[b],
                                           state.velocities[first], state.angular_momentum[b]},
                                          system.seconds);
        }
        if (!is_soft(body)) return;
        factorise(world, static_cast<int>(b), system);
        std::copy_n(system.right.begin() + first, body.blocks,
                    system.free_velocities.begin() + first);
        Eigen::Map<Eigen::MatrixXd> column(system.free_velocities[first].data(), 3 * body.blocks,
                                           1);
        Eigen::MatrixXd solved = column;
        system.solvers[b]->solve(solved);
        column = solved;
    });
}

void solve_body(const World& world, const LinearSystem& system, int body,
                Eigen::Ref<Eigen::MatrixXd> columns) {
    if (system.solvers[body]) {
        system.solvers[body]->solve(columns);
        return;
    }
    const int first = world.bodies[body].first_block;
    for (int i = 0; i < world.bodies[body].blocks; ++i) {
        const Mat3 inverse = system.matrix.diagonal_block(first + i).inverse();
        columns.middleRows<3>(3 * i) = (inverse * columns.middleRows<3>(3 * i)).eval();
    }
}

double outside_work(const LinearSystem& system, std::span<const Vec3> velocities,
                    std::span<const Vec3> impulses) {
    double work = 0;
    for (int i = 0; i < system.matrix.rows(); ++i) {
        Vec3 impulse = system.outside[i];
        for (int e = system.matrix.starts[i]; e < system.matrix.starts[i + 1]; ++e)
            impulse -= system.outside_taken[e] * velocities[system.matrix.columns[e]];
        work += impulse.dot(velocities[i]);
    }
    for (const LinearSystem::PinnedRow& row : system.pinned_rows) {
        Vec3 reaction = -row.right - impulses[row.block];
        for (const auto& [column, value] : row.entries) reaction += value * velocities[column];
        work += reaction.dot(velocities[row.block]);
    }
    return work;
}

} // namespace knead
