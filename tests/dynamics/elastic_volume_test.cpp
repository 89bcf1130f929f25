#include "knead/base/random.hpp"
#include "knead/dynamics/elastic_volume.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "elastic_testing.hpp"
#include "input_error.hpp"

namespace knead {
namespace {

// Cubes of six tetrahedra each, whose diagonals all run the same way.
TetMesh brick(const std::array<int, 3>& cells, double side) {
    TetMesh mesh;
    const auto node = [&](int x, int y, int z) {
        return x + (cells[0] + 1) * (y + (cells[1] + 1) * z);
    };
    for (int z = 0; z <= cells[2]; ++z)
        for (int y = 0; y <= cells[1]; ++y)
            for (int x = 0; x <= cells[0]; ++x) mesh.positions.push_back(side * Vec3(x, y, z));
    for (int z = 0; z < cells[2]; ++z)
        for (int y = 0; y < cells[1]; ++y)
            for (int x = 0; x < cells[0]; ++x) {
                const auto corner = [&](int i) {
                    return node(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
                };
                for (const auto& t : {std::array{1, 3}, {3, 2}, {2, 6}, {6, 4}, {4, 5}, {5, 1}})
                    mesh.tets.push_back({corner(0), corner(t[0]), corner(t[1]), corner(7)});
            }
    return mesh;
}

BodyMaterial volume_material(double poisson) {
    BodyMaterial result;
    result.young = 1000;
    result.poisson = poisson;
    result.density = 3;
    return result;
}

TEST(NearestRotation, IsProperAndNearest) {
    Random random(3);
    for (int trial = 0; trial < 3000; ++trial) {
        const Mat3 u = random.rotation().toRotationMatrix(),
                   v = random.rotation().toRotationMatrix();
        // Singular values in falling order, the last of either sign: from round to flat.
        const double first = std::pow(10.0, random.uniform(-3, 3));
        const double second = first * std::pow(10.0, random.uniform(-2, 0));
        const double third =
            second * (trial % 3 == 0 ? random.uniform(-0.95, 0.95) : random.uniform(0.001, 1));
        const Mat3 f = u * Vec3(first, second, third).asDiagonal() * v.transpose();
        const Mat3 r = nearest_rotation(f);
        ASSERT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-12);
        ASSERT_GT(r.determinant(), 0);
        // Where the two smallest nearly cancel, the rotation is not well defined.
        const double gap = (second + third) / first;
        ASSERT_LT((r - u * v.transpose()).norm(), 1e-14 / gap + 1e-13) << f;
    }
}

TEST(NearestRotation, IsProperWhereNothingIsLeft) {
    for (const Mat3& f :
         {Mat3(Mat3::Zero()), Mat3(-Mat3::Identity()), Mat3(Vec3(1, 0, 0).asDiagonal()),
          Mat3(Vec3(1, 1, -1).asDiagonal()), Mat3(1e-200 * Mat3::Identity()), Mat3(Mat3::Ones())}) {
        const Mat3 r = nearest_rotation(f);
        EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-12) << f;
        EXPECT_NEAR(r.determinant(), 1, 1e-12) << f;
    }
}

TEST(ElasticVolume, MassIsThatOfTheVolume) {
    const TetMesh mesh = brick({2, 3, 4}, 0.5);
    const ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.3), "brick");
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 3 * 24 * 0.125, 1e-12);
    const std::vector<double> half(mesh.tets.size(), 0.5);
    const ElasticVolume thin = make_elastic_volume(mesh, half, volume_material(0.3), "brick");
    EXPECT_NEAR(std::accumulate(thin.mass.begin(), thin.mass.end(), 0.0), 1.5 * 24 * 0.125, 1e-12);
    Random random(5);
    const std::vector<Vec3> moved = testing::shaken(mesh.positions, 0.1, random);
    EXPECT_NEAR(elastic_energy(thin, moved) / elastic_energy(model, moved), 0.5, 1e-12);
}

TEST(ElasticVolume, ForcesAreMinusTheGradientOfTheEnergy) {
    Random random(6);
    const TetMesh mesh = brick({1, 1, 2}, 1);
    for (const double poisson : {-0.5, 0.0, 0.3, 0.45})
        for (const double by : {0.01, 0.2, 0.6}) { // the last inverts elements
            const ElasticVolume model =
                make_elastic_volume(mesh, {}, volume_material(poisson), "brick");
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
                                1e-5 * testing::largest(forces))
                        << by;
                }
        }
}

