#include "knead/solve/block_matrix.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace knead {

namespace {

// How many numbers the lower triangle of the rows has.
int count_lower_numbers(const BlockMatrix& matrix, int first, int last) {
    int count = 0;
    for (int row = first; row < last; ++row)
        count += 6 + 9 * (matrix.starts[row + 1] - matrix.diagonal[row] - 1);
    return count;
}

void check_row_range(const BlockMatrix& matrix, int first, int last) {
    if (first < 0 || first > last || last > matrix.rows())
        throw InputError(
            fmt::format("rows {} to {} of a block matrix: expected a range within its {} rows",
                        first, last, matrix.rows()));
}

} // namespace

BlockMatrix make_block_matrix(int rows, std::span<const std::array<int, 2>> couplings) {
    if (rows < 0)
        throw InputError(fmt::format("a block matrix of {} rows: expected 0 or more", rows));
    std::vector<int> begin(static_cast<std::size_t>(rows) + 1, 0);
    for (std::size_t c = 0; c < couplings.size(); ++c) {
        const auto [a, b] = couplings[c];
        if (a < 0 || b < 0 || a >= rows || b >= rows)
            throw InputError(
                fmt::format("coupling {} of a block matrix: found rows {} and {}, expected 0 to {}",
                            c, a, b, rows - 1));
        ++begin[a + 1];
        ++begin[b + 1];
    }
    for (int row = 0; row < rows; ++row) begin[row + 1] += begin[row] + 1;

    std::vector<int> columns(begin.back());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (int row = 0; row < rows; ++row) columns[next[row]++] = row;
    for (const auto& [a, b] : couplings) {
        columns[next[a]++] = b;
        columns[next[b]++] = a;
    }

    BlockMatrix matrix;
    matrix.starts.resize(static_cast<std::size_t>(rows) + 1);
    matrix.diagonal.resize(rows);
    int count = 0;
    for (int row = 0; row < rows; ++row) {
        const auto from = columns.begin() + begin[row];
        std::sort(from, columns.begin() + begin[row + 1]);
        const auto to = std::unique(from, columns.begin() + begin[row + 1]);
        matrix.starts[row] = count;
        // What is written never passes what is still to be read.
        for (auto column = from; column != to; ++column) {
            if (*column == row) matrix.diagonal[row] = count;
            columns[count++] = *column;
        }
    }
    matrix.starts[rows] = count;
    columns.resize(count);
    matrix.columns = std::move(columns);
    matrix.values.assign(count, Mat3::Zero());
    return matrix;
}

int find_block(const BlockMatrix& matrix, int row, int column) {
    const auto begin = matrix.columns.begin() + matrix.starts[row];
    const auto end = matrix.columns.begin() + matrix.starts[row + 1];
    const auto found = std::lower_bound(begin, end, column);
    if (found == end || *found != column)
        throw InputError(
            fmt::format("block matrix: row {} has no block in column {}", row, column));
    return static_cast<int>(found - matrix.columns.begin());
}

void multiply(const BlockMatrix& matrix, std::span<const Vec3> x, std::span<Vec3> y) {
    const auto rows = static_cast<std::size_t>(matrix.rows());
    if (x.size() != rows || y.size() != rows)
        throw InputError(
            fmt::format("product with a block matrix of {} rows: found vectors of {} and {}", rows,
                        x.size(), y.size()));
    parallel_for(rows, 512, [&](std::size_t row) {
        Vec3 sum = Vec3::Zero();
        for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
            sum += matrix.values[k] * x[matrix.columns[k]];
        y[row] = sum;
    });
}

SparseMatrix lower_triangle(const BlockMatrix& matrix, int first, int last) {
    check_row_range(matrix, first, last);
    const int size = 3 * (last - first);
    SparseMatrix result(size, size);
    result.resizeNonZeros(count_lower_numbers(matrix, first, last));
    int* const starts = result.outerIndexPtr();
    int* const rows = result.innerIndexPtr();
    int count = 0;
    for (int row = first; row < last; ++row) {
        const int begin = matrix.starts[row];
        const int end = matrix.starts[row + 1];
        if (matrix.columns[begin] < first || matrix.columns[end - 1] >= last)
            throw InputError(fmt::format("lower triangle of rows {} to {} of a block matrix: row "
                                         "{} couples with row {} outside of them",
                                         first, last, row,
                                         matrix.columns[begin] < first ? matrix.columns[begin]
                                                                       : matrix.columns[end - 1]));
        for (int c = 0; c < 3; ++c) {
            starts[3 * (row - first) + c] = count;
            for (int r = c; r < 3; ++r) rows[count++] = 3 * (row - first) + r;
            for (int k = matrix.diagonal[row] + 1; k < end; ++k)
                for (int r = 0; r < 3; ++r) rows[count++] = 3 * (matrix.columns[k] - first) + r;
        }
    }
    starts[size] = count;
    lower_triangle(matrix, first, last, result);
    return result;
}

void lower_triangle(const BlockMatrix& matrix, int first, int last, SparseMatrix& result) {
    check_row_range(matrix, first, last);
    const int size = 3 * (last - first);
    const int count = count_lower_numbers(matrix, first, last);
    if (result.rows() != size || result.cols() != size || !result.isCompressed() ||
        result.nonZeros() != count)
        throw InputError(fmt::format(
            "lower triangle of rows {} to {} of a block matrix: found memory for {} rows "
            "with {} numbers, expected {} with {}",
            first, last, result.rows(), result.nonZeros(), size, count));
    // A column of the lower triangle is, transposed, a row of the upper one: it is read in order.
    double* value = result.valuePtr();
    for (int row = first; row < last; ++row) {
        const int diagonal = matrix.diagonal[row];
        for (int c = 0; c < 3; ++c) {
            for (int r = c; r < 3; ++r) *value++ = matrix.values[diagonal](c, r);
            for (int k = diagonal + 1; k < matrix.starts[row + 1]; ++k)
                for (int r = 0; r < 3; ++r) *value++ = matrix.values[k](c, r);
        }
    }
}

} // namespace knead
