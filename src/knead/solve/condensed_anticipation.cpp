#include "knead/solve/condensed_anticipation.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace knead {

struct CondensedWorkspace::Memory {
    struct Body {
        std::vector<int> nodes;  // rows that contacts touch, as they came in
        Eigen::MatrixXd columns; // of A^-1, three a node: all rows of the body
        int first = 0;           // of its nodes among all
    };
    // A body as one contact sees it.
    struct Side {
        int body = -1;
        int entries_begin = 0, entries_end = 0;
        std::size_t reaction = 0; // where it begins: velocities of the body's nodes
    };
    struct Contact {
        Mat3 response = Mat3::Zero();
        Vec3 wanted = Vec3::Zero();
        double friction = 0;
        bool is_ready = false; // has its reactions
        Side sides[2];
    };
    std::vector<Body> bodies;
    std::vector<int> place;                     // of a row: among the nodes of its body, or -1
    std::vector<int> body_of;                   // of a row
    std::vector<ContactProblem::Entry> entries; // by contact and body, `block` among all nodes
    std::vector<Contact> contacts;
    std::vector<double> velocities; // three a node
    std::vector<double> last_velocities;
    std::vector<Vec3> last_forces, start_forces;
    std::vector<int> all, active;
    std::vector<double> reactions; // three columns a side, as long as the body has nodes
    std::vector<Vec3> measuring;
};

CondensedWorkspace::CondensedWorkspace() : memory_(std::make_unique<Memory>()) {}
CondensedWorkspace::~CondensedWorkspace() = default;
CondensedWorkspace::CondensedWorkspace(CondensedWorkspace&&) noexcept = default;
CondensedWorkspace& CondensedWorkspace::operator=(CondensedWorkspace&&) noexcept = default;

void CondensedWorkspace::forget() {
    memory_->bodies.clear();
    memory_->place.clear();
}

namespace {

using CondensedMemory = CondensedWorkspace::Memory;
using CondensedBody = CondensedMemory::Body;
using CondensedContact = CondensedMemory::Contact;
using CondensedSide = CondensedMemory::Side;

// Of so many rounds over contacts one is over all.
constexpr int active_rounds = 6;

// Adds the nodes that are new, and what a force on each of them does to all of its body.
void find_columns(const ContactProblem& problem, const BodySolve& solve, CondensedMemory& m) {
    const int rows = problem.matrix->rows(), bodies = static_cast<int>(problem.bodies.size()) - 1;
    if (static_cast<int>(m.place.size()) != rows) {
        m.place.assign(rows, -1);
        m.body_of.resize(rows);
        m.bodies.assign(bodies, {});
        for (int b = 0; b < bodies; ++b)
            std::fill(m.body_of.begin() + problem.bodies[b],
                      m.body_of.begin() + problem.bodies[b + 1], b);
    }
    std::vector<int> known(bodies);
    for (int b = 0; b < bodies; ++b) known[b] = static_cast<int>(m.bodies[b].nodes.size());
    for (const ContactProblem::Entry& entry : problem.entries) {
        if (m.place[entry.block] >= 0) continue;
        CondensedBody& body = m.bodies[m.body_of[entry.block]];
        m.place[entry.block] = static_cast<int>(body.nodes.size());
        body.nodes.push_back(entry.block);
    }
    parallel_for(m.bodies.size(), 1, [&](std::size_t b) {
        CondensedBody& body = m.bodies[b];
        const int count = static_cast<int>(body.nodes.size()) - known[b];
        if (count == 0) return;
        const int first = problem.bodies[b];
        Eigen::MatrixXd columns =
            Eigen::MatrixXd::Zero(3 * (problem.bodies[b + 1] - first), 3 * count);
        for (int i = 0; i < count; ++i)
            columns.block<3, 3>(3 * (body.nodes[known[b] + i] - first), 3 * i).setIdentity();
        solve(static_cast<int>(b), columns);
        body.columns.conservativeResize(columns.rows(), 3 * (known[b] + count));
        body.columns.rightCols(3 * count) = columns;
    });
    int next = 0;
    for (CondensedBody& body : m.bodies) {
        body.first = next;
        next += static_cast<int>(body.nodes.size());
    }
    m.velocities.resize(3 * static_cast<std::size_t>(next));
}

void find_sides(const ContactProblem& problem, CondensedMemory& m) {
    m.contacts.assign(problem.contacts(), {});
    m.entries.clear();
    m.reactions.clear();
    for (int c = 0; c < problem.contacts(); ++c) {
        CondensedContact& contact = m.contacts[c];
        contact.wanted = {problem.bound[c], problem.slide[c].x(), problem.slide[c].y()};
        contact.friction = problem.friction[c];
        // A contact has two sides, or one where the other cannot move.
        int count = 0;
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e) {
            const int body = m.body_of[problem.entries[e].block];
            if (count > 0 && contact.sides[0].body == body) continue;
            if (count > 1 && contact.sides[1].body == body) continue;
            CondensedSide& side = contact.sides[count++];
            side.body = body;
            side.entries_begin = static_cast<int>(m.entries.size());
            for (int other = e; other < problem.starts[c + 1]; ++other) {
                const ContactProblem::Entry& entry = problem.entries[other];
                if (m.body_of[entry.block] == body)
                    m.entries.push_back({m.bodies[body].first + m.place[entry.block], entry.rows});
            }
            side.entries_end = static_cast<int>(m.entries.size());
            if (count == 2) break;
        }
    }
}