TEST(ElasticVolume, StiffnessIsTheSecondDerivativeAtRestAndFollowsTurns) {
    Random random(7);
    const TetMesh mesh = brick({1, 2, 1}, 1);
    ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.35), "brick");
    for (const Mat3& turn : {Mat3(Mat3::Identity()), random.rotation().toRotationMatrix()}) {
        std::vector<Vec3> at = mesh.positions;
        for (Vec3& p : at) p = turn * p;
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
                // A single node's motion turns elements as well, and those parts cancel at rest.
                for (std::size_t w = 0; w < at.size(); ++w) {
                    const Vec3 found = k.block<3, 1>(3 * w, 3 * v + axis);
                    EXPECT_LT((found - (less[w] - more[w]) / (2 * h)).norm(), 1e-4 * k.norm());
                }
            }
    }
}

TEST(ElasticVolume, StiffnessIsSymmetricAndNeverNegative) {
    Random random(8);
    const TetMesh mesh = brick({2, 1, 1}, 1);
    for (const double poisson : {-0.9, 0.0, 0.49}) {
        ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(poisson), "brick");
        for (const double by : {0.0, 0.3, 2.0}) {
            const Eigen::MatrixXd k = testing::dense(
                testing::linearised(model, testing::shaken(mesh.positions, by, random)).stiffness);
            EXPECT_LT((k - k.transpose()).norm(), 1e-12 * k.norm());
            const Eigen::VectorXd values =
                Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(k).eigenvalues();
            EXPECT_GT(values[0], -1e-10 * values.tail(1)[0]);
            EXPECT_GT(values[6], by == 0 ? 1e-4 * values.tail(1)[0] : -1.0); // six rigid motions
        }
    }
}

TEST(ElasticVolume, LinearisingAddsToWhatIsThere) {
    Random random(9);
    const TetMesh mesh = brick({2, 2, 1}, 1);
    ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.2), "brick");
    const std::vector<Vec3> at = testing::shaken(mesh.positions, 0.3, random);
    const int nodes = static_cast<int>(at.size());
    // Behind the rows of another body, and on top of what is there.
    std::vector<std::array<int, 2>> pairs = couplings(model);
    for (auto& pair : pairs)
        for (int& node : pair) node += 2;
    BlockMatrix matrix = make_block_matrix(nodes + 2, pairs);
    find_places(model, matrix, 2);
    for (Mat3& block : matrix.values) block.setOnes();
    std::vector<Vec3> forces(at.size(), Vec3(1, 2, 3));
    linearise(model, at, 0.25, forces, matrix);

    const std::vector<Vec3> plain = testing::forces_at(model, at);
    for (std::size_t v = 0; v < at.size(); ++v)
        EXPECT_LT((forces[v] - Vec3(1, 2, 3) - plain[v]).norm(), 1e-12 * testing::largest(plain));
    const BlockMatrix alone = testing::linearised(model, at).stiffness;
    for (int row = 0; row < nodes; ++row)
        for (int i = alone.starts[row]; i < alone.starts[row + 1]; ++i) {
            const Mat3& found = matrix.values[find_block(matrix, row + 2, alone.columns[i] + 2)];
            EXPECT_LT((found - Mat3::Ones() - 0.25 * alone.values[i]).norm(), 1e-10);
        }
    EXPECT_EQ(matrix.values[find_block(matrix, 0, 0)], Mat3(Mat3::Ones()));
}

TEST(ElasticVolume, RestIsRestHoweverItIsTurned) {
    Random random(10);
    const TetMesh mesh = brick({2, 2, 2}, 0.1);
    const ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.4), "brick");
    for (int trial = 0; trial < 20; ++trial) {
        const std::vector<Vec3> at = testing::shaken(mesh.positions, 0, random);
        EXPECT_LT(testing::largest(testing::forces_at(model, at)), 1e-10);
        EXPECT_LT(elastic_energy(model, at), 1e-20);
    }
}

