#include "knead/base/error.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knead {
namespace {

using std::numbers::pi;

// Closed, every edge shared by two faces in opposite directions, of the expected genus.
void expect_closed(const TriangleMesh& mesh, int euler) {
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    for (int e = 0; e < topology.edge_count(); ++e) ASSERT_EQ(topology.edge_faces[e].size(), 2u);
    EXPECT_EQ(mesh.vertex_count() - topology.edge_count() + mesh.face_count(), euler);
    EXPECT_EQ(connected_components(topology).count, 1);
}

double volume(const TriangleMesh& mesh) {
    return signed_volume(mesh.positions, mesh.faces, Vec3(0.3, -2, 7));
}

TEST(Primitives, Sphere) {
    double error = 1;
    for (int n = 0; n <= 5; ++n) {
        const TriangleMesh sphere = make_sphere(2, n);
        EXPECT_EQ(sphere.face_count(), 20 << (2 * n));
        expect_closed(sphere, 2);
        for (const Vec3& p : sphere.positions) ASSERT_NEAR(p.norm(), 2, 1e-14);
        const double now = 1 - volume(sphere) / (4.0 / 3 * pi * 8);
        EXPECT_GT(now, 0);
        EXPECT_LT(now, error);
        error = now;
    }
    EXPECT_LT(error, 2e-3);
}

TEST(Primitives, CapsuleConvergesToItsVolume) {
    for (const double length : {0.0, 1.0, 5.0}) {
        const double exact = pi * length + 4.0 / 3 * pi;
        for (const int resolution : {3, 4, 7, 16, 64}) {
            const TriangleMesh capsule = make_capsule(1, length, resolution);
            expect_closed(capsule, 2);
            EXPECT_GT(volume(capsule), 0);
            EXPECT_NEAR(volume(capsule) / exact, 1, 20.0 / (resolution * resolution));
            const Box box = bounding_box(capsule.positions);
            EXPECT_NEAR(box.upper.y(), 0.5 * length + 1, 1e-12);
            EXPECT_NEAR(box.lower.y(), -0.5 * length - 1, 1e-12);
        }
    }
}

TEST(Primitives, BoxIsExact) {
    for (const auto& cells : {std::array{1, 1, 1}, std::array{2, 3, 4}}) {
        const TriangleMesh box = make_box({1, 2, 3}, cells);
        expect_closed(box, 2);
        EXPECT_NEAR(volume(box), 6, 1e-12);
        EXPECT_NEAR(surface_area(box.positions, box.faces), 22, 1e-12);
    }
}

TEST(Primitives, GridLooksUp) {
    const TriangleMesh grid = make_grid({4, 2}, {8, 5});
    EXPECT_EQ(grid.vertex_count(), 54);
    EXPECT_EQ(grid.face_count(), 80);
    for (const Vec3& normal : face_normals(grid.positions, grid.faces))
        ASSERT_LT((normal - Vec3::UnitY()).norm(), 1e-15);
    const Topology topology = build_topology(grid.faces, grid.vertex_count());
    EXPECT_FALSE(is_closed(topology));
    ASSERT_EQ(boundary_loops(topology, grid.faces).size(), 1u);
    EXPECT_EQ(boundary_loops(topology, grid.faces)[0].size(), 26u);
}

TEST(Primitives, Torus) {
    const TriangleMesh torus = make_torus(2, 0.5, 128);
    expect_closed(torus, 0);
    EXPECT_NEAR(volume(torus) / (2 * pi * pi * 2 * 0.25), 1, 1e-2);
}

TEST(Primitives, BadArgumentsAreNamed) {
    const auto message = [](auto make) -> std::string {
        try {
            make();
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(message([] { make_sphere(-1, 2); }),
              "sphere: radius is -1, expected a positive number");
    EXPECT_EQ(message([] { make_sphere(1, 10); }), "sphere: subdivisions is 10, expected 0 to 9");
    EXPECT_EQ(message([] { make_capsule(1, -1, 8); }),
              "capsule: length is -1, expected zero or more");
    EXPECT_EQ(message([] { make_capsule(1e-9, 1e9, 8); }),
              "capsule: it would have 1.18e+19 vertices, expected at most 2e+07");
    EXPECT_EQ(message([] {
                  make_grid({1, std::nan("")}, {2, 2});
              }),
              "grid: size z is nan, expected a positive number");
    EXPECT_EQ(message([] {
                  make_box({1, 1, 1}, {1, 0, 1});
              }),
              "box: cells y is 0, expected 1 to 100000");
    EXPECT_EQ(message([] { make_torus(1, 2, 8); }),
              "torus: the tube's radius 2 is not smaller than the ring's 1");
}

} // namespace
} // namespace knead
