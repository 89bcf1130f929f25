#include "knead/solve/supernodal_solver.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {

const FrontKernels& best_front_kernels() {
#if defined(__x86_64__) && !defined(KNEAD_PLAIN_KERNELS)
    static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return has_avx2 ? avx2_front_kernels : plain_front_kernels;
#else
    return plain_front_kernels;
#endif
}

namespace {

// A multifrontal Cholesky factorisation, L L^T. On surfaces of 1k to 35k vertices it takes a tenth
// to a twentieth of what SimplicialLDLT does; CHOLMOD's supernodes call a BLAS, which is no help
// for fronts of this size.
//
// Fronts are kept from one call to the next, with their updates (which makes it twice the memory):
// where the next matrix has the same values, they are the same. A contact on a mesh that stands
// still changes only the fronts between its zone and the root.
class SupernodalSolver final : public SpdSolver {
public:
    SupernodalSolver(std::shared_ptr<const EliminationPlan> plan, const FrontKernels& kernels)
        : plan_(std::move(plan)), kernels_(kernels) {}

    void analyse(const SparseMatrix& lower) override {
        factorised_ = false;
        values_.clear();
        plan_ = plan_elimination(lower);
    }

    void factorise(const SparseMatrix& lower) override;
    void solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const override;

private:
    using Supernode = EliminationPlan::Supernode;

    FrontPanel panel(const Supernode& node) const {
        return {const_cast<double*>(panels_.data()) + node.panel, node.columns,
                node.padded_columns(), node.height()};
    }
    const int* places(const Supernode& node) const { return plan_->places.data() + node.rows; }
    void find_changed(const SparseMatrix& lower);
    void add_to_panel(const Supernode& child);
    void add_to_update(const Supernode& child, double* of_parent) const;
    template <int Sides>
    void substitute(std::vector<double>& x) const;

