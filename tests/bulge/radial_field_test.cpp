#include "knead/bulge/radial_field.hpp"

#include <gtest/gtest.h>

#include "flat_disc.hpp"
#include "solved_distance.hpp"

namespace knead {
namespace {

TEST(RadialField, IsTheDistanceToADiscInThePlane) {
    const FlatDisc disc(0.7, 0.1);
    BulgeWorkspace workspace = make_bulge_workspace(disc.topology);
    const CutRegion region =
        cut_region(disc.zone, disc.mesh.positions, disc.mesh.faces, disc.topology);
    const std::vector<double> distance =
        solved_distance(prepare_radial_field, region, disc.zone, disc.mesh.positions,
                        disc.mesh.faces, disc.border, workspace);
    for (int v = 0; v < disc.mesh.vertex_count(); ++v) {
        const double exact = (disc.mesh.positions[v] - Vec3(0.013, 0, 0.021)).norm() - 0.7;
        if (exact > 0 && exact < 0.8) {
            EXPECT_NEAR(distance[v], exact, 0.04);
        }
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
        workspace.fields.resize(3, 0);
        prepare_from_gradient(region, {}, values, 1, -1, {10, true}, moved, workspace);
        found.push_back(workspace.fields.columns);
    }
    EXPECT_GT(found[0].norm(), 0.01);
    EXPECT_LT((found[0] - found[1]).norm(), 1e-5 * found[0].norm());
}

} // namespace
} // namespace knead
