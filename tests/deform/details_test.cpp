#include "knead/bulge/smooth_field.hpp"

#include <Eigen/SVD>
#include <gtest/gtest.h>

#include <numbers>

#include "input_error.hpp"
#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

const Vec3 thorn_foot(1, 0, 0.1);

bool in_thorn(const Vec3& p) {
    return Vec3(p.x() - thorn_foot.x(), 0, p.z() - thorn_foot.z()).norm() < 0.2;
}

// A rigid ball pressed into a soft sheet with a thorn, 0.4 high, beside it.
Pair thorn_beside_ball(double depth = 0.3, int cells = 120) {
    Pair pair = ball_on_floor(depth, 3, cells);
    pair.objects[0].rigid = true;
    pair.objects[1].bulge.bulge = 2;
    for (Vec3& p : pair.meshes[1].positions)
        p.y() += 0.4 * std::exp(-(p - thorn_foot).squaredNorm() / (0.1 * 0.1));
    return pair;
}

// How far the thorn's vertices are from where the best rigid motion of it would bring them, in the
// mean.
double distortion(const Pair& pair, const DeformResult& result) {
    std::vector<Vec3> before, after;
    Vec3 from = Vec3::Zero(), to = Vec3::Zero();
    for (std::size_t v = 0; v < pair.meshes[1].positions.size(); ++v)
        if (in_thorn(pair.meshes[1].positions[v])) {
            before.push_back(pair.meshes[1].positions[v]);
            after.push_back(result.objects[1].positions[v]);
            from += before.back();
            to += after.back();
        }
    from /= static_cast<double>(before.size());
    to /= static_cast<double>(before.size());
    Mat3 covariance = Mat3::Zero();
    for (std::size_t i = 0; i < before.size(); ++i)
        covariance += (after[i] - to) * (before[i] - from).transpose();
    const Eigen::JacobiSVD<Mat3> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 turn = svd.matrixU() * svd.matrixV().transpose();
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        sum += (after[i] - to - turn * (before[i] - from)).norm();
    return sum / static_cast<double>(before.size());
}

TEST(Details, AThornTurnsInsteadOfSwelling) {
    Pair pair = thorn_beside_ball();
    const double plain = distortion(pair, pair.result());
    pair.objects[1].smooth_normals = 0.4;
    const double guided = distortion(pair, pair.result());
    pair.objects[1].details = 0.4;
    const double turned = distortion(pair, pair.result());
    // Normals about its foot are smoothed anyway where the bulge would fold there; along all of its
    // own it was 0.037.
    EXPECT_LT(plain, 0.03);
    EXPECT_LT(guided, 0.95 * plain);
    EXPECT_LT(turned, 0.7 * guided);
}

TEST(Details, KeepTheContactAndTheVolume) {
    Pair pair = ball_on_floor(0.3, 4, 40);
    pair.objects[1].rigid = true;
    pair.objects[0].details = 0.3;
    const DeformResult result = pair.result();
    EXPECT_LT(depth_of(pair, result), 0.05 * 0.3 + 0.5 * std::pow(0.15, 2));
    const auto volume = [&](const std::vector<Vec3>& positions) {
        return signed_volume(positions, pair.meshes[0].faces, Vec3::Zero());
    };
    EXPECT_NEAR(volume(result.objects[0].positions), volume(pair.meshes[0].positions), 1e-9);
    Pair thorn = thorn_beside_ball();
    thorn.objects[1].details = 0.4;
    const DeformResult with = thorn.result();
    EXPECT_LT(depth_of(thorn, with), 0.05 * 0.3);
    // The border of the sheet does not move.
    for (std::size_t v = 0; v < with.objects[1].positions.size(); ++v) {
        const Vec3& p = thorn.meshes[1].positions[v];
        if (std::max(std::abs(p.x()), std::abs(p.z())) > 2.49) {
            EXPECT_EQ(with.objects[1].positions[v], p);
        }
    }
}

TEST(Details, OfLengthZeroChangeNoBit) {
    Pair pair = thorn_beside_ball(0.3, 40);
    const DeformResult plain = pair.result();
    pair.objects[1].smooth_normals = 0;
    pair.objects[1].details = 0;
    EXPECT_EQ(pair.result().objects[1].positions, plain.objects[1].positions);
}

