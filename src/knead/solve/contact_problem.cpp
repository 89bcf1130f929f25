#include "knead/solve/contact_problem.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

void check_contact_problem(const ContactProblem& problem, const ContactResponse& start) {
    if (!problem.matrix) throw InputError("contact problem: found no matrix");
    const int blocks = problem.matrix->rows();
    const auto contacts = static_cast<std::size_t>(problem.contacts());
    const auto& bodies = problem.bodies;
    if (bodies.empty() || bodies.front() != 0 || bodies.back() != blocks ||
        !std::is_sorted(bodies.begin(), bodies.end()))
        throw InputError(fmt::format(
            "contact problem: expected bodies that begin at 0, ascend and end at {}", blocks));
    if (problem.starts.size() != contacts + 1 || problem.slide.size() != contacts ||
        problem.friction.size() != contacts || problem.starts.front() != 0 ||
        problem.starts.back() != static_cast<int>(problem.entries.size()))
        throw InputError(fmt::format(
            "contact problem of {} contacts: found {} starts, {} slides and {} "
            "coefficients of friction",
            contacts, problem.starts.size(), problem.slide.size(), problem.friction.size()));
    if (start.dv.size() != static_cast<std::size_t>(blocks) || start.forces.size() != contacts)
        throw InputError(
            fmt::format("contact problem of {} blocks and {} contacts: found a start with {} "
                        "and {}",
                        blocks, contacts, start.dv.size(), start.forces.size()));
    if (!problem.positions.empty() && problem.positions.size() != static_cast<std::size_t>(blocks))
        throw InputError(fmt::format(
            "contact problem of {} blocks: found {} positions, expected none or one a block",
            blocks, problem.positions.size()));
    for (int c = 0; c < problem.contacts(); ++c) {
        if (problem.starts[c] > problem.starts[c + 1])
            throw InputError(fmt::format("contact {}: its entries end before they begin", c));
        if (!std::isfinite(problem.bound[c]) || !problem.slide[c].allFinite())
            throw InputError(fmt::format("contact {}: expected finite velocities", c));
        if (!(problem.friction[c] >= 0) || !std::isfinite(problem.friction[c]))
            throw InputError(fmt::format("contact {}: found friction {}, expected 0 or more", c,
                                         problem.friction[c]));
        if (!start.forces[c].allFinite())
            throw InputError(fmt::format("contact {}: expected a finite force to start from", c));
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e) {
            const int block = problem.entries[e].block;
            if (block < 0 || block >= blocks)
                throw InputError(fmt::format("contact {}: found block {}, expected 0 to {}", c,
                                             block, blocks - 1));
            if (!problem.entries[e].rows.allFinite())
                throw InputError(
                    fmt::format("contact {}: expected finite rows for block {}", c, block));
        }
    }
    for (int b = 0; b < blocks; ++b)
        if (!start.dv[b].allFinite())
            throw InputError(
                fmt::format("contact problem: expected a finite start for block {}", b));
}

Vec3 relative_velocity(const ContactProblem& problem, int contact, std::span<const Vec3> dv) {
    Vec3 sum = Vec3::Zero();
    for (int e = problem.starts[contact]; e < problem.starts[contact + 1]; ++e)
        sum += problem.entries[e].rows * dv[problem.entries[e].block];
    return sum;
}

void gather_forces(const ContactProblem& problem, std::span<const Vec3> forces,
                   std::span<Vec3> on_blocks) {
    std::fill(on_blocks.begin(), on_blocks.end(), Vec3::Zero());
    for (int c = 0; c < problem.contacts(); ++c)
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e)
            on_blocks[problem.entries[e].block] += problem.entries[e].rows.transpose() * forces[c];
}

Vec3 allowed_force(double friction, const Vec3& force) {
    const double normal = std::max(0.0, force.x());
    const double limit = friction * normal;
    return {normal, std::clamp(force.y(), -limit, limit), std::clamp(force.z(), -limit, limit)};
}

double contact_defect(const ContactProblem& problem, int contact, const Vec3& velocity,
                      const Vec3& force, const Vec3& response) {
    if (!(response.x() > 0)) return std::max(0.0, problem.bound[contact] - velocity.x());
    // A step towards the velocity that is wanted must lead back to the force.
    const Vec3 wanted(problem.bound[contact], problem.slide[contact].x(),
                      problem.slide[contact].y());
    const double normal =
        std::max(0.0, force.x() + (wanted.x() - velocity.x()) / response.x()) - force.x();
    double worst = response.x() * std::abs(normal);
    const double limit = problem.friction[contact] * std::max(0.0, force.x());
    for (int i = 1; i < 3; ++i)
        if (response[i] > 0)
            worst = std::max(
                worst, response[i] *
                           std::abs(std::clamp(force[i] + (wanted[i] - velocity[i]) / response[i],
                                               -limit, limit) -
                                    force[i]));
    return worst;
}

void measure_response(const ContactProblem& problem, ContactResponse& response,
                      std::vector<Vec3>& memory) {
    const auto blocks = response.dv.size();
    memory.resize(2 * blocks);
    const std::span forces = std::span(memory).first(blocks);
    const std::span product = std::span(memory).last(blocks);
    gather_forces(problem, response.forces, forces);
    multiply(*problem.matrix, response.dv, product);
    double left = 0, scale = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
        left += (product[b] - forces[b]).squaredNorm();
        // Without forces, dv should be zero: then what it does is all there is to compare with.
        scale += std::max(forces[b].squaredNorm(), product[b].squaredNorm());
    }
    response.dynamics_residual = scale > 0 ? std::sqrt(left / scale) : 0;
    response.violation = 0;
    response.complementarity = 0;
    for (int c = 0; c < problem.contacts(); ++c) {
        const Vec3 velocity = relative_velocity(problem, c, response.dv);
        const double short_of = problem.bound[c] - velocity.x();
        response.violation = std::max(response.violation, short_of);
        // In the measure of a contact that nothing but its own blocks answers to.
        Mat3 response_to_force = Mat3::Zero();
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e) {
            const Mat3& rows = problem.entries[e].rows;
            response_to_force +=
                rows * problem.matrix->diagonal_block(problem.entries[e].block).inverse() *
                rows.transpose();
        }
        const Vec3 scale3 = response_to_force.diagonal();
        response.complementarity =
            std::max(response.complementarity,
                     contact_defect(problem, c, velocity, response.forces[c], scale3));
    }
}

} // namespace knead
