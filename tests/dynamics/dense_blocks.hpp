#pragma once

#include "knead/solve/block_matrix.hpp"

#include <Eigen/Core>

namespace knead::testing {

/// All of a small block matrix, number by number.
inline Eigen::MatrixXd dense(const BlockMatrix& matrix) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * matrix.rows(), 3 * matrix.rows());
    for (int row = 0; row < matrix.rows(); ++row)
        for (int i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i)
            result.block<3, 3>(3 * row, 3 * matrix.columns[i]) = matrix.values[i];
    return result;
}

} // namespace knead::testing
