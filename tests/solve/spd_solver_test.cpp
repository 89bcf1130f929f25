#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/solve/hard_values.hpp"
#include "knead/solve/ordering.hpp"
#include "knead/solve/supernodal_solver.hpp"

#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

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

struct SolverKind {
    const char* name;
    std::unique_ptr<SpdSolver> (*make)();
};

class SpdSolverTest : public testing::TestWithParam<SolverKind> {};

TEST_P(SpdSolverTest, SolvesSeveralRightHandSidesAndRefactorises) {
    const TriangleMesh mesh = make_sphere(1, 3);
    const auto solver = GetParam().make();
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
    const auto solver = GetParam().make();
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
    const auto solver = GetParam().make();
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

const SolverKind kinds[] = {
    {"Eigen", make_eigen_solver},
    {"SupernodalPlain", [] { return make_supernodal_solver(nullptr, plain_front_kernels); }},
    {"SupernodalBest", [] { return make_supernodal_solver(); }},
};
INSTANTIATE_TEST_SUITE_P(Kinds, SpdSolverTest, testing::ValuesIn(kinds),
                         [](const auto& kind) { return kind.param.name; });

// Closed, open and in pieces, with every number of columns and rows modulo four; one and several
// right-hand sides.
TEST(SupernodalSolver, AgreesWithEigen) {
    TriangleMesh pieces = make_sphere(1, 2);
    const TriangleMesh grid = make_grid({3, 2}, {13, 7});
    const int offset = pieces.vertex_count();
    pieces.positions.insert(pieces.positions.end(), grid.positions.begin(), grid.positions.end());
    for (const Triangle& face : grid.faces)
        pieces.faces.push_back({face[0] + offset, face[1] + offset, face[2] + offset});
    std::vector<TriangleMesh> meshes = {pieces, make_torus(2, 0.5, 41), make_grid({1, 1}, {1, 1})};
    for (int cells = 2; cells < 30; cells += 3)
        meshes.push_back(make_grid({1, 1}, {cells, cells + 2}));
    Random random(3);
    for (const TriangleMesh& mesh : meshes) {
        const SparseMatrix matrix = heat_matrix(mesh, 0.1);
        const auto eigen = make_eigen_solver();
        eigen->analyse(matrix);
        eigen->factorise(matrix);
        const auto plan = plan_elimination(matrix);
        for (const FrontKernels* kernels : {&plain_front_kernels, &best_front_kernels()}) {
            const auto ours = make_supernodal_solver(plan, *kernels);
            ours->factorise(matrix);
            for (const int sides : {1, 2, 4, 6}) {
                Eigen::MatrixXd x = Eigen::MatrixXd::NullaryExpr(
                    mesh.vertex_count(), sides, [&] { return random.uniform(-1, 1); });
                Eigen::MatrixXd expected = x;
                eigen->solve(expected);
                ours->solve(x);
                EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm())
                    << mesh.vertex_count() << " vertices, " << sides << " sides";
            }
        }
    }
}

// Whatever was factorised before, the same matrix gives the same bits.
TEST(SupernodalSolver, KeepsNothingOfTheMatrixBefore) {
    const TriangleMesh mesh = make_sphere(1, 3);
    const SparseMatrix matrix = heat_matrix(mesh, 1);
    const auto used = make_supernodal_solver(), fresh = make_supernodal_solver();
    used->analyse(matrix);
    used->factorise(heat_matrix(mesh, 1e-4));
    SparseMatrix indefinite = matrix;
    indefinite.coeffRef(40, 40) = -1;
    EXPECT_THROW(used->factorise(indefinite), SolveError);
    fresh->analyse(matrix);
    Eigen::MatrixXd a = Eigen::MatrixXd::Ones(mesh.vertex_count(), 3), b = a;
    a(7, 1) = b(7, 1) = 5;
    used->factorise(matrix);
    used->solve(a);
    fresh->factorise(matrix);
    fresh->solve(b);
    EXPECT_EQ(a, b);
}

