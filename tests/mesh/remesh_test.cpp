#include "knead/base/error.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/half_edges.hpp"
#include "knead/mesh/isosurface.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/remesh.hpp"

#include <gtest/gtest.h>

#include "mesh/shape.hpp"

namespace knead {
namespace {

void expect_manifold(const HalfEdges& mesh, int euler) {
    int vertices = 0, half_edges = 0;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        if (mesh.vertex_removed(v)) continue;
        ++vertices;
        mesh.around(v, [&](int h) { ASSERT_EQ(mesh.tail(h), v); });
    }
    for (int h = 0; h < mesh.half_edge_count(); ++h) {
        if (mesh.removed(h)) continue;
        ++half_edges;
        ASSERT_EQ(mesh.twin(mesh.twin(h)), h);
        ASSERT_EQ(mesh.tail(mesh.twin(h)), mesh.head(h));
    }
    EXPECT_EQ(vertices - half_edges / 2 + half_edges / 3, euler);
    // Building it again tests every edge and every fan.
    EXPECT_NO_THROW(HalfEdges(mesh.faces(), mesh.vertex_count()));
}

TEST(HalfEdges, OperationsKeepItManifold) {
    Random random(1);
    for (const auto& [start, euler] :
         {std::pair{make_sphere(1, 1), 2}, std::pair{make_torus(1, 0.5, 8), 0},
          std::pair{make_box({1, 1, 1}, {1, 1, 1}), 2}}) {
        HalfEdges mesh(start.faces, start.vertex_count());
        for (int step = 0; step < 2000; ++step) {
            const int h = random.index(mesh.half_edge_count());
            if (mesh.removed(h)) continue;
            const int operation = random.index(5);
            if (operation == 0) mesh.split(h);
            if (operation == 1 && mesh.can_flip(h)) mesh.flip(h);
            if (operation >= 2 && mesh.can_collapse(h)) mesh.collapse(h);
            if (step % 100 == 0) expect_manifold(mesh, euler);
        }
        expect_manifold(mesh, euler);
    }
}

TEST(HalfEdges, ATetrahedronCannotShrink) {
    const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    const HalfEdges mesh(faces, 4);
    for (int h = 0; h < 12; ++h) {
        EXPECT_FALSE(mesh.can_collapse(h));
        EXPECT_FALSE(mesh.can_flip(h));
    }
}

TEST(HalfEdges, OpenAndBrokenSurfacesAreRefused) {
    const auto message = [](const std::vector<Triangle>& faces, int vertices) -> std::string {
        try {
            const HalfEdges mesh(faces, vertices);
        } catch (const GeometryError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_EQ(message({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}, 4),
              "remesh: edge 0-2 does not join two faces that agree on its direction, expected a "
              "closed surface");
    EXPECT_EQ(message({{0, 1, 2}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 4),
              "remesh: edge 0-1 does not join two faces that agree on its direction, expected a "
              "closed surface");
    EXPECT_EQ(message({{0, 2, 1},
                       {0, 1, 3},
                       {1, 2, 3},
                       {2, 0, 3},
                       {0, 5, 4},
                       {0, 4, 6},
                       {4, 5, 6},
                       {5, 0, 6}},
                      7),
              "remesh: vertex 0 joins several fans of faces, expected a manifold surface");
}

TEST(Remesh, CoarseFineAndUnevenSpheresBecomeEven) {
    const auto project = [](const Vec3& p) { return Vec3(p.normalized()); };
    TriangleMesh uneven = make_sphere(1, 4);
    for (Vec3& p : uneven.positions) p = (p + Vec3(0.8, 0, 0)).normalized();
    for (TriangleMesh mesh : {make_sphere(1, 0), make_sphere(1, 5), uneven}) {
        remesh(mesh.positions, mesh.faces, {.edge = 0.15}, project);
        const Shape shape = expect_well_formed(mesh);
        EXPECT_EQ(shape.euler, 2);
        EXPECT_NEAR(shape.mean_edge, 0.15, 0.015);
        EXPECT_GT(shape.smallest_angle, 30);
        EXPECT_GT(shape.regular_share, 0.97);
        for (const Vec3& p : mesh.positions) EXPECT_NEAR(p.norm(), 1, 1e-14);
    }
}

TEST(Remesh, KeepsGenus) {
    const auto project = [](const Vec3& p) {
        const Vec3 ring = Vec3(p.x(), 0, p.z()).normalized();
        return Vec3(ring + 0.4 * (p - ring).normalized());
    };
    TriangleMesh torus = make_torus(1, 0.4, 16);
    remesh(torus.positions, torus.faces, {.edge = 0.1}, project);
    const Shape shape = expect_well_formed(torus);
    EXPECT_EQ(shape.euler, 0);
    EXPECT_NEAR(shape.mean_edge, 0.1, 0.01);
    EXPECT_GT(shape.smallest_angle, 30);
}

TEST(Remesh, SurfacesSmallerThanAnEdgeDoNotVanish) {
    TriangleMesh sphere = make_sphere(0.01, 3);
    remesh(sphere.positions, sphere.faces, {.edge = 1},
           [](const Vec3& p) { return Vec3(0.01 * p.normalized()); });
    EXPECT_EQ(expect_well_formed(sphere).euler, 2);
    EXPECT_LT(sphere.vertex_count(), 100);
}

TEST(Isosurface, ClosedAndManifoldForAnyField) {
    IsosurfaceGrid grid{.origin = Vec3(-1, -1, -1), .cell = 2.0 / 16, .blocks = {}};
    for (int i = 0; i < 8; ++i) grid.blocks.push_back({i & 1, i >> 1 & 1, i >> 2});
    const auto inside_box = [](const Vec3& p) { return p.cwiseAbs().maxCoeff() - 0.8; };
    for (int seed = 0; seed < 20; ++seed) {
        // Noise: every configuration of every tetrahedron comes up.
        const TriangleMesh mesh = extract_isosurface(grid, [&](const Vec3& p) {
            std::uint64_t bits = static_cast<std::uint64_t>(seed);
            for (int axis = 0; axis < 3; ++axis)
                bits = bits * 1000003 +
                       static_cast<std::uint64_t>(std::lround((p[axis] + 1) / grid.cell * 2));
            return std::max(inside_box(p), Random(bits).uniform(-1, 1));
        });
        ASSERT_GT(mesh.face_count(), 1000);
        EXPECT_NO_THROW(HalfEdges(mesh.faces, mesh.vertex_count()));
        EXPECT_GT(signed_volume(mesh.positions, mesh.faces, Vec3::Zero()), 0);
    }
    const TriangleMesh plain = extract_isosurface(grid, inside_box);
    EXPECT_EQ(expect_well_formed(plain).euler, 2);
    EXPECT_NEAR(signed_volume(plain.positions, plain.faces, Vec3::Zero()), 1.6 * 1.6 * 1.6, 0.1);
}

} // namespace
} // namespace knead
