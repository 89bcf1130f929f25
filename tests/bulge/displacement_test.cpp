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

TEST(Displacement, TheVolumeCubicIsThatOfTheFacesThatMove) {
    const FlattenedBall ball;
    std::vector<int> moving;
    for (int f = 0; f < ball.mesh.face_count(); ++f)
        for (const int v : ball.mesh.faces[f])
            if (!(ball.ways[v].isZero(0) && ball.raise[v].isZero(0))) {
                moving.push_back(f);
                break;
            }
    ASSERT_LT(moving.size(), ball.mesh.faces.size());
    // An odd number of them and an even one.
    for (int round = 0; round < 2; ++round, moving.push_back(moving.front())) {
        std::vector<Triangle> faces;
        for (const int f : moving) faces.push_back(ball.mesh.faces[f]);
        const auto expected =
            volume_keeping_height(ball.mesh.positions, ball.ways, ball.raise, faces, 0.01);
        const auto found = volume_keeping_height(ball.mesh.positions, ball.ways, ball.raise,
                                                 ball.mesh.faces, moving, 0.01);
        ASSERT_TRUE(expected.has_value() && found.has_value());
        EXPECT_EQ(*found, *expected);
    }
}

// What pairs do to a sheet, by two zones of different places.
struct TwoPairs {
    FlatDisc first{0.7, 0.1}, second{0.4, 0.2};
    BulgeMesh mesh = first.bulge_mesh();
    std::vector<PairDisplacement> pairs{2};

    TwoPairs() {
        BulgeWorkspace workspace = make_bulge_workspace(first.topology);
        pair_displacement(first.zone, mesh, {}, 0.8, {}, workspace, pairs[0]);
        pair_displacement(second.zone, mesh, {}, 0.3, {}, workspace, pairs[1]);
    }
    std::vector<Vec3> restored(std::span<const PairDisplacement> of, CombinedDisplacement& combined,
                               VolumeWorkspace& workspace, double room) const {
        combine_displacements(of, mesh, combined);
        std::vector<Vec3> displaced;
        restore_volume(combined, std::vector<double>(mesh.positions.size(), room), mesh, 1,
                       workspace, displaced);
        return displaced;
    }
};

TEST(Displacement, MemoryThatIsUsedAgainChangesNoBit) {
    const TwoPairs of;
    CombinedDisplacement used;
    VolumeWorkspace used_workspace;
    const std::span<const PairDisplacement> all(of.pairs);
    for (const auto& [pairs, room] : {std::pair(all, 2.0),
                                      {all.first(1), 0.4},
                                      {all.last(1), 2.0},
                                      {all.first(0), 1.0},
                                      {all, 0.5}}) {
        CombinedDisplacement fresh;
        VolumeWorkspace fresh_workspace;
        EXPECT_EQ(of.restored(pairs, used, used_workspace, room),
                  of.restored(pairs, fresh, fresh_workspace, room));
        EXPECT_EQ(used.base, fresh.base);
        EXPECT_EQ(used.raise, fresh.raise);
    }
    BulgeWorkspace workspace = make_bulge_workspace(of.first.topology);
    for (const int i : {0, 1, 0}) {
        PairDisplacement again;
        pair_displacement(i == 0 ? of.first.zone : of.second.zone, of.mesh, {}, i == 0 ? 0.8 : 0.3,
                          {}, workspace, again);
        EXPECT_EQ(again.base, of.pairs[i].base);
        EXPECT_EQ(again.raise, of.pairs[i].raise);
        EXPECT_EQ(again.height, of.pairs[i].height);
    }
}

// Pieces that are next to flat are looked at in space, the others by their cotangents.
TEST(RadialField, BothWaysToAGradientAgree) {
    const std::vector<Triangle> faces = {{0, 1, 2}};
    const Topology topology = build_topology(faces, 3);
    const std::vector<double> values = {0.3, 0.9, 0.5};
    std::vector<Eigen::VectorXd> found;
    for (const double height : {0.0499999, 0.0500001}) {
        const std::vector<Vec3> positions = {{0, 0, 0}, {0.6, 0.8, 0}, {0.2, 0.1, 0}};
        std::vector<Vec3> moved = positions;
        // This high above the longest side, which is 1 long.
        moved[2] = 0.3 * positions[1] + height * Vec3(0.8, -0.6, 0);
        BulgeWorkspace workspace = make_bulge_workspace(topology);
        CutRegion region;
        region.pieces.push_back({{0, 1, 2}, 0, 0.7});
        region.unknown = {1, 1, 1};
        region.edge = 1;
        assemble_cut_laplacian(region, {}, workspace.pattern, moved, faces, workspace.laplacian);
        EXPECT_EQ(workspace.laplacian.shapes[0].per_area > 0, height > 0.05);
        // So that it can be factorised.
        for (const int v : {0, 1, 2}) workspace.laplacian.matrix.coeffRef(v, v) += 1;
        workspace.fields.resize(3, 1);
        prepare_from_gradient(region, {}, values, 1, -1, {10, true}, moved, workspace);
        found.push_back(workspace.fields.col(0));
    }
    EXPECT_GT(found[0].norm(), 0.01);
    EXPECT_LT((found[0] - found[1]).norm(), 1e-5 * found[0].norm());
}

} // namespace
} // namespace knead