// What forces of a contact do to the bodies it touches. Most contacts never need it.
void find_reactions(const ContactProblem& problem, CondensedContact& contact, CondensedMemory& m) {
    contact.is_ready = true;
    contact.response.setZero();
    for (CondensedSide& side : contact.sides) {
        if (side.body < 0) continue;
        const CondensedBody& body = m.bodies[side.body];
        const int count = static_cast<int>(body.nodes.size());
        side.reaction = m.reactions.size();
        m.reactions.resize(side.reaction + 9 * static_cast<std::size_t>(count), 0.0);
        Eigen::Map<Eigen::MatrixXd> reaction(m.reactions.data() + side.reaction, 3 * count, 3);
        const int first = problem.bodies[side.body];
        for (int e = side.entries_begin; e < side.entries_end; ++e) {
            const int column = 3 * (m.entries[e].block - body.first);
            for (int i = 0; i < count; ++i)
                reaction.middleRows<3>(3 * i).noalias() +=
                    body.columns.block<3, 3>(3 * (body.nodes[i] - first), column) *
                    m.entries[e].rows.transpose();
        }
        for (int e = side.entries_begin; e < side.entries_end; ++e)
            contact.response +=
                m.entries[e].rows * reaction.middleRows<3>(3 * (m.entries[e].block - body.first));
    }
}

