#include "knead/bulge/displacement.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

// A disc of a flat grid, pressed down by `depth`.
struct FlatDisc {
    TriangleMesh mesh = make_grid({4, 4}, {40, 40});
    Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.faces);
    std::vector<char> border = std::vector<char>(mesh.positions.size(), 0);
    ContactZone zone;

    FlatDisc(double radius, double depth) {
        const Vec3 down(0, -depth, 0), center(0.013, 0, 0.021);
        zone.outward = Vec3::UnitY();
        zone.target = mesh.positions;
        zone.border_of_edge.assign(topology.edges.size(), -1);
        for (const Vec3& p : mesh.positions) zone.inside.push_back((p - center).norm() < radius);
        for (int v = 0; v < mesh.vertex_count(); ++v) zone.target[v] += down;
        for (int e = 0; e < topology.edge_count(); ++e) {
            const Edge& ends = topology.edges[e];
            if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
            const Vec3 a = mesh.positions[ends[0]] - center,
                       way = mesh.positions[ends[1]] - mesh.positions[ends[0]];
            const double b = a.dot(way) / way.squaredNorm(),
                         c = (a.squaredNorm() - radius * radius) / way.squaredNorm();
            const double root = std::sqrt(b * b - c);
            const double t = -b - root >= 0 && -b - root <= 1 ? -b - root : -b + root;
            ZoneBorderPoint point;
            point.on_edge = {e, t};
            point.position = mesh.positions[ends[0]] + t * way;
            point.target = point.position + down;
            zone.border_of_edge[e] = static_cast<int>(zone.border.size());
            zone.border.push_back(point);
        }
        const auto loops = boundary_vertices(topology);
        for (std::size_t v = 0; v < loops.size(); ++v) border[v] = loops[v];
    }
    BulgeMesh bulge_mesh() const {
        return {mesh.positions, normals, mesh.faces, &topology, border};
    }
};

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
    const Eigen::MatrixXd guides = border_guides(disc.zone, mesh, 1);
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
