#pragma once

#include "knead/solve/contact_problem.hpp"

#include <functional>
#include <memory>
#include <stop_token>

namespace knead {

struct CondensedSettings {
    /// Passes over the contacts. At the limit the response is returned as it is, not converged.
    int max_passes = 600;
    /// Velocity; about how far the conditions of contact may be from holding.
    double enough = 1e-3;
    /// Passes in which corrections have not halved after which to give up.
    int patience = 200;
    /// A request makes the solver throw Cancelled after a pass.
    std::stop_token stop{};
};

/// Solves in place for some columns with the matrix of a body (its place in
/// `ContactProblem::bodies`). Called from several threads, for different bodies.
using BodySolve = std::function<void(int body, Eigen::Ref<Eigen::MatrixXd> columns)>;

/// What the nodes in contact do to each other, kept while the matrix stays the same.
class CondensedWorkspace {
public:
    CondensedWorkspace();
    ~CondensedWorkspace();
    CondensedWorkspace(CondensedWorkspace&&) noexcept;
    CondensedWorkspace& operator=(CondensedWorkspace&&) noexcept;

    /// The next problem is of another matrix.
    void forget();

    struct Memory;
    Memory& memory() { return *memory_; }

private:
    std::unique_ptr<Memory> memory_;
};

/// How many numbers `solve_condensed_anticipation` would hold: what decides whether it, or
/// iterative anticipation, is the one to use.
double condensed_size(const ContactProblem& problem);

/// Anticipates each body as a whole: A^-1 exactly, but only between the nodes that contacts touch,
/// then projected Gauss-Seidel with friction interlaced [OTSG09] sec. 5.4. With as many contacts
/// as nodes that is full anticipation; where many contacts share few nodes, as on the coarse
/// lattice around a fine surface, it is a small part of that, and dv is exact for the forces found.
///
/// `response` holds where to start from. Throws InputError for a problem that does not fit
/// together.
void solve_condensed_anticipation(const ContactProblem& problem, const CondensedSettings& settings,
                                  const BodySolve& solve, ContactResponse& response,
                                  CondensedWorkspace& workspace);

} // namespace knead