// The same thorn on either side of the ball: where nothing is painted it is as it would be without.
TEST(Details, AreWhereTheyArePainted) {
    Pair pair = thorn_beside_ball(0.3, 60);
    for (Vec3& p : pair.meshes[1].positions)
        p.y() += 0.4 * std::exp(-(p + thorn_foot).squaredNorm() / (0.1 * 0.1));
    const std::vector<Vec3>& before = pair.meshes[1].positions;
    std::vector<double> right;
    for (const Vec3& p : before) right.push_back(0.4 * std::clamp(2 * p.x() + 0.5, 0.0, 1.0));
    const auto largest_difference = [&](const DeformResult& a, const DeformResult& b, int side) {
        double largest = 0;
        for (std::size_t v = 0; v < before.size(); ++v)
            if (side * before[v].x() > 0.6 && before[v].y() > 0.1)
                largest = std::max(largest,
                                   (a.objects[1].positions[v] - b.objects[1].positions[v]).norm());
        return largest;
    };
    for (VertexNumber DeformSettings::*setting :
         {&DeformSettings::smooth_normals, &DeformSettings::details}) {
        const auto with = [&](const VertexNumber& value) {
            pair.objects[1].*setting = value;
            const DeformResult result = pair.result();
            pair.objects[1].*setting = 0;
            return result;
        };
        const DeformResult none = with(0), all = with(0.4), painted = with(right);
        const double effect = largest_difference(none, all, 1);
        EXPECT_GT(effect, 0.01);
        EXPECT_LT(largest_difference(painted, all, 1), 0.2 * effect);
        EXPECT_LT(largest_difference(painted, none, -1), 0.2 * effect);
        const std::vector<double> everywhere(before.size(), 0.4);
        EXPECT_LT(largest_difference(with(everywhere), all, 1), 1e-9);
    }
    const std::vector<double> few(3, 0.1);
    pair.objects[1].details = few;
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 1, the details map has 3 values, expected " +
                  std::to_string(before.size()));
}

TEST(Details, DoNotJump) {
    Pair pair = thorn_beside_ball(-0.01, 30);
    pair.objects[1].details = 0.4;
    EXPECT_LT(jump_of(pair, {0.03, -0.3, 0.02}, 12), 1.0 / 500);
}

TEST(Details, LengthsThatAreNoneAreNamed) {
    Pair pair = ball_on_floor(0.1, 2, 10);
    pair.objects[1].details = -1;
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 1, details is -1, expected a number of at least 0");
    pair.objects[1].details = 0;
    pair.objects[1].smooth_normals = std::nan("");
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 1, smooth_normals is nan, expected a number of at least 0");
}

// Waves on a plane: short ones go, long ones stay, and what is level stays so.
TEST(SmoothField, KeepsWhatIsLong) {
    const TriangleMesh mesh = make_grid({8, 8}, {160, 160});
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    BulgeWorkspace workspace = make_bulge_workspace(topology);
    const auto kept = [&](double wave) {
        Eigen::MatrixXd values(mesh.vertex_count(), 2);
        const auto height = [&](int v) {
            return std::sin(2 * std::numbers::pi * mesh.positions[v].x() / wave);
        };
        for (int v = 0; v < mesh.vertex_count(); ++v) values.row(v) << height(v), 3;
        values = smoothed(mesh.positions, mesh.faces, values, 0.5, workspace);
        double both = 0, before = 0;
        for (int v = 0; v < mesh.vertex_count(); ++v) {
            EXPECT_NEAR(values(v, 1), 3, 1e-12);
            if (mesh.positions[v].cwiseAbs().maxCoeff() > 2) continue;
            both += values(v, 0) * height(v);
            before += height(v) * height(v);
        }
        return both / before;
    };
    EXPECT_LT(kept(0.25), 0.01);
    EXPECT_NEAR(kept(0.5), 0.03, 0.01);
    EXPECT_NEAR(kept(4), 0.86, 0.03);
}

} // namespace
} // namespace knead