void add_reaction(const CondensedSide& side, const Vec3& change, CondensedMemory& m) {
    if (side.body < 0) return;
    const CondensedBody& body = m.bodies[side.body];
    const std::size_t count = 3 * body.nodes.size();
    double* const velocity = m.velocities.data() + 3 * static_cast<std::size_t>(body.first);
    const double* const reaction = m.reactions.data() + side.reaction;
    if (change[1] == 0 && change[2] == 0) {
        for (std::size_t i = 0; i < count; ++i) velocity[i] += change[0] * reaction[i];
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        velocity[i] += change[0] * reaction[i] + change[1] * reaction[count + i] +
                       change[2] * reaction[2 * count + i];
}

Vec3 velocity_at(const CondensedContact& contact, const CondensedMemory& m) {
    Vec3 velocity = Vec3::Zero();
    for (const CondensedSide& side : contact.sides)
        for (int e = side.entries_begin; e < side.entries_end; ++e)
            velocity += m.entries[e].rows *
                        Eigen::Map<const Vec3>(m.velocities.data() + 3 * m.entries[e].block);
    return velocity;
}

// [OTSG09] sec. 5.5, 3.2.1: the normal force, then friction, three times.
Vec3 relaxed_force(const CondensedContact& contact, Vec3 velocity, Vec3 force) {
    const Mat3& response = contact.response;
    const auto set = [&](int i, double value) {
        velocity += (value - force[i]) * response.col(i);
        force[i] = value;
    };
    const auto wanted = [&](int i) {
        return force[i] + (contact.wanted[i] - velocity[i]) / response(i, i);
    };
    const int repeats = contact.friction > 0 ? 3 : 1;
    for (int k = 0; k < repeats; ++k) {
        set(0, std::max(0.0, wanted(0)));
        if (contact.friction == 0) break;
        const double limit = contact.friction * force[0];
        for (int t = 1; t < 3; ++t) set(t, std::clamp(wanted(t), -limit, limit));
    }
    return force;
}

// Over some contacts. Returns the sum of the squares of all corrections, and the largest, in the
// unit of velocity.
std::pair<double, double> pass_over_contacts(const ContactProblem& problem,
                                             std::span<const int> some, bool forwards,
                                             std::span<Vec3> forces, CondensedMemory& m) {
    double squares = 0, largest = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        const int c = forwards ? some[i] : some[some.size() - 1 - i];
        CondensedContact& contact = m.contacts[c];
        const Vec3 velocity = velocity_at(contact, m);
        if (forces[c] == Vec3::Zero() && velocity[0] >= contact.wanted[0]) continue;
        if (!contact.is_ready) find_reactions(problem, contact, m);
        if (!(contact.response(0, 0) > 0)) continue;
        const Vec3 force = relaxed_force(contact, velocity, forces[c]);
        const Vec3 change = force - forces[c];
        if (change == Vec3::Zero()) continue;
        forces[c] = force;
        for (const CondensedSide& side : contact.sides) add_reaction(side, change, m);
        const Vec3 moved = change.cwiseProduct(contact.response.diagonal());
        squares += moved.squaredNorm();
        largest = std::max(largest, moved.cwiseAbs().maxCoeff());
    }
    return {squares, largest};
}

// Goes on from where a pass has led along its change. Velocities are linear in the forces, so they
// follow at the cost of a sum; the next pass makes the forces allowed again.
void extrapolate(double momentum, std::vector<Vec3>& forces, CondensedMemory& m) {
    for (std::size_t c = 0; c < forces.size(); ++c) {
        const Vec3 now = forces[c];
        forces[c] += momentum * (now - m.last_forces[c]);
        m.last_forces[c] = now;
    }
    for (std::size_t i = 0; i < m.velocities.size(); ++i) {
        const double now = m.velocities[i];
        m.velocities[i] += momentum * (now - m.last_velocities[i]);
        m.last_velocities[i] = now;
    }
}

