#include "knead/base/random.hpp"
#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "boundary_vertices.hpp"

namespace knead {
namespace {

struct Assembled {
    Topology topology;
    LaplacianPattern pattern;
    SparseMatrix lower;
    SparseMatrix full;
};

Assembled assemble(const TriangleMesh& mesh) {
    Assembled result;
    result.topology = build_topology(mesh.faces, mesh.vertex_count());
    result.pattern = laplacian_pattern(result.topology);
    assemble_laplacian(result.pattern, mesh.positions, mesh.faces, result.lower);
    result.full = result.lower.selfadjointView<Eigen::Lower>();
    return result;
}

TriangleMesh shaken(TriangleMesh mesh, double amount, std::uint64_t seed) {
    Random random(seed);
    for (Vec3& p : mesh.positions) p += random.in_cube(amount);
    return mesh;
}

TEST(Laplacian, EqualsAssemblyByAngles) {
    const TriangleMesh mesh = shaken(make_sphere(1, 2), 0.05, 1);
    std::vector<Eigen::Triplet<double>> triplets;
    for (const Triangle& face : mesh.faces)
        for (int i = 0; i < 3; ++i) {
            const int a = face[(i + 1) % 3], b = face[(i + 2) % 3];
            const Vec3 p = mesh.positions[a] - mesh.positions[face[i]],
                       q = mesh.positions[b] - mesh.positions[face[i]];
            const double weight = 0.5 / std::tan(std::acos(p.normalized().dot(q.normalized())));
            triplets.insert(triplets.end(),
                            {{a, b, -weight}, {b, a, -weight}, {a, a, weight}, {b, b, weight}});
        }
    SparseMatrix expected(mesh.vertex_count(), mesh.vertex_count());
    expected.setFromTriplets(triplets.begin(), triplets.end());
    EXPECT_LT((assemble(mesh).full - expected).norm(), 1e-11);
}

TEST(Laplacian, RowsSumToZeroAndItIsPositive) {
    const TriangleMesh mesh = shaken(make_torus(2, 0.7, 24), 0.05, 2);
    const SparseMatrix l = assemble(mesh).full;
    EXPECT_EQ((l - SparseMatrix(l.transpose())).norm(), 0);
    EXPECT_LT((l * Eigen::VectorXd::Ones(l.cols())).cwiseAbs().maxCoeff(), 1e-12);
    Random random(3);
    for (int trial = 0; trial < 20; ++trial) {
        Eigen::VectorXd f(l.cols());
        for (double& value : f) value = random.uniform(-1, 1);
        EXPECT_GT(f.dot(l * f), 0);
    }
}

TEST(Laplacian, LinearFunctionsAreHarmonicOnAFlatGrid) {
    TriangleMesh grid = make_grid({2, 1}, {9, 7});
    const Topology topology = build_topology(grid.faces, grid.vertex_count());
    const std::vector<char> border = boundary_vertices(topology);
    Random random(4);
    for (Vec3& p : grid.positions)
        p += Vec3(random.uniform(-0.03, 0.03), 0, random.uniform(-0.03, 0.03));
    const Assembled l = assemble(grid);
    Eigen::VectorXd f(grid.vertex_count());
    for (int v = 0; v < grid.vertex_count(); ++v)
        f[v] = 3 * grid.positions[v].x() - 2 * grid.positions[v].z() + 1;
    const Eigen::VectorXd lf = l.full * f;
    for (int v = 0; v < grid.vertex_count(); ++v)
        if (!border[v]) {
            EXPECT_NEAR(lf[v], 0, 1e-13);
        }
    // Its Dirichlet energy is the squared slope times the area.
    EXPECT_NEAR(f.dot(lf), 13 * surface_area(grid.positions, grid.faces), 1e-11);
}

TEST(Laplacian, CoordinatesAreEigenfunctionsOfTheSphere) {
    double error = 1;
    for (const int subdivisions : {2, 3, 4}) {
        const TriangleMesh sphere = make_sphere(1, subdivisions);
        const Assembled l = assemble(sphere);
        std::vector<double> mass;
        assemble_mass(MassLumping::voronoi, sphere.positions, sphere.faces, mass);
        Eigen::VectorXd f(sphere.vertex_count());
        for (int v = 0; v < sphere.vertex_count(); ++v) f[v] = sphere.positions[v].y();
        double worst = 0;
        const Eigen::VectorXd lf = l.full * f;
        for (int v = 0; v < sphere.vertex_count(); ++v)
            worst = std::max(worst, std::abs(lf[v] / mass[v] - 2 * f[v]));
        EXPECT_LT(worst, 0.6 * error);
        error = worst;
    }
    EXPECT_LT(error, 0.02);
}

TEST(Laplacian, IsWrittenInPlace) {
    const TriangleMesh mesh = make_sphere(1, 2), other = shaken(mesh, 0.05, 5);
    Assembled l = assemble(mesh);
    const double* values = l.lower.valuePtr();
    assemble_laplacian(l.pattern, other.positions, other.faces, l.lower);
    EXPECT_EQ(l.lower.valuePtr(), values);
    EXPECT_EQ((l.lower - assemble(other).lower).norm(), 0);
    EXPECT_EQ(l.pattern.structure.norm(), 0);
}

TEST(Laplacian, TakesAnotherStructureOfTheSameSize) {
    // The other diagonal of one cell: as many entries, elsewhere.
    TriangleMesh mesh = make_grid({1, 1}, {2, 2}), flipped = mesh;
    const Triangle a = mesh.faces[0], b = mesh.faces[1];
    flipped.faces[0] = {a[0], a[1], b[2]};
    flipped.faces[1] = {a[1], a[2], b[2]};
    Assembled l = assemble(mesh);
    const Assembled expected = assemble(flipped);
    ASSERT_EQ(l.lower.nonZeros(), expected.lower.nonZeros());
    assemble_laplacian(expected.pattern, flipped.positions, flipped.faces, l.lower);
    EXPECT_EQ((l.lower - expected.lower).norm(), 0);
}

TEST(Laplacian, FacesWithoutAreaAddNothing) {
    TriangleMesh mesh = make_grid({1, 1}, {1, 1});
    const SparseMatrix expected = assemble(mesh).full;
    mesh.positions.insert(mesh.positions.end(), 2, mesh.positions[0]);
    mesh.faces.push_back({0, 4, 5});
    const SparseMatrix l = assemble(mesh).full;
    EXPECT_EQ((SparseMatrix(l.topLeftCorner(4, 4)) - expected).norm(), 0);
    EXPECT_EQ(l.norm(), expected.norm());
}

TEST(Mass, SumsToTheArea) {
    const TriangleMesh mesh = shaken(make_sphere(1, 3), 0.05, 6);
    const double area = surface_area(mesh.positions, mesh.faces);
    for (const MassLumping lumping : {MassLumping::barycentric, MassLumping::voronoi}) {
        std::vector<double> mass{1, 2, 3};
        assemble_mass(lumping, mesh.positions, mesh.faces, mass);
        ASSERT_EQ(mass.size(), mesh.positions.size());
        EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), area, 1e-12);
        for (const double m : mass) EXPECT_GT(m, 0);
    }
}

