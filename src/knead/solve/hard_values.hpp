#pragma once

#include "knead/base/sparse.hpp"

#include <Eigen/Core>

#include <span>

namespace knead {

// Hard values on any subset of the unknowns of A x = b, without a change of A's pattern. First
// `move_hard_values`, which still needs the whole matrix, then `constrain_matrix`.

/// Brings the known values to the right-hand side: b_free -= A_free,fixed x_fixed, and b_fixed =
/// x_fixed. `fixed[i]` is non-zero where unknown i is given, by row i of `values`.
void move_hard_values(const SparseMatrix& lower, std::span<const char> fixed,
                      const Eigen::Ref<const Eigen::MatrixXd>& values,
                      Eigen::Ref<Eigen::MatrixXd> right_hand_sides);

/// Turns the rows and columns of fixed unknowns into those of the identity.
void constrain_matrix(SparseMatrix& lower, std::span<const char> fixed);

} // namespace knead
