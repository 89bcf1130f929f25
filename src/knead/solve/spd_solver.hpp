#pragma once

#include "knead/base/sparse.hpp"

#include <Eigen/Core>

#include <memory>

namespace knead {

/// Solves A x = b for a sparse symmetric positive definite A, given by its lower triangle.
///
/// Analyse once for a pattern of non-zeros, factorise for every new set of values, solve for as
/// many right-hand sides as needed. An object may be used by one thread at a time.
class SpdSolver {
public:
    virtual ~SpdSolver() = default;

    /// Plans the elimination. Only the pattern of `lower` matters. May throw SolveError for a
    /// factor that would fill the memory.
    virtual void analyse(const SparseMatrix& lower) = 0;

    /// `lower` must have the analysed pattern; another one is an InputError. Throws SolveError,
    /// naming the unknown, when the matrix is not positive definite or not finite.
    virtual void factorise(const SparseMatrix& lower) = 0;

    /// One system a column; the solution takes the place of the right-hand side.
    virtual void solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const = 0;
};

/// Eigen's SimplicialLDLT in an order of minimum degree: for systems that are solved once, and the
/// reference that `make_supernodal_solver` is compared with.
std::unique_ptr<SpdSolver> make_eigen_solver();

} // namespace knead