    std::shared_ptr<const EliminationPlan> plan_;
    const FrontKernels& kernels_;
    std::vector<double> values_; ///< of the matrix that was factorised; empty: none was
    std::vector<char> changed_;  ///< one a supernode
    std::vector<double> panels_, updates_, scratch_;
    bool factorised_ = false;
};

// The part of a child's update that belongs to the columns of its parent.
void SupernodalSolver::add_to_panel(const Supernode& child) {
    const double* const update = updates_.data() + child.update;
    const FrontPanel parent = panel(plan_->supernodes[child.parent]);
    const int* const place = places(child);
    const std::ptrdiff_t side = child.padded_below();
    for (int j = 0; j < child.below && place[j] < parent.columns; ++j) {
        double* const column =
            parent.values + static_cast<std::ptrdiff_t>(place[j]) * parent.height;
        for (int i = j; i < child.below; ++i) column[place[i]] += update[j * side + i];
    }
}

// And the part that goes on to those above.
void SupernodalSolver::add_to_update(const Supernode& child, double* of_parent) const {
    const double* const update = updates_.data() + child.update;
    const Supernode& parent = plan_->supernodes[child.parent];
    const int* const place = places(child);
    const int first = parent.padded_columns();
    const std::ptrdiff_t side = child.padded_below(), parent_side = parent.padded_below();
    int j = 0;
    while (j < child.below && place[j] < first) ++j;
    for (; j < child.below; ++j) {
        double* const column = of_parent + (place[j] - first) * parent_side - first;
        for (int i = j; i < child.below; ++i) column[place[i]] += update[j * side + i];
    }
}

void SupernodalSolver::factorise(const SparseMatrix& lower) {
    factorised_ = false;
    if (!plan_) throw InputError("solver: factorise was called before analyse");
    const EliminationPlan& plan = *plan_;
    if (!lower.isCompressed() ||
        !std::equal(plan.matrix_columns.begin(), plan.matrix_columns.end(), lower.outerIndexPtr(),
                    lower.outerIndexPtr() + lower.outerSize() + 1) ||
        !std::equal(plan.matrix_rows.begin(), plan.matrix_rows.end(), lower.innerIndexPtr(),
                    lower.innerIndexPtr() + lower.nonZeros()))
        throw InputError("solver: the matrix does not have the pattern that was analysed");
    find_changed(lower);
    scratch_.resize(4 * static_cast<std::size_t>(plan.tallest));
    for (std::size_t s = 0; s < plan.supernodes.size(); ++s) {
        if (!changed_[s]) continue;
        const Supernode& node = plan.supernodes[s];
        const FrontPanel front = panel(node);
        std::fill_n(front.values, static_cast<std::size_t>(node.columns) * node.height(), 0.0);
        for (const int e : plan.supernode_entries[static_cast<int>(s)])
            panels_[plan.entries[e]] += values_[e];
        const std::span<const int> children = plan.children[static_cast<int>(s)];
        for (const int child : children) add_to_panel(plan.supernodes[child]);
        double* const update = updates_.data() + node.update;
        if (const int failed = kernels_.factorise(front, update, scratch_.data()); failed >= 0) {
            values_.clear();
            throw SolveError(fmt::format(
                "solver: the matrix is not positive definite: unknown {} of {} has the pivot {}",
                plan.order[node.first + failed], plan.unknowns,
                front.values[static_cast<std::ptrdiff_t>(failed) * node.height() + failed]));
        }
        for (const int child : children) add_to_update(plan.supernodes[child], update);
        if (node.parent >= 0) changed_[node.parent] = 1;
    }
    factorised_ = true;
}

// A supernode is as it was when its own values are, and those of all below it in the tree.
void SupernodalSolver::find_changed(const SparseMatrix& lower) {
    const EliminationPlan& plan = *plan_;
    const double* const values = lower.valuePtr();
    const auto count = static_cast<std::size_t>(lower.nonZeros());
    if (values_.size() != count) {
        values_.assign(values, values + count);
        panels_.resize(plan.panel_values);
        updates_.resize(plan.update_values);
        changed_.assign(plan.supernodes.size(), 1);
        return;
    }
    changed_.assign(plan.supernodes.size(), 0);
    for (std::size_t e = 0; e < count; ++e)
        if (values_[e] != values[e]) {
            values_[e] = values[e];
            changed_[plan.entry_supernodes[e]] = 1;
        }
}

template <int Sides>
void SupernodalSolver::substitute(std::vector<double>& x) const {
    const EliminationPlan& plan = *plan_;
    std::vector<double> below(Sides * static_cast<std::size_t>(plan.tallest));
    for (const Supernode& node : plan.supernodes) {
        std::fill_n(below.begin(), Sides * node.padded_below(), 0.0);
        (Sides == 1 ? kernels_.forward_one
                    : kernels_.forward)(panel(node), x.data() + Sides * node.first, below.data());
        for (int r = 0; r < node.below; ++r)
            for (int s = 0; s < Sides; ++s)
                x[Sides * plan.rows[node.rows + r] + s] += below[Sides * r + s];
    }
    for (auto node = plan.supernodes.rbegin(); node != plan.supernodes.rend(); ++node) {
        for (int r = 0; r < node->below; ++r)
            for (int s = 0; s < Sides; ++s)
                below[Sides * r + s] = x[Sides * plan.rows[node->rows + r] + s];
        std::fill(below.begin() + Sides * node->below, below.begin() + Sides * node->padded_below(),
                  0.0);
        (Sides == 1 ? kernels_.backward_one : kernels_.backward)(
            panel(*node), x.data() + Sides * node->first, below.data());
    }
}

void SupernodalSolver::solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const {
    if (!factorised_) throw InputError("solver: solve was called before factorise");
    const EliminationPlan& plan = *plan_;
    if (right_hand_sides.rows() != plan.unknowns)
        throw InputError(fmt::format("solver: the right-hand side has {} rows, expected {}",
                                     right_hand_sides.rows(), plan.unknowns));
    std::vector<double> x;
    for (Eigen::Index first = 0; first < right_hand_sides.cols();) {
        const Eigen::Index left = right_hand_sides.cols() - first;
        const int sides = left > 1 ? 4 : 1;
        const int count = static_cast<int>(std::min<Eigen::Index>(sides, left));
        x.assign(static_cast<std::size_t>(sides) * plan.unknowns, 0.0);
        for (int s = 0; s < count; ++s)
            for (int k = 0; k < plan.unknowns; ++k)
                x[static_cast<std::size_t>(sides) * k + s] =
                    right_hand_sides(plan.order[k], first + s);
        if (sides == 1)
            substitute<1>(x);
        else
            substitute<4>(x);
        for (int s = 0; s < count; ++s)
            for (int k = 0; k < plan.unknowns; ++k)
                right_hand_sides(plan.order[k], first + s) =
                    x[static_cast<std::size_t>(sides) * k + s];
        first += count;
    }
}

} // namespace

std::unique_ptr<SpdSolver> make_supernodal_solver(std::shared_ptr<const EliminationPlan> plan,
                                                  const FrontKernels& kernels) {
    return std::make_unique<SupernodalSolver>(std::move(plan), kernels);
}

} // namespace knead
