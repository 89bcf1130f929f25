#include "knead/base/random.hpp"
#include "knead/dynamics/elastic_cloth.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "elastic_testing.hpp"
#include "input_error.hpp"

namespace knead {
namespace {

using std::numbers::pi;

BodyMaterial cloth_material() {
    BodyMaterial result;
    result.young = 2e5;
    result.poisson = 0.3;
    result.density = 300;
    result.thickness = 0.002;
    return result;
}

double plate_stiffness() {
    const BodyMaterial m = cloth_material();
    return m.young * std::pow(m.thickness, 3) / (12 * (1 - m.poisson * m.poisson));
}

// Rows of equilateral triangles along x, `rows` of them, with half triangles at both ends.
TriangleMesh equilateral_strip(int columns, int rows, double side) {
    TriangleMesh mesh;
    const double height = side * std::sqrt(3.0) / 2;
    std::vector<std::vector<int>> lines;
    for (int j = 0; j <= rows; ++j) {
        lines.emplace_back();
        const auto add = [&](double x) {
            lines.back().push_back(mesh.vertex_count());
            mesh.positions.emplace_back(x * side, 0, j * height);
        };
        if (j % 2 == 0) {
            for (int i = 0; i <= columns; ++i) add(i);
        } else {
            add(0);
            for (int i = 0; i < columns; ++i) add(i + 0.5);
            add(columns);
        }
    }
    for (int j = 0; j < rows; ++j) {
        const bool even = j % 2 == 0;
        const auto &whole = lines[even ? j : j + 1], &halves = lines[even ? j + 1 : j];
        const auto face = [&](int a, int b, int c) {
            mesh.faces.push_back(even ? Triangle{a, c, b} : Triangle{a, b, c});
        };
        for (int i = 0; i <= columns; ++i) {
            face(whole[i], halves[i + 1], halves[i]);
            if (i < columns) face(whole[i], whole[i + 1], halves[i + 1]);
        }
    }
    return mesh;
}

// A grid whose diagonals do not alternate.
TriangleMesh cut_one_way(const Vec2& size, const std::array<int, 2>& cells) {
    TriangleMesh mesh = make_grid(size, cells);
    mesh.faces.clear();
    for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i) {
            const int a = j * (cells[0] + 1) + i, b = a + cells[0] + 1;
            mesh.faces.push_back({a, b, b + 1});
            mesh.faces.push_back({a, b + 1, a + 1});
        }
    return mesh;
}

ElasticCloth cloth_of(const TriangleMesh& mesh) {
    return make_elastic_cloth(mesh.positions, mesh.faces, cloth_material(), "shirt");
}

// Solves for the coordinates that are free, all others being held; three a vertex.
Eigen::VectorXd moves_of(const Eigen::MatrixXd& k, const Eigen::VectorXd& load,
                         const std::vector<char>& free) {
    std::vector<int> rows;
    for (std::size_t i = 0; i < free.size(); ++i)
        if (free[i] != 0) rows.push_back(static_cast<int>(i));
    const Eigen::MatrixXd part = k(rows, rows);
    const Eigen::VectorXd solved = part.ldlt().solve(Eigen::VectorXd(load(rows)));
    Eigen::VectorXd result = Eigen::VectorXd::Zero(k.rows());
    result(rows) = solved;
    return result;
}

TEST(ElasticCloth, WeighsWhatItsAreaDoes) {
    const TriangleMesh mesh = make_grid({2, 3}, {4, 5});
    const ElasticCloth model = cloth_of(mesh);
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 6 * 0.6, 1e-12);
}

TEST(ElasticCloth, SquaresHaveBothDiagonalsAndTrianglesNone) {
    // 4 x 5 squares: 5 * 5 + 4 * 6 sides, two diagonals each.
    EXPECT_EQ(cloth_of(make_grid({4, 5}, {4, 5})).springs.size(), 49u + 40u);
    const TriangleMesh triangles = equilateral_strip(6, 4, 1);
    EXPECT_EQ(cloth_of(triangles).springs.size(),
              build_topology(triangles.faces, triangles.vertex_count()).edges.size());
}

