#include "knead/solve/spd_solver.hpp"

#include "knead/base/error.hpp"

#include <Eigen/SparseCholesky>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace knead {
namespace {

class EigenSolver final : public SpdSolver {
public:
    void analyse(const SparseMatrix& lower) override {
        if (lower.rows() != lower.cols())
            throw InputError(fmt::format("solver: the matrix is {} by {}, expected a square one",
                                         lower.rows(), lower.cols()));
        factorised_ = false;
        if (!lower.isCompressed()) throw InputError("solver: the matrix is not compressed");
        columns_.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.cols() + 1);
        rows_.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
        ldlt_.analyzePattern(lower);
    }

    void factorise(const SparseMatrix& lower) override {
        factorised_ = false;
        if (!lower.isCompressed() ||
            !std::equal(columns_.begin(), columns_.end(), lower.outerIndexPtr(),
                        lower.outerIndexPtr() + lower.outerSize() + 1) ||
            !std::equal(rows_.begin(), rows_.end(), lower.innerIndexPtr(),
                        lower.innerIndexPtr() + lower.nonZeros()))
            throw InputError("solver: the matrix does not have the pattern that was analysed");
        ldlt_.factorize(lower);
        // LDLT goes on with a negative pivot; a positive definite matrix has none.
        const Eigen::VectorXd pivots = ldlt_.vectorD();
        for (Eigen::Index i = 0; i < pivots.size(); ++i)
            if (!(pivots[i] > 0) || !std::isfinite(pivots[i])) {
                const auto& order = ldlt_.permutationPinv().indices();
                throw SolveError(
                    fmt::format("solver: the matrix is not positive definite: unknown {} of {} has "
                                "the pivot {}",
                                order.size() > 0 ? order[i] : i, pivots.size(), pivots[i]));
            }
        factorised_ = true;
    }

    void solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const override {
        if (!factorised_) throw InputError("solver: solve was called before factorise");
        if (right_hand_sides.rows() != ldlt_.rows())
            throw InputError(fmt::format("solver: the right-hand side has {} rows, expected {}",
                                         right_hand_sides.rows(), ldlt_.rows()));
        right_hand_sides = ldlt_.solve(right_hand_sides).eval();
    }

private:
    Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt_;
    std::vector<int> columns_, rows_;
    bool factorised_ = false;
};

} // namespace

std::unique_ptr<SpdSolver> make_eigen_solver() {
    return std::make_unique<EigenSolver>();
}

} // namespace knead
