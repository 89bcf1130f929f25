#include "knead/bulge/displacement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "flat_disc.hpp"

namespace knead {
namespace {

TEST(RadialField, IsTheDistanceToADiscInThePlane) {
    const FlatDisc disc(0.7, 0.1);
    BulgeWorkspace workspace = make_bulge_workspace(disc.topology);
    const CutRegion region =
        cut_region(disc.zone, disc.mesh.positions, disc.mesh.faces, disc.topology);
    const RadialField field = radial_field(region, disc.zone, disc.mesh.positions, disc.mesh.faces,
                                           disc.border, workspace);
    for (int v = 0; v < disc.mesh.vertex_count(); ++v) {
        const double exact = (disc.mesh.positions[v] - Vec3(0.013, 0, 0.021)).norm() - 0.7;
        if (exact > 0 && exact < 0.8) {
            EXPECT_NEAR(field.distance[v], exact, 0.04);
        }
    }
}

TEST(Displacement, AFlatPressHasConstantGuidesAndKeepsTheVolume) {
    const FlatDisc disc(0.7, 0.1);
    const BulgeMesh mesh = disc.bulge_mesh();
    const Eigen::MatrixXd guides =
        border_guides(disc.zone, mesh, 1, mean_edge_length(mesh.positions, *mesh.topology));
    EXPECT_LT((guides.col(0).array() - 0.1).abs().maxCoeff(), 1e-14);
    EXPECT_LT(guides.col(1).cwiseAbs().maxCoeff(), 1e-14);
    BulgeWorkspace workspace = make_bulge_workspace(disc.topology);
    PairDisplacement pair;
    pair_displacement(disc.zone, mesh, {}, 1, {}, workspace, pair);
    for (int v = 0; v < disc.mesh.vertex_count(); ++v)
        if (!disc.zone.inside[v]) {
            EXPECT_NEAR(pair.amplitude[v], 0.1, 1e-12);
        }
    std::vector<Vec3> displaced;
    const std::vector<double> room(mesh.positions.size(), std::numeric_limits<double>::infinity());
    restore_volume(combine_displacements(std::span(&pair, 1), mesh), room, mesh, 1, displaced);
    const Vec3 origin(0, -1, 0);
    EXPECT_NEAR(signed_volume(displaced, disc.mesh.faces, origin),
                signed_volume(disc.mesh.positions, disc.mesh.faces, origin), 1e-12);
}

// A ball with a flat bottom: the ways there, and the raise of its upper half.
struct FlattenedBall {
    TriangleMesh mesh = make_sphere(1, 2);
    std::vector<Vec3> ways, raise;

    FlattenedBall() {
        for (const Vec3& p : mesh.positions) {
            ways.push_back(p.y() < -0.5 ? Vec3(-0.1 * p) : Vec3(Vec3::Zero()));
            raise.push_back(p.y() > 0 ? p : Vec3(Vec3::Zero()));
        }
    }
    std::optional<double> height() const {
        return volume_keeping_height(mesh.positions, ways, raise, mesh.faces);
    }
    double volume_change(double raised) const {
        std::vector<Vec3> moved = mesh.positions;
        for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += ways[v] + raised * raise[v];
        return signed_volume(moved, mesh.faces, Vec3::Zero()) -
               signed_volume(mesh.positions, mesh.faces, Vec3::Zero());
    }
};

TEST(Displacement, TheVolumeCubicIsExact) {
    FlattenedBall ball;
    const auto height = ball.height();
    ASSERT_TRUE(height.has_value());
    EXPECT_NEAR(ball.volume_change(*height), 0, 1e-13);
    // Too much volume is taken away again.
    for (std::size_t v = 0; v < ball.ways.size(); ++v) ball.ways[v] = 0.02 * ball.mesh.positions[v];
    const auto lower = ball.height();
    ASSERT_TRUE(lower.has_value());
    EXPECT_LT(*lower, 0);
    EXPECT_GT(*lower, -0.1);
    EXPECT_NEAR(ball.volume_change(*lower), 0, 1e-13);
    for (Vec3& way : ball.ways) way.setZero();
    EXPECT_FALSE(ball.height().has_value());
}

TEST(Displacement, TheVolumeOfAContactThatIsHardlyThereIsNotRounding) {
    std::vector<double> heights;
    for (const double fade : {1e-6, 1e-20, 1e-40}) {
        FlattenedBall ball;
        for (auto* all : {&ball.ways, &ball.raise})
            for (Vec3& way : *all) way *= fade;
        const auto height = ball.height();
        ASSERT_TRUE(height.has_value());
        heights.push_back(*height);
    }
    EXPECT_NEAR(heights[1], heights[0], 1e-5 * heights[0]);
    EXPECT_NEAR(heights[2], heights[1], 1e-12 * heights[1]);
}

} // namespace
} // namespace knead