TEST(ElasticCloth, ForcesAreMinusTheGradientOfTheEnergy) {
    Random random(6);
    for (const TriangleMesh& mesh : {make_grid({1, 1}, {2, 2}), make_sphere(1, 1)})
        for (const double by : {0.01, 0.1}) {
            const ElasticCloth model = cloth_of(mesh);
            std::vector<Vec3> at = testing::shaken(mesh.positions, by, random);
            const std::vector<Vec3> forces = testing::forces_at(model, at);
            const double h = 1e-6;
            for (std::size_t v = 0; v < at.size(); ++v)
                for (int axis = 0; axis < 3; ++axis) {
                    const double place = at[v][axis];
                    at[v][axis] = place + h;
                    const double more = elastic_energy(model, at);
                    at[v][axis] = place - h;
                    const double less = elastic_energy(model, at);
                    at[v][axis] = place;
                    EXPECT_NEAR(forces[v][axis], (less - more) / (2 * h),
                                1e-6 * testing::largest(forces));
                }
        }
}

TEST(ElasticCloth, HingeForcesAreMinusTheGradientOfTheirEnergy) {
    // Without the forces of springs, which are far larger.
    Random random(61);
    ElasticCloth model = cloth_of(make_grid({1, 1}, {2, 2}));
    for (ElasticCloth::Spring& spring : model.springs) spring.stiffness = 0;
    for (int trial = 0; trial < 5; ++trial) {
        std::vector<Vec3> at =
            testing::shaken(make_grid({1, 1}, {2, 2}).positions, trial == 0 ? 0.001 : 0.15, random);
        const std::vector<Vec3> forces = testing::forces_at(model, at);
        const double h = 1e-6;
        for (std::size_t v = 0; v < at.size(); ++v)
            for (int axis = 0; axis < 3; ++axis) {
                const double place = at[v][axis];
                at[v][axis] = place + h;
                const double more = elastic_energy(model, at);
                at[v][axis] = place - h;
                const double less = elastic_energy(model, at);
                at[v][axis] = place;
                EXPECT_NEAR(forces[v][axis], (less - more) / (2 * h),
                            1e-5 * testing::largest(forces));
            }
    }
}

TEST(ElasticCloth, StiffnessIsTheSecondDerivativeAtRest) {
    const TriangleMesh mesh = make_sphere(1, 1);
    ElasticCloth model = cloth_of(mesh);
    std::vector<Vec3> at = mesh.positions;
    const Eigen::MatrixXd k = testing::dense(testing::linearised(model, at).stiffness);
    const double h = 1e-6;
    for (std::size_t v = 0; v < at.size(); ++v)
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 place = at[v];
            at[v][axis] = place[axis] + h;
            const std::vector<Vec3> more = testing::forces_at(model, at);
            at[v][axis] = place[axis] - h;
            const std::vector<Vec3> less = testing::forces_at(model, at);
            at[v] = place;
            for (std::size_t w = 0; w < at.size(); ++w) {
                const Vec3 found = k.block<3, 1>(3 * w, 3 * v + axis);
                EXPECT_LT((found - (less[w] - more[w]) / (2 * h)).norm(), 1e-5 * k.norm());
            }
        }
}

TEST(ElasticCloth, StiffnessIsSymmetricAndNeverNegative) {
    Random random(8);
    const TriangleMesh mesh = make_grid({1, 1}, {3, 3});
    ElasticCloth model = cloth_of(mesh);
    for (const double by : {0.0, 0.1, 1.0}) {
        const Eigen::MatrixXd k = testing::dense(
            testing::linearised(model, testing::shaken(mesh.positions, by, random)).stiffness);
        EXPECT_LT((k - k.transpose()).norm(), 1e-12 * k.norm());
        const Eigen::VectorXd values =
            Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
        EXPECT_GT(values[0], -1e-12 * values.tail(1)[0]);
    }
}

