#pragma once

#include "knead/base/sparse.hpp"
#include "knead/base/types.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

/// A sparse symmetric matrix of 3x3 blocks, one row of blocks a node. Both triangles are stored, so
/// that a row can be relaxed on its own.
struct BlockMatrix {
    std::vector<int> starts;   ///< where each row begins, and the end
    std::vector<int> columns;  ///< ascending within a row
    std::vector<int> diagonal; ///< where the diagonal block of each row is
    std::vector<Mat3> values;

    int rows() const { return static_cast<int>(diagonal.size()); }
    const Mat3& diagonal_block(int row) const { return values[diagonal[row]]; }
};

/// A zero matrix in which every row has its diagonal block, and the two rows of each coupling have
/// blocks for each other. Couplings may be given twice and either way round.
BlockMatrix make_block_matrix(int rows, std::span<const std::array<int, 2>> couplings);

/// Where the block is in `values`; it must be there.
int find_block(const BlockMatrix& matrix, int row, int column);

/// y = A x.
void multiply(const BlockMatrix& matrix, std::span<const Vec3> x, std::span<Vec3> y);

/// The lower triangle, number by number, of the rows from `first` to before `last`, which must not
/// couple with others: what `SpdSolver` takes. The pattern is that of the blocks, whatever is zero.
SparseMatrix lower_triangle(const BlockMatrix& matrix, int first, int last);

/// The same in the memory of an earlier result with the same pattern.
void lower_triangle(const BlockMatrix& matrix, int first, int last, SparseMatrix& result);

} // namespace knead
