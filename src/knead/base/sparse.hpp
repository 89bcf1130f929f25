#pragma once

#include <Eigen/SparseCore>

namespace knead {

/// Column-major. Symmetric matrices are held as their lower triangle, diagonal included.
using SparseMatrix = Eigen::SparseMatrix<double>;

} // namespace knead
