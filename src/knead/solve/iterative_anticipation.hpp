#pragma once

#include "knead/solve/contact_problem.hpp"

#include <memory>
#include <stop_token>

namespace knead {

/// When iterative anticipation is content.
enum class AnticipationEnd {
    /// When A dv is near enough to the forces and every contact near enough to its conditions.
    tolerances,
    /// As in [OTSG09] sec. 5.5: no contact is too far below its bound, and the residuals hardly
    /// change any more. Quick, and no promise about how large they still are.
    small_change,
};

struct AnticipationSettings {
    AnticipationEnd end = AnticipationEnd::tolerances;
    /// Outer iterations, each a product with the matrix. At the limit the response is returned as
    /// it is, not converged.
    int max_outer = 1000;
    /// Passes over the contacts in one outer iteration. More of them make the outer iterations
    /// fewer and dearer. Where they turn out to be too few they are doubled, up to 16 times as
    /// many.
    int max_inner = 5;
    /// An outer iteration ends its passes early when one has corrected contacts by no more than
    /// this part of what the first one did.
    double inner_reduction = 0.1;
    /// Of |A dv - f| / |f|, f the contact forces: what part of them goes astray. Only for
    /// `tolerances`.
    double dynamics_tolerance = 1e-3;
    /// Velocity; how far J dv may stay below its bound and, for `tolerances`, how far the other
    /// conditions of contact may be from holding. Half the distance that contacts are kept apart,
    /// over the time step, is what geometry allows.
    double enough = 1e-3;
    /// The largest relative change of residuals that counts as none. Only for `small_change`.
    double change = 0.05;
    /// Outer iterations without a tenth of progress after which to give up.
    int patience = 200;
    /// A request makes the solver throw Cancelled after a pass.
    std::stop_token stop{};
};

/// Memory that is kept from solve to solve; nothing in it changes a result.
class AnticipationWorkspace {
public:
    AnticipationWorkspace();
    ~AnticipationWorkspace();
    AnticipationWorkspace(AnticipationWorkspace&&) noexcept;
    AnticipationWorkspace& operator=(AnticipationWorkspace&&) noexcept;

    struct Memory;
    Memory& memory() { return *memory_; }

private:
    std::unique_ptr<Memory> memory_;
};

/// Solves the problem by iterative constraint anticipation [OTSG09] sec. 5: an outer iteration
/// refines dv, an inner one finds the forces that keep the contacts apart if only a simple part of
/// A answered to them. Where the two agree, the problem is solved. It differs from the paper in
/// three things, none of which changes the solution:
///
/// - Besides the nodes (the blocks of the diagonal, D), each body answers as a whole: it moves and
///   turns like a rigid one, where `positions` are known.
/// - dv becomes what the forces were found for, instead of one Gauss-Seidel sweep (eq. 12). That is
/// a
///   step of a projected gradient in the measure of what answers, so
/// - momentum speeds it up, and is taken away where it leads uphill.
///
/// Outer iterations to 1e-5 without friction (one pile of 8 cubes of 64 nodes, 200 contacts), by
/// the stiffness dt^2 k / m of springs between nodes. The sweeps were tried in code that is not
/// kept, with three passes over the contacts each and a limit of 2000; the last two rows are this
/// function.
///
///     stiffness                            1     10    100   1000    10^4
///     Gauss-Seidel sweeps, forward        46    183   1562  >2000   >2000
///       forward and backward in turn      48    269  >2000  >2000   >2000
///       in turn, with momentum            42    233    840  >2000   >2000
///     answer of nodes                     32    102    332   1041    3896
///     answer of nodes and bodies          40     40     61     89      92
///
/// With friction, large piles of very stiff bodies (10^4 and more) can take hundreds of iterations
/// to 1e-4, and some do not get there: then it is the passes over contacts that converge slowly.
///
/// An outer iteration is one product with the matrix and a few passes over the contacts. Rows and
/// contacts are checked by all threads; the passes over contacts are in order, one after the other.
///
/// `response` holds where to start from: what an earlier solve came to, and zero for contacts that
/// are new.
///
/// Throws InputError for a problem that does not fit together and SolveError, naming the block, for
/// a matrix that is not positive definite there.
void solve_iterative_anticipation(const ContactProblem& problem,
                                  const AnticipationSettings& settings, ContactResponse& response,
                                  AnticipationWorkspace& workspace);

} // namespace knead
