#pragma once

#include "knead/solve/contact_problem.hpp"

namespace knead {

struct FullAnticipationSettings {
    /// Forces to solve for: one a contact, three with friction. The matrix has the square of this
    /// many numbers, 8 bytes each: half a gigabyte.
    int max_forces = 8192;
    /// Passes over the contacts.
    int max_passes = 100000;
    /// Velocity; a pass that corrects no contact by more than this is the last one.
    double enough = 1e-10;
};

/// Solves the problem by full constraint anticipation [OTSG09] sec. 5.1: what every contact does to
/// every other, B = J A^-1 J^T, by exact solves, then projected Gauss-Seidel on that. Time and
/// memory grow with the square of the contacts: this is what iterative anticipation is compared
/// with.
///
/// `response.forces` holds where to start from. Throws InputError for a problem that does not fit
/// together, and SolveError for too many forces or a matrix that is not positive definite.
void solve_full_anticipation(const ContactProblem& problem,
                             const FullAnticipationSettings& settings, ContactResponse& response);

} // namespace knead
