#include "knead/base/random.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace knead {
namespace {

using std::numbers::pi;

TEST(Measures, OneTriangle) {
    const std::vector<Vec3> p{{0, 0, 0}, {3, 0, 0}, {0, 4, 0}};
    const std::vector<Triangle> faces{{0, 1, 2}};
    EXPECT_DOUBLE_EQ(surface_area(p, faces), 6);
    EXPECT_EQ(face_areas(p, faces), std::vector{6.0});
    EXPECT_EQ(vertex_areas(p, faces), (std::vector{2.0, 2.0, 2.0}));
    EXPECT_EQ(face_normals(p, faces)[0], Vec3(0, 0, 1));
    EXPECT_DOUBLE_EQ(signed_volume(p, faces, {0, 0, -1}), 2);
    EXPECT_DOUBLE_EQ(signed_volume(p, faces, {5, 5, 1}), -2);
    EXPECT_DOUBLE_EQ(mean_edge_length(p, build_topology(faces, 3)), 4);
}

TEST(Measures, FacesWithoutAreaHaveNoNormal) {
    const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {7, 7, 7}};
    const std::vector<Triangle> faces{{0, 1, 2}};
    EXPECT_EQ(face_normals(p, faces)[0], Vec3(0, 0, 0));
    for (const auto weighting : {NormalWeighting::area, NormalWeighting::angle})
        for (const Vec3& n : vertex_normals(p, faces, weighting)) EXPECT_EQ(n, Vec3(0, 0, 0));
    EXPECT_EQ(mean_edge_length(p, build_topology({}, 4)), 0);
}

TEST(Measures, AngleWeightsDoNotSeeTheTriangulation) {
    // Corner 0 of a cube's corner: one side is divided, which counts twice by area of faces only.
    const std::vector<Vec3> p{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
    const std::vector<Triangle> faces{{0, 1, 3}, {0, 3, 2}, {0, 2, 4}, {0, 4, 1}};
    const Vec3 by_angle = vertex_normals(p, faces, NormalWeighting::angle)[0];
    EXPECT_LT((by_angle - Vec3(-1, -1, -1).normalized()).norm(), 1e-15);
    const Vec3 by_area = vertex_normals(p, faces, NormalWeighting::area)[0];
    EXPECT_LT((by_area - Vec3(-1, -1, -2).normalized()).norm(), 1e-15);
}

TEST(Measures, SphereNormalsLookOutwards) {
    const TriangleMesh sphere = make_sphere(3, 4);
    for (const auto weighting : {NormalWeighting::area, NormalWeighting::angle}) {
        const auto normals = vertex_normals(sphere.positions, sphere.faces, weighting);
        for (std::size_t v = 0; v < normals.size(); ++v)
            EXPECT_GT(normals[v].dot(sphere.positions[v] / 3), 0.9999);
    }
    EXPECT_NEAR(surface_area(sphere.positions, sphere.faces) / (36 * pi), 1, 3e-3);
    EXPECT_NEAR(signed_volume(sphere.positions, sphere.faces, {0, 0, 0}) / (36 * pi), 1, 5e-3);
}

TEST(Measures, FollowRigidMotionsAndScales) {
    const TriangleMesh original = make_box({1, 2, 3}, {2, 3, 4});
    const auto normals = vertex_normals(original.positions, original.faces);
    Random random(8);
    for (const double scale : {1e-6, 1.0, 1e6})
        for (int trial = 0; trial < 10; ++trial) {
            const Quat rotation = random.rotation();
            const Affine3 motion =
                Eigen::Translation3d(scale * random.in_cube(2)) * rotation * Eigen::Scaling(scale);
            TriangleMesh mesh = original;
            transform(mesh, motion);
            EXPECT_NEAR(surface_area(mesh.positions, mesh.faces) / (22 * scale * scale), 1, 1e-12);
            EXPECT_NEAR(signed_volume(mesh.positions, mesh.faces, mesh.positions[0]) /
                            (6 * scale * scale * scale),
                        1, 1e-12);
            const auto moved = vertex_normals(mesh.positions, mesh.faces);
            for (std::size_t v = 0; v < moved.size(); ++v)
                EXPECT_LT((moved[v] - rotation * normals[v]).norm(), 1e-9);
            const auto areas = vertex_areas(mesh.positions, mesh.faces);
            EXPECT_NEAR(std::accumulate(areas.begin(), areas.end(), 0.0) / (22 * scale * scale), 1,
                        1e-12);
        }
}

TEST(Measures, TinyFacesHaveNormals) {
    const std::vector<Vec3> p{{0, 0, 0}, {1e-60, 0, 0}, {0, 1e-60, 0}};
    const std::vector<Triangle> faces{{0, 1, 2}};
    EXPECT_EQ(face_normals(p, faces)[0], Vec3(0, 0, 1));
    EXPECT_EQ(vertex_normals(p, faces)[1], Vec3(0, 0, 1));
}

TEST(Measures, VolumeOfAClosedSurfaceHasNoOrigin) {
    const TriangleMesh torus = make_torus(2, 0.5, 40);
    const double volume = signed_volume(torus.positions, torus.faces, {0, 0, 0});
    Random random(9);
    for (int trial = 0; trial < 20; ++trial)
        EXPECT_NEAR(signed_volume(torus.positions, torus.faces, random.in_cube(10)), volume, 1e-11);
}

} // namespace
} // namespace knead
