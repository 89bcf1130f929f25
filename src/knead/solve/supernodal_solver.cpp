#include "knead/solve/supernodal_solver.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

// Eight gigabytes: of a cube of finite elements, some thirty along each side.
constexpr std::size_t most_values = 1'000'000'000;

// A multifrontal Cholesky factorisation, L L^T. On surfaces of 1k to 35k vertices it takes a tenth
// to a twentieth of what SimplicialLDLT does; CHOLMOD's supernodes call a BLAS, which is no help
// for fronts of this size.
//
// Unknowns that no value couples to another, as those with hard values are, are not in the fronts:
// what is left costs what it would with a plan of its own. To leave them out takes a walk over the
// rows of all supernodes, a twentieth of a factorisation.
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
        const std::size_t values = plan_->panel_values + plan_->update_values;
        if (values > most_values)
            throw SolveError(fmt::format("{} unknowns take {:.3g} numbers to solve for, expected "
                                         "at most {:.0e}",
                                         plan_->unknowns, static_cast<double>(values),
                                         static_cast<double>(most_values)));
    }

    void factorise(const SparseMatrix& lower) override;
    void solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const override;

private:
    using Supernode = EliminationPlan::Supernode;

    FrontPanel panel(const Supernode& node) const {
        return {const_cast<double*>(panels_.data()) + node.panel, node.columns,
                node.padded_columns(), node.height()};
    }
    bool find_changed(const SparseMatrix& lower);
    void check_alone() const;
    void find_fronts();
    void find_places();
    void add_values(int supernode);
    void add_to_panel(const Supernode& child);
    void add_to_update(const Supernode& child, double* of_parent) const;
    template <int Sides>
    void substitute() const;

    std::shared_ptr<const EliminationPlan> plan_;
    const FrontKernels& kernels_;
    std::vector<double> values_;   ///< of the matrix that was factorised; empty: none was
    std::vector<double> diagonal_; ///< one an unknown
    std::vector<char> changed_;    ///< one a supernode
    std::vector<char> coupled_;    ///< one an unknown
    std::vector<char> in_front_;   ///< the same, one a column of the plan
    std::vector<char> turned_;     ///< one a column: it was not so before
    std::vector<int> number_;      ///< of a column among those that are, one more than columns
    // The plan's supernodes with what is left of them, in the plan's memory. Without columns: none.
    std::vector<Supernode> fronts_;
    std::vector<int> rows_;      ///< numbers of the rows below
    std::vector<int> places_;    ///< of the same rows in the parent's panel
    std::vector<int> kept_rows_; ///< of each row of the plan: its place in the panel, or -1
    std::vector<int> first_child_, sibling_;
    std::vector<double> panels_, updates_, scratch_;
    mutable std::vector<double> x_, below_;
    bool factorised_ = false;
};

// Gives whether other unknowns are coupled than before.
bool SupernodalSolver::find_changed(const SparseMatrix& lower) {
    const EliminationPlan& plan = *plan_;
    const double* const values = lower.valuePtr();
    const auto count = static_cast<std::size_t>(lower.nonZeros());
    const auto unknowns = static_cast<std::size_t>(plan.unknowns);
    const bool fresh = values_.size() != count || in_front_.size() != unknowns;
    if (fresh) {
        values_.assign(values, values + count);
        panels_.resize(plan.panel_values);
        updates_.resize(plan.update_values);
        fronts_ = plan.supernodes;
        rows_.resize(plan.rows.size());
        places_.resize(plan.rows.size());
        kept_rows_.resize(plan.rows.size());
        in_front_.assign(unknowns, 0);
    }
    changed_.assign(plan.supernodes.size(), fresh);
    coupled_.assign(unknowns, 0);
    diagonal_.assign(unknowns, 0);
    // A char may be a part of anything, also of what says where the chars are: pointers of our own
    // need not be read again after each is written.
    {
        const int *const columns = plan.matrix_columns.data(), *const rows =
                                                                   plan.matrix_rows.data();
        const int* const supernodes = plan.entry_supernodes.data();
        double *const kept = values_.data(), *const diagonal = diagonal_.data();
        char *const changed = changed_.data(), *const coupled = coupled_.data();
        for (int j = 0; j < plan.unknowns; ++j) {
            char any = 0;
            for (int e = columns[j]; e < columns[j + 1]; ++e) {
                const double value = values[e];
                if (kept[e] != value) {
                    kept[e] = value;
                    changed[supernodes[e]] = 1;
                }
                if (rows[e] == j)
                    diagonal[j] += value;
                else if (value != 0)
                    any = coupled[rows[e]] = 1;
            }
            coupled[j] |= any;
        }
    }
    turned_.resize(unknowns);
    number_.resize(unknowns + 1);
    const int* const order = plan.order.data();
    const char* const coupled = coupled_.data();
    char *const in_front = in_front_.data(), *const turned = turned_.data();
    int* const numbers = number_.data();
    char others = fresh;
    int number = 0;
    for (std::size_t k = 0; k < unknowns; ++k) {
        const char now = coupled[order[k]];
        turned[k] = now != in_front[k];
        others |= turned[k];
        in_front[k] = now;
        numbers[k] = number;
        number += now;
    }
    number_[unknowns] = number;
    return others;
}