// It keeps the fronts that a change does not reach; not a bit may tell.
TEST(SupernodalSolver, ChangesInPlacesGiveTheSameBitsAsAFreshStart) {
    const TriangleMesh mesh = make_sphere(1, 4);
    SparseMatrix matrix = heat_matrix(mesh, 1);
    const auto plan = plan_elimination(matrix);
    const auto kept = make_supernodal_solver(plan);
    Random random(3);
    for (int round = 0; round < 6; ++round) {
        const auto fresh = make_supernodal_solver(plan);
        kept->factorise(matrix);
        fresh->factorise(matrix);
        Eigen::MatrixXd x = Eigen::MatrixXd::Random(mesh.vertex_count(), 2), y = x;
        kept->solve(x);
        fresh->solve(y);
        EXPECT_EQ(x, y) << round;
        if (round == 3) {
            // What could not be factorised leaves nothing behind.
            SparseMatrix wrong = matrix;
            wrong.coeffRef(7, 7) = -1;
            EXPECT_THROW(kept->factorise(wrong), SolveError);
            continue;
        }
        for (int change = 0; change < 3 * round; ++change) {
            const int v = static_cast<int>(random.uniform(0, mesh.vertex_count() - 1));
            matrix.coeffRef(v, v) *= 1.5;
        }
    }
}

// Unknowns that nothing couples to others, as those with hard values are, come and go: single ones,
// areas, and at last all of them.
TEST(SupernodalSolver, LeavesOutWhatIsNotCoupled) {
    const TriangleMesh mesh = make_sphere(1, 4);
    const SparseMatrix matrix = heat_matrix(mesh, 1);
    const auto plan = plan_elimination(matrix);
    const auto kept = make_supernodal_solver(plan);
    const auto eigen = make_eigen_solver();
    eigen->analyse(matrix);
    Random random(5);
    for (const double height : {2.0, 0.9, 0.2, 0.3, -0.7, 0.6, 2.0, -2.0, 0.5}) {
        SparseMatrix with_hard = matrix;
        std::vector<char> hard(mesh.positions.size(), 0);
        for (std::size_t v = 0; v < hard.size(); ++v)
            hard[v] = mesh.positions[v].y() > height || random.uniform(0, 1) < 0.02;
        constrain_matrix(with_hard, hard);
        for (std::size_t v = 0; v < hard.size(); v += 3)
            if (hard[v]) with_hard.coeffRef(static_cast<int>(v), static_cast<int>(v)) = 4;
        const auto fresh = make_supernodal_solver(plan);
        kept->factorise(with_hard);
        fresh->factorise(with_hard);
        eigen->factorise(with_hard);
        for (const int sides : {1, 2, 3}) {
            const Eigen::MatrixXd b = Eigen::MatrixXd::NullaryExpr(
                mesh.vertex_count(), sides, [&] { return random.uniform(-1, 1); });
            Eigen::MatrixXd x = b, y = b, expected = b;
            kept->solve(x);
            fresh->solve(y);
            eigen->solve(expected);
            EXPECT_EQ(x, y) << height;
            EXPECT_LT((x - expected).norm(), 1e-12 * expected.norm()) << height;
        }
    }
    SparseMatrix wrong = matrix;
    std::vector<char> hard(mesh.positions.size(), 0);
    hard[11] = 1;
    constrain_matrix(wrong, hard);
    wrong.coeffRef(11, 11) = -2;
    EXPECT_EQ(message_of([&] { kept->factorise(wrong); }),
              "solver: the matrix is not positive definite: unknown 11 of 2562 has the pivot -2");
}

TEST(SupernodalSolver, WantsAPlanFirst) {
    const auto solver = make_supernodal_solver();
    EXPECT_EQ(message_of([&] { solver->factorise(SparseMatrix(0, 0)); }),
              "solver: factorise was called before analyse");
}

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

TEST(EliminationPlan, TakesAnOrderThatIsGiven) {
    const TriangleMesh mesh = make_sphere(1, 3);
    const SparseMatrix matrix = heat_matrix(mesh, 1);
    const auto planned = plan_elimination(matrix);
    const auto given = plan_elimination(matrix, nested_dissection_order(matrix));
    EXPECT_EQ(given->order, planned->order);
    EXPECT_EQ(given->panel_values, planned->panel_values);
    std::vector<int> bad(mesh.positions.size());
    std::iota(bad.begin(), bad.end(), 0);
    const auto filled = plan_elimination(matrix, bad);
    EXPECT_GT(filled->panel_values, planned->panel_values);
    const auto solver = make_supernodal_solver(filled);
    solver->factorise(matrix);
    Eigen::MatrixXd x = Eigen::MatrixXd::Ones(mesh.vertex_count(), 1);
    solver->solve(x);
    EXPECT_LT(
        (matrix.selfadjointView<Eigen::Lower>() * x - Eigen::MatrixXd::Ones(x.rows(), 1)).norm(),
        1e-11);
    EXPECT_EQ(message_of([&] { plan_elimination(matrix, std::span(bad).first(5)); }),
              "solver: the order has 5 unknowns, expected 642");
}

} // namespace
} // namespace knead
