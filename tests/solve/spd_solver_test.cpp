#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/solve/ordering.hpp"
#include "knead/solve/spd_solver.hpp"

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include <cstdlib>

namespace knead {
namespace {

// Laplacian of a sphere plus its mass: the matrix the deformer solves with all day.
SparseMatrix heat_matrix(const TriangleMesh& mesh, double step) {
    const LaplacianPattern pattern =
        laplacian_pattern(build_topology(mesh.faces, mesh.vertex_count()));
    SparseMatrix matrix;
    assemble_laplacian(pattern, mesh.positions, mesh.faces, matrix);
    std::vector<double> mass;
    assemble_mass(MassLumping::barycentric, mesh.positions, mesh.faces, mass);
    for (int i = 0; i < mesh.vertex_count(); ++i)
        matrix.valuePtr()[pattern.diagonal[i]] += mass[i] / step;
    return matrix;
}

std::string message_of(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

class SpdSolverTest : public testing::TestWithParam<EliminationOrder> {};

TEST_P(SpdSolverTest, SolvesSeveralRightHandSidesAndRefactorises) {
    const TriangleMesh mesh = make_sphere(1, 3);
    const auto solver = make_eigen_solver(GetParam());
    solver->analyse(heat_matrix(mesh, 1));
    Random random(5);
    for (const double step : {1e-3, 1.0, 1e3}) {
        const SparseMatrix matrix = heat_matrix(mesh, step);
        solver->factorise(matrix);
        const Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(
            mesh.vertex_count(), 4, [&] { return random.uniform(-1, 1); });
        Eigen::MatrixXd x = b;
        solver->solve(x);
        const Eigen::MatrixXd residual = matrix.selfadjointView<Eigen::Lower>() * x - b;
        EXPECT_LT(residual.norm(), 1e-11 * b.norm());
    }
}

TEST_P(SpdSolverTest, SaysWhatIsWrong) {
    const TriangleMesh mesh = make_sphere(1, 0);
    SparseMatrix matrix = heat_matrix(mesh, 1);
    const auto solver = make_eigen_solver(GetParam());
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(12, 1);
    EXPECT_EQ(message_of([&] { solver->solve(b); }), "solver: solve was called before factorise");
    solver->analyse(matrix);
    solver->factorise(matrix);
    Eigen::MatrixXd wrong = Eigen::MatrixXd::Zero(11, 1);
    EXPECT_EQ(message_of([&] { solver->solve(wrong); }),
              "solver: the right-hand side has 11 rows, expected 12");
    EXPECT_EQ(message_of([&] { solver->factorise(heat_matrix(make_sphere(1, 1), 1)); }),
              "solver: the matrix does not have the pattern that was analysed");
    EXPECT_EQ(message_of([&] { solver->analyse(SparseMatrix(3, 4)); }),
              "solver: the matrix is 3 by 4, expected a square one");
    solver->analyse(matrix);
    matrix.coeffRef(7, 7) = -100;
    EXPECT_EQ(message_of([&] {
                  solver->factorise(matrix);
              }).rfind("solver: the matrix is not positive definite: unknown 7 of 12 has", 0),
              0u);
    EXPECT_THROW(solver->factorise(matrix), SolveError);
    matrix.coeffRef(7, 7) = std::nan("");
    EXPECT_THROW(solver->factorise(matrix), SolveError);
}

TEST_P(SpdSolverTest, EmptyAndDiagonalSystems) {
    const auto solver = make_eigen_solver(GetParam());
    SparseMatrix identity(5, 5);
    identity.setIdentity();
    solver->analyse(identity);
    solver->factorise(identity);
    Eigen::MatrixXd x = Eigen::MatrixXd::Constant(5, 2, 3.0);
    solver->solve(x);
    EXPECT_EQ(x, Eigen::MatrixXd::Constant(5, 2, 3.0));
    solver->analyse(SparseMatrix(0, 0));
    solver->factorise(SparseMatrix(0, 0));
    Eigen::MatrixXd none(0, 1);
    solver->solve(none);
}

INSTANTIATE_TEST_SUITE_P(Orders, SpdSolverTest,
                         testing::Values(EliminationOrder::minimum_degree,
                                         EliminationOrder::nested_dissection),
                         [](const auto& order) {
                             return order.param == EliminationOrder::minimum_degree
                                        ? "minimum_degree"
                                        : "nested_dissection";
                         });

TEST(Ordering, DoesNotDependOnWhatRanBefore) {
    const SparseMatrix matrix = heat_matrix(make_sphere(1, 3), 1);
    const std::vector<int> first = nested_dissection_order(matrix);
    std::srand(12345);
    nested_dissection_order(heat_matrix(make_torus(2, 0.5, 40), 1));
    EXPECT_EQ(nested_dissection_order(matrix), first);
    std::vector<int> sorted = first;
    std::sort(sorted.begin(), sorted.end());
    for (int i = 0; i < static_cast<int>(sorted.size()); ++i) ASSERT_EQ(sorted[i], i);
}

TEST(Ordering, FillsLessThanTheNaturalOrder) {
    const SparseMatrix matrix = heat_matrix(make_grid({1, 1}, {40, 40}), 1);
    const auto fill = [](const auto& solver) {
        return static_cast<const Eigen::SparseMatrix<double>&>(solver.matrixL().nestedExpression())
            .nonZeros();
    };
    const std::vector<int> order = nested_dissection_order(matrix);
    Eigen::PermutationMatrix<Eigen::Dynamic> permutation(matrix.rows());
    for (std::size_t i = 0; i < order.size(); ++i)
        permutation.indices()[order[i]] = static_cast<int>(i);
    SparseMatrix ordered(matrix.rows(), matrix.cols());
    ordered.selfadjointView<Eigen::Lower>() =
        matrix.selfadjointView<Eigen::Lower>().twistedBy(permutation);
    using Natural = Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>>;
    EXPECT_LT(fill(Natural(ordered)), 0.7 * static_cast<double>(fill(Natural(matrix))));
}

} // namespace
} // namespace knead
