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

TEST(Displacement, TheVolumeCubicIsExact) {
    const TriangleMesh mesh = make_sphere(1, 2);
    std::vector<Vec3> base = mesh.positions, raise(base.size());
    for (std::size_t v = 0; v < base.size(); ++v) {
        base[v] *= mesh.positions[v].y() < -0.5 ? 0.9 : 1.0;
        raise[v] = mesh.positions[v].y() > 0 ? mesh.positions[v] : Vec3(Vec3::Zero());
    }
    const auto height = volume_keeping_height(mesh.positions, base, raise, mesh.faces);
    ASSERT_TRUE(height.has_value());
    for (std::size_t v = 0; v < base.size(); ++v) base[v] += *height * raise[v];
    EXPECT_NEAR(signed_volume(base, mesh.faces, Vec3::Zero()),
                signed_volume(mesh.positions, mesh.faces, Vec3::Zero()), 1e-13);
    // Too much volume is taken away again.
    for (std::size_t v = 0; v < base.size(); ++v) base[v] = 1.02 * mesh.positions[v];
    const auto lower = volume_keeping_height(mesh.positions, base, raise, mesh.faces);
    ASSERT_TRUE(lower.has_value());
    EXPECT_LT(*lower, 0);
    EXPECT_GT(*lower, -0.1);
    for (std::size_t v = 0; v < base.size(); ++v) base[v] += *lower * raise[v];
    EXPECT_NEAR(signed_volume(base, mesh.faces, Vec3::Zero()),
                signed_volume(mesh.positions, mesh.faces, Vec3::Zero()), 1e-13);
    EXPECT_FALSE(
        volume_keeping_height(mesh.positions, mesh.positions, raise, mesh.faces).has_value());
}

} // namespace
} // namespace knead
