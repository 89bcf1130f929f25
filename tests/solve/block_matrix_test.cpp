#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/solve/block_matrix.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

using Couplings = std::vector<std::array<int, 2>>;

std::string block_message_of(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

// Every block is random; the matrix is symmetric.
BlockMatrix random_matrix(int rows, const Couplings& couplings, std::uint64_t seed) {
    BlockMatrix matrix = make_block_matrix(rows, couplings);
    Random random(seed);
    for (int row = 0; row < rows; ++row)
        for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k) {
            const int column = matrix.columns[k];
            if (column < row) continue;
            Mat3 block = Mat3::NullaryExpr([&] { return random.uniform(-1, 1); });
            if (column == row) block = (block + block.transpose()).eval();
            matrix.values[k] = block;
            matrix.values[find_block(matrix, column, row)] = block.transpose();
        }
    return matrix;
}

Eigen::MatrixXd dense(const BlockMatrix& matrix) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(3 * matrix.rows(), 3 * matrix.rows());
    for (int row = 0; row < matrix.rows(); ++row)
        for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; ++k)
            result.block<3, 3>(3 * row, 3 * matrix.columns[k]) = matrix.values[k];
    return result;
}

Couplings random_couplings(int first, int last, int count, std::uint64_t seed) {
    Random random(seed);
    Couplings couplings;
    for (int i = 0; i < count; ++i) {
        const auto pick = [&] {
            return std::min(last - 1, first + static_cast<int>(random.uniform(0, last - first)));
        };
        couplings.push_back({pick(), pick()});
    }
    return couplings;
}

TEST(BlockMatrixTest, HasADiagonalAndBothBlocksOfACouplingOnce) {
    const BlockMatrix matrix =
        make_block_matrix(4, Couplings{{2, 0}, {0, 2}, {1, 1}, {2, 3}, {2, 0}});
    EXPECT_EQ(matrix.starts, (std::vector<int>{0, 2, 3, 6, 8}));
    EXPECT_EQ(matrix.columns, (std::vector<int>{0, 2, 1, 0, 2, 3, 2, 3}));
    EXPECT_EQ(matrix.diagonal, (std::vector<int>{0, 2, 4, 7}));
    EXPECT_EQ(matrix.rows(), 4);
    for (const Mat3& value : matrix.values) EXPECT_TRUE(value.isZero(0));
    EXPECT_EQ(find_block(matrix, 2, 3), 5);
    EXPECT_EQ(find_block(matrix, 3, 2), 6);
}

TEST(BlockMatrixTest, IsEmptyWithoutRows) {
    const BlockMatrix matrix = make_block_matrix(0, {});
    EXPECT_EQ(matrix.rows(), 0);
    EXPECT_EQ(matrix.starts, std::vector<int>{0});
    EXPECT_EQ(lower_triangle(matrix, 0, 0).nonZeros(), 0);
}

TEST(BlockMatrixTest, ProductHasTheSameBitsWithAnyNumberOfThreads) {
    const int rows = 3000;
    const BlockMatrix matrix = random_matrix(rows, random_couplings(0, rows, 9000, 1), 2);
    Random random(3);
    std::vector<Vec3> x(rows), y(rows), again(rows);
    for (Vec3& v : x) v = Vec3::NullaryExpr([&] { return random.uniform(-1, 1); });
    multiply(matrix, x, y);
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        multiply(matrix, x, again);
        EXPECT_EQ(again, y);
    }
}

TEST(BlockMatrixTest, ProductIsThatOfTheDenseMatrix) {
    const BlockMatrix matrix = random_matrix(20, random_couplings(0, 20, 50, 4), 5);
    Random random(6);
    std::vector<Vec3> x(20), y(20);
    Eigen::VectorXd flat(60);
    for (int i = 0; i < 20; ++i) {
        x[i] = Vec3::NullaryExpr([&] { return random.uniform(-1, 1); });
        flat.segment<3>(3 * i) = x[i];
    }
    multiply(matrix, x, y);
    const Eigen::VectorXd expected = dense(matrix) * flat;
    for (int i = 0; i < 20; ++i) EXPECT_LT((y[i] - expected.segment<3>(3 * i)).norm(), 1e-14);
}

