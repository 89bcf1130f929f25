#include "knead/mesh/primitives.hpp"
#include "knead/mesh/sub_mesh.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

void expect_equal(const Adjacency& a, const Adjacency& b) {
    EXPECT_EQ(a.starts, b.starts);
    EXPECT_EQ(a.items, b.items);
}

// As the topology would be if it were built from the sub-mesh's own faces.
void expect_sound(const SubMesh& part, std::span<const Triangle> faces) {
    const Topology built = build_topology(part.triangles, static_cast<int>(part.vertices.size()));
    EXPECT_EQ(part.topology.vertex_count, built.vertex_count);
    EXPECT_EQ(part.topology.edges, built.edges);
    EXPECT_EQ(part.topology.face_edges, built.face_edges);
    expect_equal(part.topology.edge_faces, built.edge_faces);
    expect_equal(part.topology.vertex_faces, built.vertex_faces);
    expect_equal(part.topology.vertex_vertices, built.vertex_vertices);
    for (std::size_t f = 0; f < part.faces.size(); ++f)
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(part.vertices[part.triangles[f][i]], faces[part.faces[f]][i]);
}

TEST(SubMesh, HasTheTopologyOfItsOwnFaces) {
    const TriangleMesh ball = make_sphere(1, 3);
    const Topology topology = build_topology(ball.faces, ball.vertex_count());
    SubMeshMaker maker(ball.faces, topology);
    // One after the other: nothing is left over from the one before.
    for (const double height : {0.3, -0.5, 0.9, -2.0}) {
        std::vector<int> chosen;
        for (int f = ball.face_count() - 1; f >= 0; --f)
            if (ball.positions[ball.faces[f][0]].y() > height) chosen.insert(chosen.end(), 2, f);
        const SubMesh part = maker.make(chosen);
        EXPECT_EQ(2 * part.faces.size(), chosen.size());
        expect_sound(part, ball.faces);
        for (std::size_t e = 0; e < part.edges.size(); ++e)
            for (int i = 0; i < 2; ++i)
                EXPECT_EQ(part.vertices[part.topology.edges[e][i]],
                          topology.edges[part.edges[e]][i]);
    }
    expect_sound(maker.make({}), ball.faces);
}

TEST(SubMesh, GathersWhatItsVerticesHave) {
    const TriangleMesh ball = make_sphere(1, 1);
    const Topology topology = build_topology(ball.faces, ball.vertex_count());
    const std::vector<int> chosen{17, 3};
    const SubMesh part = SubMeshMaker(ball.faces, topology).make(chosen);
    const std::vector<Vec3> positions = part.gather<Vec3>(std::span(ball.positions));
    ASSERT_EQ(positions.size(), part.vertices.size());
    for (std::size_t i = 0; i < positions.size(); ++i)
        EXPECT_EQ(positions[i], ball.positions[part.vertices[i]]);
}

} // namespace
} // namespace knead
