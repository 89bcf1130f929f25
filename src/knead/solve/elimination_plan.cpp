#include "knead/solve/elimination_plan.hpp"

#include "knead/base/error.hpp"
#include "knead/solve/ordering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace knead {
namespace {

// The pattern above the diagonal, column by column, in the order of elimination.
struct Upper {
    std::vector<std::size_t> starts;
    std::vector<int> rows;
};

Upper upper_pattern(const SparseMatrix& lower, std::span<const int> order) {
    const std::size_t n = order.size();
    std::vector<int> place(n);
    for (std::size_t k = 0; k < n; ++k) place[order[k]] = static_cast<int>(k);
    Upper upper;
    upper.starts.assign(n + 1, 0);
    const auto for_each = [&](auto&& visit) {
        for (int j = 0; j < lower.outerSize(); ++j)
            for (SparseMatrix::InnerIterator it(lower, j); it; ++it)
                if (it.row() > j) {
                    const int a = place[it.row()], b = place[j];
                    visit(std::min(a, b), std::max(a, b));
                }
    };
    for_each([&](int, int column) { ++upper.starts[column + 1]; });
    std::inclusive_scan(upper.starts.begin(), upper.starts.end(), upper.starts.begin());
    upper.rows.resize(upper.starts.back());
    std::vector<std::size_t> next(upper.starts.begin(), upper.starts.end() - 1);
    for_each([&](int row, int column) { upper.rows[next[column]++] = row; });
    return upper;
}

// The elimination tree, with path compression (Liu).
std::vector<int> elimination_tree(const Upper& upper) {
    const int n = static_cast<int>(upper.starts.size()) - 1;
    std::vector<int> parent(n, -1), ancestor(n, -1);
    for (int j = 0; j < n; ++j)
        for (std::size_t e = upper.starts[j]; e < upper.starts[j + 1]; ++e)
            for (int i = upper.rows[e]; i != -1 && i < j;) {
                const int next = ancestor[i];
                ancestor[i] = j;
                if (next == -1) parent[i] = j;
                i = next;
            }
    return parent;
}

// Children before parents, each subtree in one piece.
std::vector<int> postorder(const std::vector<int>& parent) {
    const int n = static_cast<int>(parent.size());
    std::vector<int> first_child(n, -1), sibling(n, -1), order;
    std::vector<int> stack;
    for (int j = n - 1; j >= 0; --j) {
        if (parent[j] == -1) continue;
        sibling[j] = first_child[parent[j]];
        first_child[parent[j]] = j;
    }
    for (int j = n - 1; j >= 0; --j)
        if (parent[j] == -1) stack.push_back(j);
    while (!stack.empty()) {
        const int j = stack.back();
        if (const int child = first_child[j]; child != -1) {
            first_child[j] = sibling[child];
            stack.push_back(child);
        } else {
            order.push_back(j);
            stack.pop_back();
        }
    }
    return order;
}

// How many non-zeros each column of the factor has: row i of the factor is the part of the tree
// between i and the non-zeros of row i of the matrix.
std::vector<int> column_counts(const Upper& upper, const std::vector<int>& parent) {
    const int n = static_cast<int>(parent.size());
    std::vector<int> count(n, 1), mark(n, -1);
    for (int i = 0; i < n; ++i) {
        mark[i] = i;
        for (std::size_t e = upper.starts[i]; e < upper.starts[i + 1]; ++e)
            for (int j = upper.rows[e]; mark[j] != i; j = parent[j]) {
                mark[j] = i;
                ++count[j];
            }
    }
    return count;
}

// Whether a child is worth joining with its parent although that stores zeros: small ones nearly
// always, larger ones when the zeros are few. The bounds are those at which spheres of 1k to 35k
// vertices factorise fastest.
bool worth_joining(int columns, double zeros, double values) {
    const double share = zeros / values;
    if (columns <= 8) return true;
    if (columns <= 24) return share < 0.4;
    if (columns <= 64) return share < 0.12;
    return share < 0.04;
}

struct Columns {
    int first, last;
};

// Columns that form a supernode: chains in the tree with the same rows, then small ones with their
// parents.
std::vector<Columns> find_supernodes(const std::vector<int>& parent,
                                     const std::vector<int>& count) {
    const int n = static_cast<int>(parent.size());
    std::vector<Columns> chains;
    for (int j = 0; j < n; ++j) {
        if (!chains.empty() && parent[j - 1] == j && count[j - 1] == count[j] + 1)
            chains.back().last = j;
        else
            chains.push_back({j, j});
    }
    // In postorder the last child stands right before its parent, so that joining keeps columns in
    // a row. A stack of what is done so far; each new chain takes the one before while that pays.
    std::vector<Columns> joined;
    std::vector<double> zeros;
    for (const Columns& chain : chains) {
        joined.push_back(chain);
        zeros.push_back(0);
        while (joined.size() > 1) {
            const Columns& child = joined[joined.size() - 2];
            const Columns& top = joined.back();
            if (parent[child.last] < top.first || parent[child.last] > top.last) break;
            const double child_columns = child.last - child.first + 1;
            const double columns = child_columns + top.last - top.first + 1;
            const double rows = columns + count[top.last] - 1;
            // Every column of the child gets all the rows of the parent.
            const double child_rows = count[child.last] - 1;
            const double parent_rows = rows - child_columns;
            const double more =
                zeros.back() + zeros[zeros.size() - 2] + child_columns * (parent_rows - child_rows);
            const double values = columns * (columns + 1) / 2 + columns * (rows - columns);
            if (!worth_joining(static_cast<int>(columns), more, values)) break;
            const Columns both{child.first, top.last};
            joined.pop_back();
            zeros.pop_back();
            joined.back() = both;
            zeros.back() = more;
        }
    }
    return joined;
}

// The rows of every supernode.
void find_rows(const Upper& upper, const std::vector<Columns>& groups, EliminationPlan& plan) {
    const int n = plan.unknowns;
    std::vector<int>& supernode_of = plan.supernode_of;
    supernode_of.resize(static_cast<std::size_t>(n));
    for (std::size_t s = 0; s < groups.size(); ++s)
        for (int j = groups[s].first; j <= groups[s].last; ++j)
            supernode_of[j] = static_cast<int>(s);
    // The pattern below the diagonal, by the supernode of the column.
    std::vector<std::vector<int>> below(groups.size());
    for (int i = 0; i < n; ++i)
        for (std::size_t e = upper.starts[i]; e < upper.starts[i + 1]; ++e)
            if (const int s = supernode_of[upper.rows[e]]; s != supernode_of[i])
                below[s].push_back(i);
    for (std::size_t s = 0; s < groups.size(); ++s) {
        std::vector<int>& rows = below[s];
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        EliminationPlan::Supernode& node = plan.supernodes.emplace_back();
        node.first = groups[s].first;
        node.columns = groups[s].last - groups[s].first + 1;
        node.below = static_cast<int>(rows.size());
        node.rows = plan.rows.size();
        node.panel = plan.panel_values;
        plan.panel_values += static_cast<std::size_t>(node.height()) * node.columns;
        plan.tallest = std::max(plan.tallest, node.height());
        plan.rows.insert(plan.rows.end(), rows.begin(), rows.end());
        if (rows.empty()) continue;
        node.parent = supernode_of[rows.front()];
        std::vector<int>& of_parent = below[node.parent];
        for (const int row : rows)
            if (row > groups[node.parent].last) of_parent.push_back(row);
        rows.clear();
        rows.shrink_to_fit();
    }
}

void find_entries(const SparseMatrix& lower, EliminationPlan& plan) {
    std::vector<int> place(plan.order.size());
    for (std::size_t k = 0; k < place.size(); ++k) place[plan.order[k]] = static_cast<int>(k);
    const auto for_each = [&](auto&& visit) {
        for (int j = 0; j < lower.outerSize(); ++j)
            for (int e = lower.outerIndexPtr()[j]; e < lower.outerIndexPtr()[j + 1]; ++e) {
                const int i = lower.innerIndexPtr()[e];
                visit(e, std::max(place[i], place[j]), std::min(place[i], place[j]));
            }
    };
    plan.entry_supernodes.resize(static_cast<std::size_t>(lower.nonZeros()));
    plan.entry_starts.assign(plan.supernodes.size() + 1, 0);
    for_each([&](int e, int, int column) {
        plan.entry_supernodes[e] = plan.supernode_of[column];
        ++plan.entry_starts[plan.supernode_of[column] + 1];
    });
    std::inclusive_scan(plan.entry_starts.begin(), plan.entry_starts.end(),
                        plan.entry_starts.begin());
    plan.entries.resize(plan.entry_starts.back());
    std::vector<std::size_t> next(plan.entry_starts.begin(), plan.entry_starts.end() - 1);
    for_each([&](int e, int row, int column) {
        const int supernode = plan.supernode_of[column];
        const EliminationPlan::Supernode& node = plan.supernodes[supernode];
        int in_panel = row - node.first;
        if (in_panel >= node.columns) {
            const auto begin = plan.rows.begin() + static_cast<std::ptrdiff_t>(node.rows);
            in_panel = node.columns +
                       static_cast<int>(std::lower_bound(begin, begin + node.below, row) - begin);
        }
        plan.entries[next[supernode]++] = {e, column - node.first, in_panel};
    });
}

void place_updates(EliminationPlan& plan) {
    for (EliminationPlan::Supernode& node : plan.supernodes) {
        node.update = plan.update_values;
        const auto side = static_cast<std::size_t>(node.padded_below());
        plan.update_values += side * side;
    }
}

void check(const SparseMatrix& lower) {
    if (lower.rows() != lower.cols())
        throw InputError(fmt::format("solver: the matrix is {} by {}, expected a square one",
                                     lower.rows(), lower.cols()));
    if (!lower.isCompressed()) throw InputError("solver: the matrix is not compressed");
}

} // namespace

std::shared_ptr<const EliminationPlan> plan_elimination(const SparseMatrix& lower) {
    check(lower);
    return plan_elimination(lower, nested_dissection_order(lower));
}

std::shared_ptr<const EliminationPlan> plan_elimination(const SparseMatrix& lower,
                                                        std::span<const int> dissected) {
    check(lower);
    if (static_cast<Eigen::Index>(dissected.size()) != lower.cols())
        throw InputError(fmt::format("solver: the order has {} unknowns, expected {}",
                                     dissected.size(), lower.cols()));
    auto plan = std::make_shared<EliminationPlan>();
    plan->unknowns = static_cast<int>(lower.cols());
    plan->matrix_columns.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.cols() + 1);
    plan->matrix_rows.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());
    if (plan->unknowns == 0) return plan;

    for (const int k : postorder(elimination_tree(upper_pattern(lower, dissected))))
        plan->order.push_back(dissected[k]);
    const Upper upper = upper_pattern(lower, plan->order);
    const std::vector<int> parent = elimination_tree(upper);
    find_rows(upper, find_supernodes(parent, column_counts(upper, parent)), *plan);
    find_entries(lower, *plan);
    place_updates(*plan);
    return plan;
}

} // namespace knead
