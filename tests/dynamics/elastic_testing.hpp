#pragma once

#include "knead/base/random.hpp"
#include "knead/solve/block_matrix.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <span>
#include <vector>

namespace knead::testing {

/// All of a small block matrix, number by number.
inline Eigen::MatrixXd dense(const BlockMatrix& matrix) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * matrix.rows(), 3 * matrix.rows());
    for (int row = 0; row < matrix.rows(); ++row)
        for (int i = matrix.starts[row]; i < matrix.starts[row + 1]; ++i)
            result.block<3, 3>(3 * row, 3 * matrix.columns[i]) = matrix.values[i];
    return result;
}

struct Linearised {
    std::vector<Vec3> forces;
    BlockMatrix stiffness; ///< times `factor`
};

/// A model of cloth or of a volume, alone in a system.
template <typename Model>
Linearised linearised(Model model, std::span<const Vec3> positions, double factor = 1) {
    Linearised result;
    result.forces.assign(positions.size(), Vec3::Zero());
    result.stiffness = make_block_matrix(static_cast<int>(positions.size()), couplings(model));
    find_places(model, result.stiffness, 0);
    linearise(model, positions, factor, result.forces, result.stiffness);
    return result;
}

template <typename Model>
std::vector<Vec3> forces_at(const Model& model, std::span<const Vec3> positions) {
    return linearised(model, positions).forces;
}

/// Each position off by up to `by` along the axes, and all of them moved and turned at random.
inline std::vector<Vec3> shaken(std::vector<Vec3> positions, double by, Random& random) {
    const Quat turn = random.rotation();
    for (Vec3& p : positions) p = turn * Vec3(p + random.in_cube(by)) + Vec3(1, 2, 3);
    return positions;
}

inline double largest(std::span<const Vec3> vectors) {
    double most = 0;
    for (const Vec3& v : vectors) most = std::max(most, v.norm());
    return most;
}

} // namespace knead::testing
