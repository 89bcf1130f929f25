#include "knead/solve/hard_values.hpp"

namespace knead {

void move_hard_values(const SparseMatrix& lower, std::span<const char> fixed,
                      const Eigen::Ref<const Eigen::MatrixXd>& values,
                      Eigen::Ref<Eigen::MatrixXd> right_hand_sides) {
    for (int j = 0; j < lower.outerSize(); ++j)
        for (SparseMatrix::InnerIterator it(lower, j); it; ++it) {
            const int i = static_cast<int>(it.row());
            if (fixed[j] && !fixed[i]) right_hand_sides.row(i) -= it.value() * values.row(j);
            if (fixed[i] && !fixed[j]) right_hand_sides.row(j) -= it.value() * values.row(i);
        }
    for (int i = 0; i < lower.outerSize(); ++i)
        if (fixed[i]) right_hand_sides.row(i) = values.row(i);
}

void constrain_matrix(SparseMatrix& lower, std::span<const char> fixed) {
    for (int j = 0; j < lower.outerSize(); ++j)
        for (SparseMatrix::InnerIterator it(lower, j); it; ++it)
            if (fixed[j] || fixed[it.row()]) it.valueRef() = it.row() == j ? 1.0 : 0.0;
}

} // namespace knead