TEST(ElasticCloth, LinearisingAddsToWhatIsThere) {
    Random random(9);
    const TriangleMesh mesh = make_grid({1, 1}, {3, 2});
    ElasticCloth model = cloth_of(mesh);
    const std::vector<Vec3> at = testing::shaken(mesh.positions, 0.2, random);
    std::vector<std::array<int, 2>> pairs = couplings(model);
    for (auto& pair : pairs)
        for (int& node : pair) node += 3;
    BlockMatrix matrix = make_block_matrix(mesh.vertex_count() + 3, pairs);
    find_places(model, matrix, 3);
    for (Mat3& block : matrix.values) block.setOnes();
    std::vector<Vec3> forces(at.size(), Vec3(1, 2, 3));
    linearise(model, at, 0.25, forces, matrix);
    const std::vector<Vec3> plain = testing::forces_at(model, at);
    for (std::size_t v = 0; v < at.size(); ++v)
        EXPECT_LT((forces[v] - Vec3(1, 2, 3) - plain[v]).norm(), 1e-12 * testing::largest(plain));
    const BlockMatrix alone = testing::linearised(model, at).stiffness;
    for (int row = 0; row < mesh.vertex_count(); ++row)
        for (int i = alone.starts[row]; i < alone.starts[row + 1]; ++i) {
            const Mat3& found = matrix.values[find_block(matrix, row + 3, alone.columns[i] + 3)];
            EXPECT_LT((found - Mat3::Ones() - 0.25 * alone.values[i]).norm(), 1e-9);
        }
}

TEST(ElasticCloth, RestIsRestAndForcesPushAndTurnNothingAsAWhole) {
    Random random(10);
    for (const TriangleMesh& mesh : {make_grid({1, 1}, {4, 4}), make_sphere(1, 2)}) {
        const ElasticCloth model = cloth_of(mesh);
        const std::vector<Vec3> rest = testing::shaken(mesh.positions, 0, random);
        EXPECT_LT(testing::largest(testing::forces_at(model, rest)), 1e-11);
        for (const double by : {0.05, 1.0}) { // the second crushes faces
            const std::vector<Vec3> at = testing::shaken(mesh.positions, by, random);
            const std::vector<Vec3> forces = testing::forces_at(model, at);
            Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
            for (std::size_t v = 0; v < at.size(); ++v) {
                force += forces[v];
                torque += at[v].cross(forces[v]);
            }
            EXPECT_LT(force.norm(), 1e-12 * testing::largest(forces) * double(at.size()));
            EXPECT_LT(torque.norm(), 1e-11 * testing::largest(forces) * double(at.size()));
        }
    }
}

// Force per width and strain of a strip along x that is pulled at its ends and may become
// narrower, relative to young * thickness.
double stretch_ratio(const TriangleMesh& mesh) {
    ElasticCloth model = cloth_of(mesh);
    const Eigen::MatrixXd k = testing::dense(testing::linearised(model, mesh.positions).stiffness);
    const Box box = bounding_box(mesh.positions);
    const double strain = 0.01;
    Eigen::VectorXd given = Eigen::VectorXd::Zero(k.rows());
    std::vector<char> free(static_cast<std::size_t>(k.rows()), 0);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Vec3& p = mesh.positions[v];
        const bool low = p.x()<box.lower.x() + 1e-9, high = p.x()> box.upper.x() - 1e-9;
        free[3 * v] = low || high ? 0 : 1;
        free[3 * v + 2] = 1;
        if (high) given[3 * v] = strain * box.size().x();
        // One vertex keeps the strip from sliding sideways.
        if (low && p.z() < box.lower.z() + 1e-9) free[3 * v + 2] = 0;
    }
    const Eigen::VectorXd moves = given + moves_of(k, -k * given, free);
    const double energy = 0.5 * moves.dot(k * moves);
    const double area = box.size().x() * box.size().z();
    return energy / (0.5 * 2e5 * 0.002 * strain * strain * area);
}