TEST(ElasticVolume, ForcesPushAndTurnNothingAsAWhole) {
    Random random(11);
    const TetMesh mesh = brick({2, 2, 2}, 1);
    const ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.4), "brick");
    for (const double by : {0.1, 1.0}) {
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

TEST(ElasticVolume, InvertedAndFlattenedElementsComeBack) {
    TetMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.tets = {{0, 1, 2, 3}};
    ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(0.4), "one");
    BlockMatrix matrix = make_block_matrix(4, couplings(model));
    find_places(model, matrix, 0);
    for (const Vec3& tip :
         {Vec3(0, 0, -1), Vec3(0, 0, 0), Vec3(0.3, 0.3, 0), Vec3(0.2, 0, -3), Vec3(1, 0, 0)}) {
        std::vector<Vec3> at = mesh.positions;
        at[3] = tip;
        // Implicit steps that come to rest, as a heavily damped body would.
        for (int step = 0; step < 300; ++step) {
            for (Mat3& block : matrix.values) block.setZero();
            std::vector<Vec3> forces(4, Vec3::Zero());
            linearise(model, at, 1, forces, matrix);
            Eigen::MatrixXd k = testing::dense(matrix);
            k.diagonal().array() += 20;
            Eigen::VectorXd f(12);
            for (int v = 0; v < 4; ++v) f.segment<3>(3 * v) = forces[v];
            const Eigen::VectorXd moves = k.ldlt().solve(f);
            for (int v = 0; v < 4; ++v) at[v] += moves.segment<3>(3 * v);
        }
        EXPECT_NEAR(signed_volume(mesh, at, 0), 1.0 / 6, 1e-6) << tip.transpose();
        EXPECT_LT(elastic_energy(model, at), 1e-6);
    }
}

// The tip of a beam 1 high and wide and 5 long, clamped at one end, with a force spread over the
// other, relative to the theory of Timoshenko.
double cantilever_ratio(int cells, double poisson) {
    const double side = 1.0 / cells, length = 5;
    const TetMesh mesh = brick({5 * cells, cells, cells}, side);
    ElasticVolume model = make_elastic_volume(mesh, {}, volume_material(poisson), "beam");
    const BlockMatrix matrix = testing::linearised(model, mesh.positions).stiffness;
    std::vector<int> row(mesh.positions.size(), -1);
    int rows = 0;
    double tip_area = 0;
    std::vector<double> share(mesh.positions.size(), 0);
    for (std::size_t v = 0; v < row.size(); ++v) {
        const Vec3& p = mesh.positions[v];
        if (p.x() > 0) row[v] = rows++;
        if (p.x() > length - 0.5 * side) {
            share[v] = 1;
            for (int axis = 1; axis < 3; ++axis)
                if (p[axis] < 0.5 * side || p[axis] > 1 - 0.5 * side) share[v] *= 0.5;
            tip_area += share[v];
        }
    }
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd load = Eigen::VectorXd::Zero(3 * rows);
    for (int v = 0; v < matrix.rows(); ++v) {
        if (row[v] < 0) continue;
        load[3 * row[v] + 1] = share[v] / tip_area;
        for (int i = matrix.starts[v]; i < matrix.starts[v + 1]; ++i)
            if (const int other = row[matrix.columns[i]]; other >= 0)
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        entries.emplace_back(3 * row[v] + r, 3 * other + c, matrix.values[i](r, c));
    }
    Eigen::SparseMatrix<double> k(3 * rows, 3 * rows);
    k.setFromTriplets(entries.begin(), entries.end());
    const Eigen::VectorXd moves = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(k).solve(load);
    const double young = 1000, shear = young / (2 * (1 + poisson));
    const double correction = 10 * (1 + poisson) / (12 + 11 * poisson);
    const double theory =
        length * length * length / (3 * young / 12) + length / (correction * shear);
    return moves.dot(load) / theory; // the mean over the tip, by the load's weights
}