// Symmetric projected Gauss-Seidel with momentum, which is taken away where it leads uphill
// (B. O'Donoghue, E. Candes, "Adaptive Restart for Accelerated Gradient Schemes", 2015): stacks
// take a tenth of the passes.
void relax(const ContactProblem& problem, const CondensedSettings& settings,
           ContactResponse& response, CondensedMemory& m) {
    double least = std::numeric_limits<double>::infinity(), last = 0, pace = 1;
    int least_at = 0;
    bool look_at_all = false;
    m.last_forces = response.forces;
    m.last_velocities = m.velocities;
    m.all.resize(m.contacts.size());
    std::iota(m.all.begin(), m.all.end(), 0);
    for (int round = 0; !response.converged && response.inner_iterations < settings.max_passes;
         ++round) {
        check_stop(settings.stop);
        // Most contacts never get a force: those are looked at now and then, and at the end.
        const bool is_whole = round % active_rounds == 0 || look_at_all;
        const double next = 0.5 * (1 + std::sqrt(1 + 4 * pace * pace));
        extrapolate((pace - 1) / next, response.forces, m);
        pace = next;
        m.start_forces = response.forces;
        double squares = 0, largest = 0;
        for (const bool forwards : {true, false}) {
            const auto [pass_squares, pass_largest] = pass_over_contacts(
                problem, is_whole ? m.all : m.active, forwards, response.forces, m);
            squares += pass_squares;
            largest = std::max(largest, pass_largest);
            ++response.inner_iterations;
        }
        double uphill = 0;
        for (std::size_t c = 0; c < m.contacts.size(); ++c)
            uphill += (m.start_forces[c] - response.forces[c])
                          .cwiseProduct(m.contacts[c].response.diagonal())
                          .dot(response.forces[c] - m.last_forces[c]);
        if (uphill > 0) pace = 1;
        if (is_whole) {
            m.active.clear();
            for (const int c : m.all)
                if (response.forces[c] != Vec3::Zero() || m.start_forces[c] != Vec3::Zero())
                    m.active.push_back(c);
        }
        // Where passes make little headway much is left to do, however small a correction was.
        const double rate = last > 0 ? std::sqrt(squares / last) : 0.5;
        last = squares;
        const bool is_near = largest / std::max(1 - rate, 0.02) <= settings.enough;
        response.converged = is_near && is_whole;
        look_at_all = is_near;
        if (squares < 0.5 * least) {
            least = squares;
            least_at = response.inner_iterations;
        } else if (response.inner_iterations - least_at >= settings.patience) {
            break;
        }
    }
}

} // namespace

double condensed_size(const ContactProblem& problem) {
    const int bodies = static_cast<int>(problem.bodies.size()) - 1;
    std::vector<char> touched(problem.matrix->rows(), 0);
    for (const ContactProblem::Entry& entry : problem.entries) touched[entry.block] = 1;
    std::vector<double> nodes(bodies, 0.0);
    double numbers = 0;
    for (int b = 0; b < bodies; ++b) {
        for (int row = problem.bodies[b]; row < problem.bodies[b + 1]; ++row)
            nodes[b] += touched[row];
        numbers += 9 * nodes[b] * (problem.bodies[b + 1] - problem.bodies[b]);
    }
    const auto body_of = [&](int row) {
        return std::upper_bound(problem.bodies.begin(), problem.bodies.end(), row) -
               problem.bodies.begin() - 1;
    };
    for (int c = 0; c < problem.contacts(); ++c) {
        std::ptrdiff_t last = -1;
        for (int e = problem.starts[c]; e < problem.starts[c + 1]; ++e)
            if (const auto b = body_of(problem.entries[e].block); b != last) {
                numbers += 3 * nodes[b]; // a third of them ever has a force
                last = b;
            }
    }
    return numbers;
}

void solve_condensed_anticipation(const ContactProblem& problem, const CondensedSettings& settings,
                                  const BodySolve& solve, ContactResponse& response,
                                  CondensedWorkspace& workspace) {
    check_contact_problem(problem, response);
    CondensedMemory& m = workspace.memory();
    find_columns(problem, solve, m);
    find_sides(problem, m);
    std::fill(m.velocities.begin(), m.velocities.end(), 0.0);
    for (int c = 0; c < problem.contacts(); ++c) {
        response.forces[c] = allowed_force(problem.friction[c], response.forces[c]);
        if (response.forces[c] == Vec3::Zero()) continue;
        find_reactions(problem, m.contacts[c], m);
        for (const CondensedSide& side : m.contacts[c].sides)
            add_reaction(side, response.forces[c], m);
    }
    response.outer_iterations = 1;
    response.inner_iterations = 0;
    response.converged = problem.contacts() == 0;
    relax(problem, settings, response, m);
    gather_forces(problem, response.forces, response.dv);
    parallel_for(m.bodies.size(), 1, [&](std::size_t b) {
        const int first = problem.bodies[b], last = problem.bodies[b + 1];
        if (m.bodies[b].nodes.empty()) return;
        Eigen::Map<Eigen::MatrixXd> column(response.dv[first].data(), 3 * (last - first), 1);
        solve(static_cast<int>(b), column);
    });
    measure_response(problem, response, m.measuring);
}

} // namespace knead