TEST(ElasticCloth, AStripStretchesLikeItsMaterial) {
    EXPECT_NEAR(stretch_ratio(make_grid({3, 1}, {12, 4})), 1, 1e-6);
    EXPECT_NEAR(stretch_ratio(equilateral_strip(12, 4, 0.25)), 1, 0.05);
    EXPECT_NEAR(stretch_ratio(cut_one_way({3, 1}, {12, 4})), 1, 1e-6);
    // Oblong cells are stiffer the long way.
    EXPECT_NEAR(stretch_ratio(make_grid({3, 1}, {12, 5})), 1.18, 0.01);
    EXPECT_NEAR(stretch_ratio(make_grid({3, 1}, {15, 4})), 0.88, 0.01);
}

TEST(ElasticCloth, SquaresShearLikeTheirMaterial) {
    // Shear modulus young / (2 (1 + 1/3)), the Poisson's ratio of springs.
    const TriangleMesh mesh = make_grid({1, 1}, {4, 4});
    ElasticCloth model = cloth_of(mesh);
    const Eigen::MatrixXd k = testing::dense(testing::linearised(model, mesh.positions).stiffness);
    Eigen::VectorXd moves = Eigen::VectorXd::Zero(k.rows());
    for (int v = 0; v < mesh.vertex_count(); ++v) moves[3 * v] = 0.01 * mesh.positions[v].z();
    const double modulus = moves.dot(k * moves) / 1e-4;
    EXPECT_NEAR(modulus / (2e5 * 0.002 * 3 / 8), 1, 1e-9);
}

// Energy of a sheet rolled around a cylinder whose axis is turned in its plane, relative to that of
// a plate.
double rolled_ratio(const TriangleMesh& mesh, double angle) {
    const ElasticCloth model = cloth_of(mesh);
    const double radius = 3 * bounding_box(mesh.positions).diagonal();
    std::vector<Vec3> at;
    const Vec3 along(std::cos(angle), 0, std::sin(angle)), axis(-along.z(), 0, along.x());
    for (const Vec3& p : mesh.positions) {
        const double turn = p.dot(along) / radius;
        at.push_back(radius * (std::sin(turn) * along + (1 - std::cos(turn)) * Vec3::UnitY()) +
                     p.dot(axis) * axis);
    }
    ElasticCloth bending = model;
    bending.springs.clear();
    return elastic_energy(bending, at) /
           (0.5 * plate_stiffness() / (radius * radius) * surface_area(at, mesh.faces));
}

TEST(ElasticCloth, RollsAlikeInEveryDirection) {
    // The last half cells bend at no edge, so a little is missing. Squares are stiffer before their
    // vertices give way, which this does not let them do.
    for (const double angle : {0.0, pi / 4, pi / 2, -pi / 4, 0.3}) {
        EXPECT_NEAR(rolled_ratio(make_grid({1, 1}, {40, 40}), angle), 4.0 / 3, 0.05) << angle;
        EXPECT_NEAR(rolled_ratio(equilateral_strip(40, 46, 1.0 / 40), angle), 1, 0.05) << angle;
    }
}

// How far the end of a strip clamped at the other bends under its weight, relative to plate theory.
double sag_ratio(const TriangleMesh& mesh, double column) {
    ElasticCloth model = cloth_of(mesh);
    const Eigen::MatrixXd k = testing::dense(testing::linearised(model, mesh.positions).stiffness);
    const Box box = bounding_box(mesh.positions);
    Eigen::VectorXd load = Eigen::VectorXd::Zero(k.rows());
    std::vector<char> free(static_cast<std::size_t>(k.rows()), 0);
    for (int v = 0; v < mesh.vertex_count(); ++v)
        // Two columns are held, and the strip begins to bend in the middle between them.
        if (mesh.positions[v].x() > box.lower.x() + column + 1e-9) {
            free[3 * v + 1] = 1;
            load[3 * v + 1] = -9.81 * model.mass[v];
        }
    const Eigen::VectorXd moves = moves_of(k, load, free);
    double sag = 0;
    int ends = 0;
    for (int v = 0; v < mesh.vertex_count(); ++v)
        if (mesh.positions[v].x() > box.upper.x() - 1e-9) {
            sag -= moves[3 * v + 1];
            ++ends;
        }
    const double length = box.size().x() - 0.5 * column;
    return sag / ends / (9.81 * 300 * 0.002 * std::pow(length, 4) / (8 * plate_stiffness()));
}

