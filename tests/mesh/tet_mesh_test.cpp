#include "knead/mesh/measures.hpp"
#include "knead/mesh/tet_mesh.hpp"
#include "knead/mesh/topology.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

// A cube of two units as six tetrahedra around its diagonal.
TetMesh cube() {
    TetMesh mesh;
    for (int i = 0; i < 8; ++i) mesh.positions.emplace_back(2 * (i & 1), i & 2, (i & 4) / 2);
    mesh.tets = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    return mesh;
}

TEST(TetMesh, VolumesArePositiveUnlessInverted) {
    const TetMesh mesh = cube();
    double volume = 0;
    for (int t = 0; t < 6; ++t) {
        EXPECT_DOUBLE_EQ(signed_volume(mesh, mesh.positions, t), 8.0 / 6);
        volume += signed_volume(mesh, mesh.positions, t);
    }
    EXPECT_DOUBLE_EQ(volume, 8);
    std::vector<Vec3> mirrored = mesh.positions;
    for (Vec3& p : mirrored) p.x() = -p.x();
    EXPECT_DOUBLE_EQ(signed_volume(mesh, mirrored, 3), -8.0 / 6);
}

TEST(TetMesh, TheBoundaryIsClosedAndLooksOutwards) {
    const TetMesh mesh = cube();
    const std::vector<Triangle> faces = boundary_faces(mesh.tets);
    EXPECT_EQ(faces.size(), 12u);
    EXPECT_TRUE(is_closed(build_topology(faces, 8)));
    for (const Triangle& f : faces) {
        const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
        EXPECT_GT(area_vector(a, b, c).dot((a + b + c) / 3 - Vec3(1, 1, 1)), 0);
    }
    EXPECT_DOUBLE_EQ(signed_volume(mesh.positions, faces, Vec3(1, 1, 1)), 8);
    EXPECT_TRUE(boundary_faces({}).empty());
}

TEST(TetMesh, FacesOfOneElementAreOppositeToItsCorners) {
    const Tetrahedron tet{0, 1, 3, 7};
    const std::vector<Triangle> faces = boundary_faces({&tet, 1});
    ASSERT_EQ(faces.size(), 4u);
    for (int i = 0; i < 4; ++i)
        for (const int v : faces[i]) EXPECT_NE(v, tet[3 - i]);
}

} // namespace
} // namespace knead
