#include "knead/deform/settle/settled_bulge.hpp"

#include <gtest/gtest.h>

#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

// What the faces sweep, each its own way, and all together.
struct Swept {
    double one_way = 0, together = 0;
};
Swept swept_volume(const TriangleMesh& mesh, std::span<const Vec3> after) {
    Swept swept;
    for (const Triangle& f : mesh.faces) {
        double of_face = 0;
        // A prism between the face before and after, as six times the volume of three tetrahedra.
        const auto tet = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
            return (b - a).cross(c - a).dot(d - a);
        };
        const Vec3 &a = mesh.positions[f[0]], &b = mesh.positions[f[1]], &c = mesh.positions[f[2]];
        of_face = tet(a, b, c, after[f[0]]) + tet(b, c, after[f[0]], after[f[1]]) +
                  tet(c, after[f[0]], after[f[1]], after[f[2]]);
        swept.one_way += std::abs(of_face) / 6;
    }
    swept.together = signed_volume(after, mesh.faces, Vec3::Zero()) -
                     signed_volume(mesh.positions, mesh.faces, Vec3::Zero());
    return swept;
}

// A fine rigid ball above a coarse soft one: it is inside a face of that long before it reaches a
// vertex. The face's corners are settled, and there is no zone yet.
Vec3 middle_of_face(const TriangleMesh& mesh) {
    const Triangle& face = mesh.faces[0];
    return (mesh.positions[face[0]] + mesh.positions[face[1]] + mesh.positions[face[2]]) / 3;
}
Pair fine_ball_on_coarse_one(double depth) {
    Pair pair;
    pair.meshes = {make_sphere(0.4, 3), make_sphere(1, 2)};
    const Vec3 middle = middle_of_face(pair.meshes[1]);
    for (Vec3& p : pair.meshes[0].positions)
        p += (middle.norm() + 0.4 - depth) * middle.normalized() + Vec3(0.02, 0, 0.013);
    pair.objects[0].rigid = true;
    return pair;
}

TEST(SettledBulge, TheVolumeIsKeptFromTheFirstTouchOn) {
    int without_zone = 0, with_zone = 0;
    for (int step = 1; step <= 40; ++step) {
        const Pair pair = fine_ball_on_coarse_one(0.004 * step);
        const DeformResult result = pair.result();
        const auto& after = result.objects[1].positions;
        if (after == pair.meshes[1].positions) continue;
        const Swept swept = swept_volume(pair.meshes[1], after);
        EXPECT_LT(std::abs(swept.together), 1e-9 * swept.one_way + 1e-14) << step;
        (result.objects[1].contact_vertices == 0 ? without_zone : with_zone) += 1;
    }
    EXPECT_GT(without_zone, 3);
    EXPECT_GT(with_zone, 3);
}

// It rises beside what was settled, and goes over into the bulge of the zone. Settling alone jumps
// by a hundredth of an edge where the nearest face changes; the bulge adds nothing to that.
TEST(SettledBulge, AddsNoJumpWhenTheZoneComesIn) {
    Pair pair = fine_ball_on_coarse_one(-0.005);
    const Vec3 way =
        -0.16 * middle_of_face(pair.meshes[1]).normalized() + Vec3(0.002, 0.001, 0.003);
    const double with = jump_of(pair, way, 40);
    pair.objects[1].bulge.bulge = 0;
    EXPECT_LT(with, jump_of(pair, way, 40) + 0.1 / 500);
}

TEST(SettledBulge, NothingJumpsOnASoftSheetEither) {
    EXPECT_LT(jump_of(ball_on_floor(-0.005, 2, 12), {0.01, -0.1, 0.005}, 40), 1.0 / 500);
}

// One vertex of a sheet is pressed in: as much comes out about it, none of it far away, none at the
// vertex, and nothing where something is held.
TEST(SettledBulge, RisesAboutWhatWasSettled) {
    const TriangleMesh sheet = make_grid({4, 4}, {40, 40});
    const Topology topology = build_topology(sheet.faces, sheet.vertex_count());
    const std::vector<Vec3> normals = vertex_normals(sheet.positions, sheet.faces);
    const BulgeMesh mesh{sheet.positions, normals, sheet.faces, &topology, {}};
    const int pressed = 20 * 41 + 20;
    std::vector<Vec3> settled = sheet.positions;
    settled[pressed].y() -= 0.01;
    std::vector<char> held(settled.size(), 0);
    const int neighbour = topology.vertex_vertices[pressed][0];
    held[neighbour] = 1;
    const std::vector<double> areas = vertex_areas(sheet.positions, sheet.faces);
    CombinedDisplacement combined;
    combined.base = sheet.positions;
    combined.raise.assign(settled.size(), Vec3::Zero());
    SettledBulgeWorkspace workspace;
    for (int again = 0; again < 2; ++again) {
        combined.raise.assign(settled.size(), Vec3::Zero());
        combined.moved.clear();
        raise_about_settled({}, settled, held, mesh, workspace, combined);
        EXPECT_EQ(combined.raise[pressed], Vec3(Vec3::Zero()));
        EXPECT_EQ(combined.raise[neighbour], Vec3(Vec3::Zero()));
        double volume = -0.01 * areas[pressed];
        for (std::size_t v = 0; v < settled.size(); ++v) {
            volume += areas[v] * combined.raise[v].y();
            if ((sheet.positions[v] - sheet.positions[pressed]).norm() > 1.3) {
                EXPECT_EQ(combined.raise[v], Vec3(Vec3::Zero()));
            }
        }
        EXPECT_NEAR(volume, 0, 1e-3 * 0.01 * areas[pressed]);
        EXPECT_GT(combined.moved.size(), 30u);
    }
}

} // namespace
} // namespace knead