TEST(ElasticCloth, AStripSagsLikeAPlate) {
    EXPECT_NEAR(sag_ratio(make_grid({1, 0.2}, {20, 4}), 1.0 / 20), 1, 0.1);
    EXPECT_NEAR(sag_ratio(make_grid({1, 0.2}, {40, 8}), 1.0 / 40), 1, 0.1);
    EXPECT_NEAR(sag_ratio(cut_one_way({1, 0.2}, {40, 8}), 1.0 / 40), 1, 0.15);
    EXPECT_NEAR(sag_ratio(equilateral_strip(30, 8, 1.0 / 30), 1.0 / 30), 1, 0.1);
}

TEST(ElasticCloth, WindBlowsAlongNormalsWithTheSquareOfItsSpeed) {
    const TriangleMesh mesh = make_grid({2, 1}, {4, 2});
    ElasticCloth model = cloth_of(mesh);
    BlockMatrix damping = make_block_matrix(mesh.vertex_count(), couplings(model));
    find_places(model, damping, 0);
    const auto total = [&](const Vec3& velocity, const Vec3& wind) {
        std::vector<Vec3> forces(mesh.positions.size(), Vec3::Zero());
        const std::vector<Vec3> velocities(mesh.positions.size(), velocity);
        add_wind(model, mesh.positions, velocities, wind, 1.2, forces, 1, damping);
        Vec3 sum = Vec3::Zero();
        for (const Vec3& f : forces) sum += f;
        return sum;
    };
    const Vec3 once = total({0, 0, 0}, {0, 1, 0});
    EXPECT_NEAR(once.y(), 0.5 * 1.2 * 1.2 * 2, 1e-12);
    EXPECT_LT((total({0, 0, 0}, {0, -3, 0}) + 9 * once).norm(), 1e-12);
    EXPECT_LT((total({0, -1, 0}, {7, 0, 5}) - once).norm(), 1e-12);
    EXPECT_EQ(total({4, 2, 4}, {4, 2, 4}), Vec3(Vec3::Zero()));
}

TEST(ElasticCloth, WindDampsByItsDerivative) {
    Random random(14);
    const TriangleMesh mesh = make_grid({1, 1}, {2, 2});
    ElasticCloth model = cloth_of(mesh);
    const std::vector<Vec3> at = testing::shaken(mesh.positions, 0.1, random);
    std::vector<Vec3> velocities;
    for (std::size_t v = 0; v < at.size(); ++v) velocities.push_back(random.in_cube(1));
    const BlockMatrix nothing = make_block_matrix(mesh.vertex_count(), couplings(model));
    find_places(model, nothing, 0);
    const Vec3 wind(1, 2, -3);
    const auto add_to = [&](std::span<const Vec3> with, BlockMatrix& matrix) {
        std::vector<Vec3> forces(at.size(), Vec3::Zero());
        add_wind(model, at, with, wind, 1.2, forces, 2, matrix);
        return forces;
    };
    const auto forces_of = [&](std::span<const Vec3> with) {
        BlockMatrix matrix = nothing;
        return add_to(with, matrix);
    };
    BlockMatrix matrix = nothing;
    add_to(velocities, matrix);
    const Eigen::MatrixXd damping = testing::dense(matrix) / 2;
    const double h = 1e-6;
    for (std::size_t v = 0; v < at.size(); ++v)
        for (int axis = 0; axis < 3; ++axis) {
            std::vector<Vec3> more = velocities, less = velocities;
            more[v][axis] += h;
            less[v][axis] -= h;
            const std::vector<Vec3> high = forces_of(more), low = forces_of(less);
            for (std::size_t w = 0; w < at.size(); ++w) {
                const Vec3 found = damping.block<3, 1>(3 * w, 3 * v + axis);
                EXPECT_LT((found - (low[w] - high[w]) / (2 * h)).norm(), 1e-7);
            }
        }
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(damping).eigenvalues()[0], -1e-14);
}

