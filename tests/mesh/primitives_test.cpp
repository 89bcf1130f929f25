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

TEST(Primitives, LatheTurnsAProfile) {
    // A cylinder with both ends on the axis: closed, of the volume of a prism with 24 sides.
    const std::vector<Vec2> can = {{0, -1}, {2, -1}, {2, 1}, {0, 1}};
    const TriangleMesh cylinder = make_lathe(can, 24);
    expect_closed(cylinder, 2);
    EXPECT_EQ(cylinder.vertex_count(), 2 + 2 * 24);
    EXPECT_NEAR(volume(cylinder), 2 * 24 * 0.5 * 4 * std::sin(2 * pi / 24), 1e-12);

    // A skirt, open at both ends, whose normals look away from the axis.
    const std::vector<Vec2> line = {{1.5, 0}, {1.2, 0.4}, {0.3, 2}};
    const TriangleMesh skirt = make_lathe(line, 16, 10);
    EXPECT_EQ(skirt.vertex_count(), 11 * 16);
    EXPECT_EQ(skirt.face_count(), 2 * 10 * 16);
    const Topology topology = build_topology(skirt.faces, skirt.vertex_count());
    EXPECT_EQ(boundary_loops(topology, skirt.faces).size(), 2u);
    const std::vector<Vec3> normals = face_normals(skirt.positions, skirt.faces);
    for (int f = 0; f < skirt.face_count(); ++f) {
        const Vec3& p = skirt.positions[skirt.faces[f][0]];
        ASSERT_GT(normals[f].dot(Vec3(p.x(), 0, p.z())), 0);
    }
    // Rows of equal length, but for one that goes around the corner of the profile.
    const double length = (0.5 + (line[2] - line[1]).norm()) / 10;
    int shorter = 0;
    for (int r = 0; r < 10; ++r) {
        const double row = (skirt.positions[16 * (r + 1)] - skirt.positions[16 * r]).norm();
        EXPECT_LT(row, length + 1e-12);
        shorter += row < length - 1e-9;
    }
    EXPECT_LE(shorter, 1);
    EXPECT_EQ(skirt.positions.front(), Vec3(1.5, 0, 0));
    EXPECT_EQ(skirt.positions[160], Vec3(0.3, 2, 0));

    // One end on the axis: a cup. A profile that comes back to its start: a ring.
    const TriangleMesh cup = make_lathe(std::vector<Vec2>{{0, 0}, {1, 0}, {1, 1}}, 12);
    EXPECT_EQ(boundary_loops(build_topology(cup.faces, cup.vertex_count()), cup.faces).size(), 1u);
    const TriangleMesh hoop =
        make_lathe(std::vector<Vec2>{{2, 0}, {3, 0}, {3, 1}, {2, 1}, {2, 0}}, 12);
    expect_closed(hoop, 0);
    EXPECT_GT(volume(hoop), 0);
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
    const auto lathe = [&](std::vector<Vec2> profile, int resolution = 8, int rows = 0) {
        return message([&] { make_lathe(profile, resolution, rows); });
    };
    EXPECT_EQ(lathe({{1, 0}}), "lathe: the profile has 1 points, expected two or more");
    EXPECT_EQ(lathe({{1, 0}, {-1, 2}}),
              "lathe: point 1 of the profile is [-1, 2], expected a radius of at least 0 and a "
              "height");
    EXPECT_EQ(lathe({{1, 0}, {1, std::nan("")}}),
              "lathe: point 1 of the profile is [1, nan], expected a radius of at least 0 and a "
              "height");
    EXPECT_EQ(lathe({{0, 0}, {0, 1}}), "lathe: all points of the profile are on the axis");
    EXPECT_EQ(lathe({{1, 0}, {0, 1}, {1, 2}}),
              "lathe: point 1 of the profile is on the axis, expected only the first and the last "
              "there");
    EXPECT_EQ(lathe({{1, 0}, {1, 0}}), "lathe: points 0 and 1 of the profile are the same");
    EXPECT_EQ(lathe({{1, 0}, {1, 1}, {1, 0}}),
              "lathe: the profile ends where it begins, expected a ring of three rows or more that "
              "keeps off the axis");
    EXPECT_EQ(lathe({{1, 0}, {1, 1}}, 2), "lathe: resolution is 2, expected 3 to 100000");
    EXPECT_EQ(lathe({{1, 0}, {1, 1}}, 8, -1), "lathe: rows is -1, expected 0 to 100000");
    EXPECT_EQ(lathe({{1, 0}, {1, 1}}, 100000, 1000),
              "lathe: it would have 1e+08 vertices, expected at most 2e+07");
}

} // namespace
} // namespace knead
