#pragma once

#include "knead/base/sparse.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace knead {

/// How a sparse Cholesky factor is computed: everything that follows from the pattern of non-zeros.
///
/// Unknowns that have nearly the same neighbours when they are eliminated form a supernode, whose
/// columns are one dense panel. Supernodes are in the order of elimination, children before their
/// parents; "row" and "column" below mean places in that order.
struct EliminationPlan {
    struct Supernode {
        int first = 0;          ///< its first column
        int columns = 0;        ///< how many it has
        int below = 0;          ///< rows below them in the panel
        int parent = -1;        ///< the supernode of the first row below
        std::size_t rows = 0;   ///< where those rows begin in `rows`
        std::size_t panel = 0;  ///< where its panel begins among the values of the factor
        std::size_t update = 0; ///< where its update, for its parent, begins among all updates

        /// Both blocks of rows begin at a multiple of four, so that vectors need no remainder; what
        /// is between is zero.
        int padded_columns() const { return (columns + 3) & ~3; }
        int padded_below() const { return (below + 3) & ~3; }
        int height() const { return padded_columns() + padded_below(); }
    };
    int unknowns = 0;
    std::vector<int> order; ///< `order[k]` is the k-th unknown to be eliminated
    std::vector<Supernode> supernodes;
    std::vector<int> supernode_of; ///< of each column
    std::vector<int> rows;         ///< of all supernodes, below their columns
    /// Where a value of the matrix goes: a column of its supernode, and one of its rows, the
    /// columns' own first and then those below.
    struct Entry {
        int value = 0; ///< of the matrix
        int column = 0, row = 0;
    };
    std::vector<Entry> entries;                   ///< of one supernode after the other
    std::vector<std::size_t> entry_starts;        ///< of each supernode, and the end
    std::vector<int> entry_supernodes;            ///< of each value of the matrix
    std::size_t panel_values = 0;                 ///< of all panels
    std::size_t update_values = 0;                ///< of all updates
    int tallest = 0;                              ///< height of a panel
    std::vector<int> matrix_columns, matrix_rows; ///< the pattern the plan is for
};

/// Plans by nested dissection. `lower` is the lower triangle; throws InputError unless it is square
/// and compressed.
std::shared_ptr<const EliminationPlan> plan_elimination(const SparseMatrix& lower);

/// The same in an order that is known to be good, such as the one of a larger system of which this
/// is a part: `order[k]` is the k-th unknown to be eliminated, up to what does not change the work.
std::shared_ptr<const EliminationPlan> plan_elimination(const SparseMatrix& lower,
                                                        std::span<const int> order);

} // namespace knead
