#include "knead/base/random.hpp"
#include "knead/solve/hard_values.hpp"
#include "knead/solve/spd_solver.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace knead {
namespace {

// A random symmetric, diagonally dominant matrix, as lower triangle.
SparseMatrix random_lower(int n, Random& random) {
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (int k = 0; k < 4 * n; ++k) {
        const int i = random.index(n), j = random.index(n);
        if (i == j) continue;
        const double value = random.uniform(-1, 1);
        dense(i, j) = dense(j, i) = value;
    }
    for (int i = 0; i < n; ++i) dense(i, i) = 1 + dense.row(i).cwiseAbs().sum();
    return SparseMatrix(Eigen::MatrixXd(dense.triangularView<Eigen::Lower>()).sparseView());
}

TEST(HardValues, AgreeWithTheReducedDenseSystem) {
    Random random(3);
    for (int trial = 0; trial < 50; ++trial) {
        const int n = 2 + random.index(30);
        SparseMatrix lower = random_lower(n, random);
        const Eigen::MatrixXd full = Eigen::MatrixXd(lower).selfadjointView<Eigen::Lower>();
        std::vector<char> fixed(static_cast<std::size_t>(n));
        std::vector<int> free_rows;
        for (int i = 0; i < n; ++i) {
            fixed[i] = random.uniform() < 0.3;
            if (!fixed[i]) free_rows.push_back(i);
        }
        const Eigen::MatrixXd values =
            Eigen::MatrixXd::NullaryExpr(n, 3, [&] { return random.uniform(-1, 1); });
        const Eigen::MatrixXd b =
            Eigen::MatrixXd::NullaryExpr(n, 3, [&] { return random.uniform(-1, 1); });

        Eigen::MatrixXd x = b;
        const int entries = static_cast<int>(lower.nonZeros());
        move_hard_values(lower, fixed, values, x);
        constrain_matrix(lower, fixed);
        EXPECT_EQ(lower.nonZeros(), entries);
        const auto solver = make_eigen_solver();
        solver->analyse(lower);
        solver->factorise(lower);
        solver->solve(x);

        for (int i = 0; i < n; ++i)
            if (fixed[i]) {
                EXPECT_EQ((x.row(i) - values.row(i)).norm(), 0);
            }
        // What is left of the full system on the free rows must hold.
        const Eigen::MatrixXd residual = full * x - b;
        for (const int i : free_rows) EXPECT_LT(residual.row(i).norm(), 1e-12);
    }
}

} // namespace
} // namespace knead