TEST(ElasticCloth, FacesThatMeetAtOneEdgeStretchAndDoNotBend) {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 1}, {0, -1, -1}};
    mesh.faces = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const ElasticCloth three = cloth_of(mesh);
    EXPECT_EQ(three.springs.size(), 7u);
    EXPECT_TRUE(three.hinges.empty());
    // The same face twice, once turned over.
    mesh.positions.resize(3);
    mesh.faces = {{0, 1, 2}, {1, 0, 2}};
    const ElasticCloth pocket = cloth_of(mesh);
    EXPECT_EQ(pocket.springs.size(), 3u);
    EXPECT_TRUE(pocket.hinges.empty());
}

TEST(ElasticCloth, CrushedClothStaysFinite) {
    const TriangleMesh mesh = make_grid({1, 1}, {3, 3});
    ElasticCloth model = cloth_of(mesh);
    BlockMatrix matrix = make_block_matrix(mesh.vertex_count(), couplings(model));
    find_places(model, matrix, 0);
    for (const double left : {0.0, 1e-300, 1e-20, 1e-8}) {
        std::vector<Vec3> at = mesh.positions, forces(at.size(), Vec3::Zero());
        for (Vec3& p : at) p *= left;
        at[3].y() = 1e-9;
        linearise(model, at, 1, forces, matrix);
        EXPECT_TRUE(std::isfinite(elastic_energy(model, at)));
        for (const Vec3& f : forces) EXPECT_TRUE(f.allFinite());
        for (const Mat3& block : matrix.values) EXPECT_LT(block.norm(), 1e5);
    }
}

TEST(ElasticCloth, SaysWhatIsWrong) {
    const auto said = [](const std::function<void(TriangleMesh&, BodyMaterial&)>& change) {
        TriangleMesh mesh = make_grid({1, 1}, {2, 2});
        BodyMaterial stuff = cloth_material();
        change(mesh, stuff);
        return input_error([&] { make_elastic_cloth(mesh.positions, mesh.faces, stuff, "shirt"); });
    };
    EXPECT_EQ(said([](TriangleMesh&, BodyMaterial&) {}), "no error");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) { mesh.faces.clear(); }),
              "body 'shirt' has no faces, expected at least one");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) { mesh.faces[2][0] = 9; }),
              "body 'shirt': face 2: corner 0 is vertex 9, expected 0 to 8");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) {
                  mesh.positions[4].y() = std::numeric_limits<double>::infinity();
              }),
              "body 'shirt': vertex 4 is at (0, inf, 0), expected finite numbers");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) {
                  mesh.faces = {{0, 1, 3}};
                  mesh.positions[1] = mesh.positions[0];
              }),
              "body 'shirt': edge 0-1 of face 0 has no length");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) {
                  mesh.faces[1] = {0, 1, 2};
              }),
              "body 'shirt': face 1 has no area");
    EXPECT_EQ(said([](TriangleMesh& mesh, BodyMaterial&) { mesh.positions.emplace_back(1, 1, 1); }),
              "body 'shirt': vertex 9 has a mass of 0, expected it to belong to a face with a "
              "mass");
    EXPECT_EQ(said([](TriangleMesh&, BodyMaterial& stuff) { stuff.thickness = 0; }),
              "body 'shirt': thickness is 0, expected a positive number");
}

} // namespace
} // namespace knead
