#include "knead/contact/parameter_patch.hpp"
#include "knead/contact/parametrized_mapping.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A ball of radius 1 pressed by `depth` into a rigid floor at y = 0.
struct MappedBallOnFloor {
    std::array<TriangleMesh, 2> meshes;
    std::array<std::vector<Vec3>, 2> normals;
    std::array<Surface, 2> surfaces;
    std::array<PairSide, 2> sides;
    std::array<Mapping, 2> mappings;
    Vec3 center;

    MappedBallOnFloor(double depth, int subdivisions, int cells, bool rigid_ball = false)
        : meshes{make_sphere(1, subdivisions), make_grid({4, 4}, {cells, cells})},
          center(0.013, 1 - depth, 0.007) {
        for (Vec3& p : meshes[0].positions) p += center;
        for (int s = 0; s < 2; ++s) {
            normals[s] = vertex_normals(meshes[s].positions, meshes[s].faces);
            surfaces[s] = make_surface(meshes[s]);
            const bool rigid = (s == 0) == rigid_ball;
            sides[s] = {&surfaces[s], normals[s], s == 0 ? Vec3::UnitY() : Vec3(-Vec3::UnitY()),
                        infinity, rigid ? infinity : 1};
        }
        Intersection intersection;
        IntersectionWorkspace workspace;
        intersect(surfaces[0], surfaces[1], intersection, workspace);
        map_by_parametrization(sides, intersection, mappings);
    }
    Vec3 target(int side, int vertex) const {
        const MappedPoint& mapped = mappings[side].of_vertex[vertex];
        return meshes[side].positions[vertex] + mapped.gap * mapped.inward;
    }
};

// How far from the middle the harmonic map of a cap of a unit ball onto its disc takes a point at
// the angle t from the pole: it is the stereographic projection.
double stereographic(double t, double rim) {
    return std::sin(rim) * std::tan(t / 2) / std::tan(rim / 2);
}

TEST(ParametrizedMapping, ACapGoesOntoItsDiscStereographically) {
    for (const double depth : {0.1, 0.3, 0.7}) {
        SCOPED_TRACE(depth);
        const MappedBallOnFloor scene(depth, 4, 60);
        const double rim = std::acos(1 - depth);
        int count = 0;
        for (int v = 0; v < scene.meshes[0].vertex_count(); ++v) {
            if (!scene.mappings[0].region.inside[v]) continue;
            ++count;
            const Vec3 from = scene.meshes[0].positions[v] - scene.center;
            const double angle = std::acos(std::clamp(-from.y(), -1.0, 1.0));
            const Vec3 target = scene.target(0, v);
            EXPECT_NEAR(target.y(), 0, 1e-12);
            EXPECT_NEAR(std::hypot(target.x() - 0.013, target.z() - 0.007),
                        stereographic(angle, rim), 0.025);
        }
        EXPECT_GT(count, 20);
    }
}

// A floor of two triangles has no vertex in the ball, but the same disc.
TEST(ParametrizedMapping, ACoarseRigidMeshIsAsGoodAsAFineOne) {
    const MappedBallOnFloor fine(0.3, 3, 80), coarse(0.3, 3, 1);
    int count = 0;
    for (int v = 0; v < fine.meshes[0].vertex_count(); ++v) {
        if (!fine.mappings[0].region.inside[v]) continue;
        ++count;
        ASSERT_TRUE(coarse.mappings[0].region.inside[v]);
        EXPECT_LT((fine.target(0, v) - coarse.target(0, v)).norm(), 0.004);
    }
    EXPECT_GT(count, 10);
}

TEST(ParametrizedMapping, ADiscGoesOntoTheCapOfARigidBall) {
    const MappedBallOnFloor scene(0.5, 4, 60, true);
    const double rim = std::acos(0.5);
    int count = 0;
    for (int v = 0; v < scene.meshes[1].vertex_count(); ++v) {
        if (!scene.mappings[1].region.inside[v]) continue;
        ++count;
        const Vec3 from = scene.target(1, v) - scene.center;
        EXPECT_NEAR(from.norm(), 1, 0.02);
        const double angle = std::acos(std::clamp(-from.y() / from.norm(), -1.0, 1.0));
        const Vec3& p = scene.meshes[1].positions[v];
        EXPECT_NEAR(std::hypot(p.x() - 0.013, p.z() - 0.007), stereographic(angle, rim), 0.03);
    }
    EXPECT_GT(count, 100);
}

// Below its equator a ball looks away from the floor when it comes out of it; that half is not
// mapped along one direction, and here it is not part of the region either.
TEST(ParametrizedMapping, TheRegionEndsWhereTheMeshTurnsAway) {
    const MappedBallOnFloor scene(1.4, 4, 60);
    for (int v = 0; v < scene.meshes[0].vertex_count(); ++v) {
        const MappedPoint& mapped = scene.mappings[0].of_vertex[v];
        if (scene.mappings[0].region.inside[v]) {
            EXPECT_GT(mapped.facing, 0);
            EXPECT_LT(scene.normals[0][v].dot(mapped.inward), 0);
        }
    }
    const Topology& topology = scene.surfaces[0].topology();
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        const auto& inside = scene.mappings[0].region.inside;
        if (inside[ends[0]] == inside[ends[1]]) continue;
        EXPECT_GE(scene.mappings[0].region.cut[e], 0);
        EXPECT_LE(scene.mappings[0].region.cut[e], 1);
        EXPECT_EQ(scene.mappings[0].of_edge[e].depth, 0);
    }
}

// Above the bottom of a valley both slopes are equally near.
TEST(ParameterInverse, HardlyJumpsFromOnePlaceToAnother) {
    TriangleMesh valley = make_grid({4, 4}, {20, 20});
    for (Vec3& p : valley.positions) p.y() = 0.2 * std::abs(p.x());
    ParameterPatch patch;
    Eigen::MatrixXd parameters(valley.vertex_count(), 3);
    for (int v = 0; v < valley.vertex_count(); ++v) {
        patch.vertices.push_back(v);
        patch.of_mesh_vertex.push_back(v);
        parameters.row(v) = valley.positions[v].transpose();
    }
    for (int f = 0; f < valley.face_count(); ++f) patch.faces.push_back(f);
    const ParameterInverse inverse(patch, valley.faces, parameters);
    const auto found = [&](const Vec3& at) {
        return interpolate<Vec3>(*inverse(at), valley.faces, valley.positions);
    };
    const Vec3 left = found({-1e-9, 0.5, 0.03}), right = found({1e-9, 0.5, 0.03});
    // The two feet of the point are 0.19 apart.
    EXPECT_LT((left - right).norm(), 0.02);
    EXPECT_NEAR(left.z(), 0.03, 0.02);
    // A point of the patch is its own.
    const Vec3 own(0.33, 0.066, -0.71);
    EXPECT_LT((found(own) - own).norm(), 1e-12);
}

} // namespace
} // namespace knead