TEST(BlockMatrixTest, LowerTriangleOfABodyIsThatOfTheDenseMatrix) {
    Couplings couplings = random_couplings(0, 12, 30, 7);
    for (const auto& coupling : random_couplings(12, 30, 60, 8)) couplings.push_back(coupling);
    const BlockMatrix matrix = random_matrix(30, couplings, 9);
    const Eigen::MatrixXd all = dense(matrix);
    for (const auto& [first, last] : {std::array{0, 12}, std::array{12, 30}, std::array{0, 30}}) {
        const SparseMatrix lower = lower_triangle(matrix, first, last);
        EXPECT_TRUE(lower.isCompressed());
        for (int j = 0; j < lower.outerSize(); ++j)
            for (int k = lower.outerIndexPtr()[j]; k + 1 < lower.outerIndexPtr()[j + 1]; ++k)
                EXPECT_LT(lower.innerIndexPtr()[k], lower.innerIndexPtr()[k + 1]);
        const int size = 3 * (last - first);
        const Eigen::MatrixXd expected =
            all.block(3 * first, 3 * first, size, size).triangularView<Eigen::Lower>();
        EXPECT_EQ(Eigen::MatrixXd(lower), expected);
    }
}

TEST(BlockMatrixTest, LowerTriangleTakesNewValuesInTheSameMemory) {
    const Couplings couplings = random_couplings(0, 12, 30, 10);
    const BlockMatrix before = random_matrix(12, couplings, 11);
    const BlockMatrix after = random_matrix(12, couplings, 12);
    SparseMatrix lower = lower_triangle(before, 0, 12);
    const double* const memory = lower.valuePtr();
    lower_triangle(after, 0, 12, lower);
    EXPECT_EQ(lower.valuePtr(), memory);
    EXPECT_EQ(Eigen::MatrixXd(lower), Eigen::MatrixXd(lower_triangle(after, 0, 12)));
}

TEST(BlockMatrixTest, RefusesWhatItCannotHold) {
    EXPECT_EQ(block_message_of([] { make_block_matrix(-1, {}); }),
              "a block matrix of -1 rows: expected 0 or more");
    EXPECT_EQ(block_message_of([] {
                  make_block_matrix(3, Couplings{{0, 1}, {2, 3}});
              }),
              "coupling 1 of a block matrix: found rows 2 and 3, expected 0 to 2");
    const BlockMatrix matrix = make_block_matrix(3, Couplings{{0, 1}});
    EXPECT_EQ(block_message_of([&] { find_block(matrix, 0, 2); }),
              "block matrix: row 0 has no block in column 2");
    EXPECT_EQ(block_message_of([&] { lower_triangle(matrix, 1, 3); }),
              "lower triangle of rows 1 to 3 of a block matrix: row 1 couples with row 0 outside "
              "of them");
    EXPECT_EQ(block_message_of([&] { lower_triangle(matrix, 0, 1); }),
              "lower triangle of rows 0 to 1 of a block matrix: row 0 couples with row 1 outside "
              "of them");
    EXPECT_EQ(block_message_of([&] { lower_triangle(matrix, 0, 4); }),
              "rows 0 to 4 of a block matrix: expected a range within its 3 rows");
    SparseMatrix other = lower_triangle(matrix, 2, 3);
    EXPECT_EQ(block_message_of([&] { lower_triangle(matrix, 0, 2, other); }),
              "lower triangle of rows 0 to 2 of a block matrix: found memory for 3 rows with 6 "
              "numbers, expected 6 with 21");
    std::vector<Vec3> three(3), two(2);
    EXPECT_EQ(block_message_of([&] { multiply(matrix, three, two); }),
              "product with a block matrix of 3 rows: found vectors of 3 and 2");
}

} // namespace
} // namespace knead