TEST(ElasticVolume, ACantileverBendsAsBeamTheorySays) {
    // Elements of constant strain are too stiff; the error falls with the square of their size.
    const double expected[2][3] = {{0.554, 0.825, 0.949}, {0.507, 0.782, 0.923}};
    for (const int which : {0, 1}) {
        double before = 2;
        for (int level = 0; level < 3; ++level) {
            const double ratio = cantilever_ratio(2 << level, which == 0 ? 0.0 : 0.3);
            EXPECT_NEAR(ratio, expected[which][level], 0.002) << which << " " << level;
            EXPECT_LT(1 - ratio, 0.45 * before);
            before = 1 - ratio;
        }
        EXPECT_GT(before, 0);
        EXPECT_LT(before, 0.08);
    }
}

TEST(ElasticVolume, SaysWhatIsWrong) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto said = [](const std::function<void(TetMesh&, BodyMaterial&)>& change) {
        TetMesh mesh = brick({1, 1, 1}, 1);
        BodyMaterial stuff = volume_material(0.3);
        change(mesh, stuff);
        return input_error([&] { make_elastic_volume(mesh, {}, stuff, "jelly"); });
    };
    EXPECT_EQ(said([](TetMesh&, BodyMaterial&) {}), "no error");
    EXPECT_EQ(said([](TetMesh& mesh, BodyMaterial&) { mesh.tets.clear(); }),
              "body 'jelly' has no elements, expected at least one");
    EXPECT_EQ(
        said([](TetMesh& mesh, BodyMaterial&) { std::swap(mesh.tets[2][0], mesh.tets[2][1]); }),
        "body 'jelly': element 2 is inverted: its volume is -0.166667, expected a positive "
        "one");
    EXPECT_EQ(said([](TetMesh& mesh, BodyMaterial&) {
                  for (Vec3& p : mesh.positions) p.z() = 0;
              }),
              "body 'jelly': element 0 is flat: its volume is 0 with an edge of 1.41421");
    EXPECT_EQ(said([](TetMesh& mesh, BodyMaterial&) { mesh.tets[3][2] = 8; }),
              "body 'jelly': element 3 has node 8, but there are 8 nodes");
    EXPECT_EQ(said([](TetMesh& mesh, BodyMaterial&) { mesh.tets[3][2] = mesh.tets[3][1]; }),
              "body 'jelly': element 3 has node 6 twice, expected four different ones");
    EXPECT_EQ(said([&](TetMesh& mesh, BodyMaterial&) { mesh.positions[7].x() = nan; }),
              "body 'jelly': element 0 has node 7 at (nan, 1, 1), expected finite numbers");
    EXPECT_EQ(said([](TetMesh& mesh, BodyMaterial&) { mesh.positions.emplace_back(5, 5, 5); }),
              "body 'jelly': node 8 has a mass of 0, expected it to belong to an element with a "
              "mass");
    EXPECT_EQ(said([](TetMesh&, BodyMaterial& stuff) { stuff.poisson = 0.5; }),
              "body 'jelly': poisson is 0.5, expected a number between -1 and 0.5");
    EXPECT_EQ(said([](TetMesh&, BodyMaterial& stuff) { stuff.poisson = -1; }),
              "body 'jelly': poisson is -1, expected a number between -1 and 0.5");
    EXPECT_EQ(said([](TetMesh&, BodyMaterial& stuff) { stuff.density = 0; }),
              "body 'jelly': density is 0, expected a positive number");
    EXPECT_EQ(said([](TetMesh&, BodyMaterial& stuff) { stuff.young = -1; }),
              "body 'jelly': young is -1, expected a number of at least 0");
    EXPECT_EQ(said([&](TetMesh&, BodyMaterial& stuff) { stuff.damping = nan; }),
              "body 'jelly': damping is nan, expected a number of at least 0");
    EXPECT_EQ(said([](TetMesh&, BodyMaterial& stuff) { stuff.young = HUGE_VAL; }),
              "body 'jelly': young is inf, expected a number of at least 0");

    const TetMesh mesh = brick({1, 1, 1}, 1);
    const std::vector<double> few(5, 1.0), none(6, 0.0);
    EXPECT_EQ(input_error([&] { make_elastic_volume(mesh, few, volume_material(0), "jelly"); }),
              "body 'jelly' says how full 5 elements are, but has 6");
    EXPECT_EQ(input_error([&] { make_elastic_volume(mesh, none, volume_material(0), "jelly"); }),
              "body 'jelly': element 0 is filled by 0, expected a positive number");
}

} // namespace
} // namespace knead
