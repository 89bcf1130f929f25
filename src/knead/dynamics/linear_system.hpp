#pragma once

#include "knead/dynamics/world.hpp"
#include "knead/solve/spd_solver.hpp"

#include <memory>
#include <vector>

namespace knead {

/// One Newton step of backward Euler, A v = b [OTSG09] eq. 3, and what the blocks would do without
/// contact.
struct LinearSystem {
    double seconds = 0;
    BlockMatrix matrix;                ///< A; rows of pinned blocks are those of the identity
    std::vector<Vec3> right;           ///< b
    std::vector<Vec3> free_velocities; ///< v*

    // One a body, made once; for soft ones.
    std::vector<std::unique_ptr<SpdSolver>> solvers;
    std::vector<SparseMatrix> lower;

    /// A and b of pinned blocks as they were, to know what holding them took.
    struct PinnedRow {
        int block = 0;
        Vec3 right = Vec3::Zero();
        std::vector<std::pair<int, Mat3>> entries;
    };
    std::vector<PinnedRow> pinned_rows;
    /// Impulses of wind and targets, one a block, as far as they do not depend on the velocities at
    /// the end; and what these take from them, block by block as in `matrix`.
    std::vector<Vec3> outside;
    std::vector<Mat3> outside_taken;
};

/// Plans the factorisations; `matrix` has the pattern.
void prepare(const World& world, LinearSystem& system);

/// Linearises the dynamics about the state. `goals` are where kinematic and pinned vertices, and
/// targets, are at the end of the step: one a vertex.
void linearise(const World& world, const WorldState& state, const StepInput& input,
               std::span<const Vec3> goals, double seconds, LinearSystem& system);

/// Factorises and fills in the free velocities. Throws SolveError when a body's matrix is not
/// positive definite.
void solve_free(const World& world, const WorldState& state, const StepInput& input,
                LinearSystem& system);

/// Solves A x = b for the blocks of one body, in place, with the factors of the last `solve_free`.
void solve_body(const World& world, const LinearSystem& system, int body,
                Eigen::Ref<Eigen::MatrixXd> columns);

/// The work that pins, wind and targets have done if the blocks moved with `velocities` and
/// contacts pushed with `impulses` (one a block).
double outside_work(const LinearSystem& system, std::span<const Vec3> velocities,
                    std::span<const Vec3> impulses);

} // namespace knead