// Those that are in no front are their own pivots.
void SupernodalSolver::check_alone() const {
    for (const int unknown : plan_->order)
        if (const double pivot = diagonal_[unknown];
            !coupled_[unknown] && !(pivot > 0 && pivot < std::numeric_limits<double>::max()))
            throw SolveError(
                fmt::format("solver: the matrix is not positive definite: unknown {} of {} has the "
                            "pivot {}",
                            unknown, plan_->unknowns, pivot));
}

// What is left of each supernode. Where another column or row is left than before, the front is
// another one.
void SupernodalSolver::find_fronts() {
    const EliminationPlan& plan = *plan_;
    for (std::size_t s = 0; s < fronts_.size(); ++s) {
        const Supernode& planned = plan.supernodes[s];
        Supernode& front = fronts_[s];
        char changed = changed_[s];
        for (int j = 0; j < planned.columns; ++j) changed |= turned_[planned.first + j];
        front.first = number_[planned.first];
        front.columns = number_[planned.first + planned.columns] - front.first;
        const int parent_before = front.parent;
        front.below = 0;
        front.parent = -1;
        if (front.columns > 0) {
            const int first = front.padded_columns();
            for (std::size_t r = planned.rows; r < planned.rows + planned.below; ++r) {
                const int row = plan.rows[r];
                changed |= turned_[row];
                kept_rows_[r] = in_front_[row] ? first + front.below : -1;
                if (!in_front_[row]) continue;
                if (front.below == 0) front.parent = plan.supernode_of[row];
                rows_[planned.rows + front.below++] = number_[row];
            }
        }
        changed_[s] = changed;
        if (changed && parent_before >= 0) changed_[parent_before] = 1;
    }
}

// Where the rows of each front are in the panel of its parent. Children are listed ascending.
void SupernodalSolver::find_places() {
    first_child_.assign(fronts_.size(), -1);
    sibling_.assign(fronts_.size(), -1);
    for (std::size_t s = fronts_.size(); s-- > 0;) {
        const Supernode& front = fronts_[s];
        if (front.parent < 0) continue;
        sibling_[s] = first_child_[front.parent];
        first_child_[front.parent] = static_cast<int>(s);
        const Supernode& parent = fronts_[front.parent];
        const int* above = rows_.data() + parent.rows;
        const int* const rows = rows_.data() + front.rows;
        int* const places = places_.data() + front.rows;
        int r = 0;
        for (; r < front.below && rows[r] < parent.first + parent.columns; ++r)
            places[r] = rows[r] - parent.first;
        for (int at = parent.padded_columns(); r < front.below; ++r) {
            while (*above != rows[r]) ++above, ++at;
            places[r] = at;
        }
    }
}

void SupernodalSolver::add_values(int supernode) {
    const EliminationPlan& plan = *plan_;
    const Supernode& planned = plan.supernodes[supernode];
    const Supernode& front = fronts_[supernode];
    const std::ptrdiff_t height = front.height();
    double* const values = panels_.data() + front.panel;
    std::fill_n(values, front.columns * height, 0.0);
    for (std::size_t e = plan.entry_starts[supernode]; e < plan.entry_starts[supernode + 1]; ++e) {
        const EliminationPlan::Entry& entry = plan.entries[e];
        const double value = values_[entry.value];
        const int in_plan = planned.first + entry.column;
        // A value that is not 0 couples both of its ends.
        if (value == 0 || !in_front_[in_plan]) continue;
        const int row = entry.row < planned.columns
                            ? number_[planned.first + entry.row] - front.first
                            : kept_rows_[planned.rows + entry.row - planned.columns];
        values[(number_[in_plan] - front.first) * height + row] += value;
    }
}