TEST(Mass, VoronoiOfKnownTriangles) {
    std::vector<double> mass;
    const double height = std::sqrt(3.0) / 2;
    assemble_mass(MassLumping::voronoi, std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0.5, height, 0}},
                  std::vector<Triangle>{{0, 1, 2}}, mass);
    for (const double m : mass) EXPECT_NEAR(m, height / 6, 1e-15);
    // Right: half to the right angle, a quarter to each of the others, as if it were obtuse.
    for (const double x : {0.0, -0.4}) {
        const std::vector<Vec3> p{{0, 0, 0}, {2, 0, 0}, {x, 1, 0}};
        assemble_mass(MassLumping::voronoi, p, std::vector<Triangle>{{0, 1, 2}}, mass);
        EXPECT_NEAR(mass[0], 0.5, 1e-15);
        EXPECT_NEAR(mass[1], 0.25, 1e-15);
        EXPECT_NEAR(mass[2], 0.25, 1e-15);
    }
}

TEST(Mass, VoronoiDoesNotSeeTheDiagonalOfARectangle) {
    const std::vector<Vec3> p{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}};
    std::vector<double> one, other;
    assemble_mass(MassLumping::voronoi, p, std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}, one);
    assemble_mass(MassLumping::voronoi, p, std::vector<Triangle>{{0, 1, 3}, {1, 2, 3}}, other);
    for (int v = 0; v < 4; ++v) {
        EXPECT_NEAR(one[v], 0.5, 1e-15);
        EXPECT_NEAR(other[v], 0.5, 1e-15);
    }
}

} // namespace
} // namespace knead
