#include "knead/solve/full_anticipation.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

// Forces of one contact that act on one body.
struct BodyForce {
    int entry;
    int contact;
};

// One body's share in B. Each contact has its forces in columns of a right-hand side.
void add_anticipated(const ContactProblem& problem, int body, std::span<const BodyForce> acting,
                     std::span<const int> force_starts, SpdSolver& solver, Eigen::MatrixXd& sum) {
    const int first = problem.bodies[body];
    const int size = 3 * (problem.bodies[body + 1] - first);
    std::vector<int> columns; // of each entry
    std::vector<int> forces;  // of each column
    int last_contact = -1;
    for (const BodyForce& force : acting) {
        const int begin = force_starts[force.contact];
        const int count = force_starts[force.contact + 1] - begin;
        if (force.contact != last_contact)
            for (int i = 0; i < count; ++i) forces.push_back(begin + i);
        last_contact = force.contact;
        columns.push_back(static_cast<int>(forces.size()) - count);
    }
    Eigen::MatrixXd velocities = Eigen::MatrixXd::Zero(size, static_cast<int>(forces.size()));
    const auto rows_of = [&](const BodyForce& force) {
        const int count = force_starts[force.contact + 1] - force_starts[force.contact];
        return problem.entries[force.entry].rows.topRows(count);
    };
    const auto row_of = [&](const BodyForce& force) {
        return 3 * (problem.entries[force.entry].block - first);
    };
    for (std::size_t a = 0; a < acting.size(); ++a) {
        const auto rows = rows_of(acting[a]);
        velocities.block(row_of(acting[a]), columns[a], 3, rows.rows()) = rows.transpose();
    }
    solver.analyse(lower_triangle(*problem.matrix, first, problem.bodies[body + 1]));
    solver.factorise(lower_triangle(*problem.matrix, first, problem.bodies[body + 1]));
    solver.solve(velocities);
    parallel_for(forces.size(), 16, [&](std::size_t column) {
        for (const BodyForce& force : acting) {
            const auto rows = rows_of(force);
            sum.col(forces[column]).segment(force_starts[force.contact], rows.rows()) +=
                rows * velocities.col(static_cast<int>(column)).segment<3>(row_of(force));
        }
    });
}

} // namespace

void solve_full_anticipation(const ContactProblem& problem,
                             const FullAnticipationSettings& settings, ContactResponse& response) {
    check_contact_problem(problem, response);
    const int contacts = problem.contacts();
    std::vector<int> force_starts = {0};
    for (int c = 0; c < contacts; ++c)
        force_starts.push_back(force_starts.back() + (problem.friction[c] > 0 ? 3 : 1));
    const int forces = force_starts.back();
    if (forces > settings.max_forces)
        throw SolveError(
            fmt::format("full anticipation of {} contacts: found {} forces, expected at "
                        "most {}; use iterative anticipation",
                        contacts, forces, settings.max_forces));

    const int bodies = static_cast<int>(problem.bodies.size()) - 1;
    std::vector<std::vector<BodyForce>> acting(bodies);
    for (int c = 0; c < contacts; ++c)
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e) {
            const auto after = std::upper_bound(problem.bodies.begin(), problem.bodies.end(),
                                                problem.entries[e].block);
            acting[after - problem.bodies.begin() - 1].push_back({e, c});
        }
    Eigen::MatrixXd anticipated = Eigen::MatrixXd::Zero(forces, forces);
    std::vector<std::unique_ptr<SpdSolver>> solvers(bodies);
    for (int b = 0; b < bodies; ++b) {
        if (acting[b].empty()) continue;
        solvers[b] = make_supernodal_solver();
        add_anticipated(problem, b, acting[b], force_starts, *solvers[b], anticipated);
    }

    Eigen::VectorXd force = Eigen::VectorXd::Zero(forces);
    for (int c = 0; c < contacts; ++c) {
        const int begin = force_starts[c], count = force_starts[c + 1] - begin;
        force.segment(begin, count) =
            allowed_force(problem.friction[c], response.forces[c]).head(count);
    }
    Eigen::VectorXd velocity = anticipated * force;
    response.outer_iterations = contacts > 0 ? 1 : 0;
    response.inner_iterations = 0;
    response.converged = contacts == 0;
    while (!response.converged && response.inner_iterations < settings.max_passes) {
        double largest = 0;
        const auto set = [&](int i, double to) {
            const double change = to - force[i];
            if (change == 0) return;
            force[i] = to;
            velocity += change * anticipated.col(i);
            largest = std::max(largest, std::abs(change) * anticipated(i, i));
        };
        const bool forwards = response.inner_iterations++ % 2 == 0;
        for (int k = 0; k < contacts; ++k) {
            const int c = forwards ? k : contacts - 1 - k;
            const int i = force_starts[c];
            if (!(anticipated(i, i) > 0)) continue;
            const double wanted = problem.bound[c];
            set(i, std::max(0.0, force[i] + (wanted - velocity[i]) / anticipated(i, i)));
            if (force_starts[c + 1] == i + 1) continue;
            const double limit = problem.friction[c] * force[i];
            for (int t = 1; t < 3; ++t) {
                const int j = i + t;
                set(j, std::clamp(force[j] +
                                      (problem.slide[c][t - 1] - velocity[j]) / anticipated(j, j),
                                  -limit, limit));
            }
        }
        if (!std::isfinite(largest)) break;
        response.converged = largest <= settings.enough;
    }

    for (int c = 0; c < contacts; ++c) {
        response.forces[c].setZero();
        for (int i = force_starts[c]; i < force_starts[c + 1]; ++i)
            response.forces[c][i - force_starts[c]] = force[i];
    }
    gather_forces(problem, response.forces, response.dv);
    for (int b = 0; b < bodies; ++b) {
        const int first = problem.bodies[b], last = problem.bodies[b + 1];
        if (!solvers[b]) continue;
        Eigen::MatrixXd moved(3 * (last - first), 1);
        for (int row = first; row < last; ++row)
            moved.block<3, 1>(3 * (row - first), 0) = response.dv[row];
        solvers[b]->solve(moved);
        for (int row = first; row < last; ++row)
            response.dv[row] = moved.block<3, 1>(3 * (row - first), 0);
    }
    std::vector<Vec3> memory;
    measure_response(problem, response, memory);
    // A contact that nothing can answer to is not solved by leaving it alone.
    for (int c = 0; c < contacts; ++c)
        if (!(anticipated(force_starts[c], force_starts[c]) > 0) &&
            problem.bound[c] > settings.enough)
            response.converged = false;
}

} // namespace knead