// The part of a child's update that belongs to the columns of its parent.
void SupernodalSolver::add_to_panel(const Supernode& child) {
    const double* const update = updates_.data() + child.update;
    const FrontPanel parent = panel(fronts_[child.parent]);
    const int* const place = places_.data() + child.rows;
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
    const Supernode& parent = fronts_[child.parent];
    const int* const place = places_.data() + child.rows;
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
    try {
        const bool others_coupled = find_changed(lower);
        scratch_.resize(4 * static_cast<std::size_t>(plan.tallest));
        check_alone();
        if (others_coupled) {
            find_fronts();
            find_places();
        }
        for (std::size_t s = 0; s < fronts_.size(); ++s) {
            const Supernode& front = fronts_[s];
            if (!changed_[s]) continue;
            if (front.parent >= 0) changed_[front.parent] = 1;
            if (front.columns == 0) continue;
            add_values(static_cast<int>(s));
            for (int child = first_child_[s]; child >= 0; child = sibling_[child])
                add_to_panel(fronts_[child]);
            double* const update = updates_.data() + front.update;
            const FrontPanel values = panel(front);
            if (const int failed = kernels_.factorise(values, update, scratch_.data());
                failed >= 0) {
                int column = plan.supernodes[s].first;
                for (int left = failed; !in_front_[column] || left > 0; ++column)
                    left -= in_front_[column];
                throw SolveError(fmt::format(
                    "solver: the matrix is not positive definite: unknown {} of {} has the pivot "
                    "{}",
                    plan.order[column], plan.unknowns,
                    values.values[static_cast<std::ptrdiff_t>(failed) * values.height + failed]));
            }
            for (int child = first_child_[s]; child >= 0; child = sibling_[child])
                add_to_update(fronts_[child], update);
        }
    } catch (...) {
        values_.clear();
        throw;
    }
    factorised_ = true;
}

template <int Sides>
void SupernodalSolver::substitute() const {
    const auto forward = Sides == 1   ? kernels_.forward_one
                         : Sides == 2 ? kernels_.forward_two
                                      : kernels_.forward;
    const auto backward = Sides == 1   ? kernels_.backward_one
                          : Sides == 2 ? kernels_.backward_two
                                       : kernels_.backward;
    below_.resize(4 * static_cast<std::size_t>(plan_->tallest));
    double* const x = x_.data();
    double* const below = below_.data();
    for (const Supernode& front : fronts_) {
        if (front.columns == 0) continue;
        const int* const rows = rows_.data() + front.rows;
        std::fill_n(below, Sides * front.padded_below(), 0.0);
        forward(panel(front), x + Sides * front.first, below);
        for (int r = 0; r < front.below; ++r)
            for (int s = 0; s < Sides; ++s) x[Sides * rows[r] + s] += below[Sides * r + s];
    }
    for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
        if (front->columns == 0) continue;
        const int* const rows = rows_.data() + front->rows;
        for (int r = 0; r < front->below; ++r)
            for (int s = 0; s < Sides; ++s) below[Sides * r + s] = x[Sides * rows[r] + s];
        std::fill(below + Sides * front->below, below + Sides * front->padded_below(), 0.0);
        backward(panel(*front), x + Sides * front->first, below);
    }
}

void SupernodalSolver::solve(Eigen::Ref<Eigen::MatrixXd> right_hand_sides) const {
    if (!factorised_) throw InputError("solver: solve was called before factorise");
    const EliminationPlan& plan = *plan_;
    if (right_hand_sides.rows() != plan.unknowns)
        throw InputError(fmt::format("solver: the right-hand side has {} rows, expected {}",
                                     right_hand_sides.rows(), plan.unknowns));
    for (Eigen::Index first = 0; first < right_hand_sides.cols();) {
        const Eigen::Index left = right_hand_sides.cols() - first;
        const int sides = left > 2 ? 4 : left > 1 ? 2 : 1;
        const int count = static_cast<int>(std::min<Eigen::Index>(sides, left));
        x_.resize(static_cast<std::size_t>(sides) * static_cast<std::size_t>(number_.back()));
        if (count < sides) std::fill(x_.begin(), x_.end(), 0.0);
        for (int s = 0; s < count; ++s) {
            double* const column = right_hand_sides.col(first + s).data();
            for (int k = 0; k < plan.unknowns; ++k) {
                const int unknown = plan.order[k];
                if (in_front_[k])
                    x_[static_cast<std::size_t>(sides) * number_[k] + s] = column[unknown];
                else if (diagonal_[unknown] != 1)
                    column[unknown] /= diagonal_[unknown];
            }
        }
        if (sides == 1)
            substitute<1>();
        else if (sides == 2)
            substitute<2>();
        else
            substitute<4>();
        for (int s = 0; s < count; ++s) {
            double* const column = right_hand_sides.col(first + s).data();
            for (int k = 0; k < plan.unknowns; ++k)
                if (in_front_[k])
                    column[plan.order[k]] = x_[static_cast<std::size_t>(sides) * number_[k] + s];
        }
        first += count;
    }
}

} // namespace

std::unique_ptr<SpdSolver> make_supernodal_solver(std::shared_ptr<const EliminationPlan> plan,
                                                  const FrontKernels& kernels) {
    return std::make_unique<SupernodalSolver>(std::move(plan), kernels);
}

} // namespace knead
