#include "knead/base/random.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace knead {
namespace {

std::vector<int> listed(std::span<const int> items) {
    return {items.begin(), items.end()};
}

using Faces = std::vector<Triangle>;

TEST(Topology, TwoTriangles) {
    const Faces faces{{0, 1, 2}, {2, 1, 3}};
    const Topology topology = build_topology(faces, 5);
    EXPECT_EQ(topology.edges, (std::vector<Edge>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}}));
    EXPECT_EQ(topology.face_edges[0], (std::array{0, 2, 1}));
    EXPECT_EQ(topology.face_edges[1], (std::array{2, 3, 4}));
    EXPECT_EQ(listed(topology.edge_faces[2]), (std::vector{0, 1}));
    EXPECT_EQ(listed(topology.edge_faces[3]), (std::vector{1}));
    EXPECT_EQ(listed(topology.vertex_faces[1]), (std::vector{0, 1}));
    EXPECT_EQ(listed(topology.vertex_vertices[1]), (std::vector{0, 2, 3}));
    EXPECT_TRUE(topology.vertex_faces[4].empty());
    EXPECT_TRUE(topology.vertex_vertices[4].empty());
    EXPECT_TRUE(topology.is_boundary_edge(0));
    EXPECT_FALSE(topology.is_boundary_edge(2));
    EXPECT_FALSE(is_closed(topology));
}

TEST(Topology, FindEdge) {
    const TriangleMesh sphere = make_sphere(1, 2);
    const Topology topology = build_topology(sphere.faces, sphere.vertex_count());
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto [a, b] = topology.edges[e];
        ASSERT_LT(a, b);
        ASSERT_EQ(topology.find_edge(a, b), e);
        ASSERT_EQ(topology.find_edge(b, a), e);
    }
    for (int v = 1; v < sphere.vertex_count(); ++v) {
        const auto ring = topology.vertex_vertices[0];
        const bool neighbour = std::find(ring.begin(), ring.end(), v) != ring.end();
        EXPECT_EQ(topology.find_edge(0, v) >= 0, neighbour);
    }
    EXPECT_EQ(topology.find_edge(3, 3), -1);
    EXPECT_EQ(topology.find_edge(-1, 5), -1);
    EXPECT_EQ(topology.find_edge(0, 100000), -1);
}

// A ball cut at many heights, each face's part above made of one or two triangles.
TEST(Topology, OfAPartAlongACutIsThatOfItsTriangles) {
    const TriangleMesh ball = make_sphere(1, 3);
    const Topology whole = build_topology(ball.faces, ball.vertex_count());
    for (const double height : {-2.0, -0.7, 0.01, 0.3, 0.97, 2.0}) {
        std::vector<int> vertices, of_vertex(ball.positions.size(), -1),
            of_edge(whole.edges.size());
        for (int v = 0; v < ball.vertex_count(); ++v)
            if (ball.positions[v].y() > height) {
                of_vertex[v] = static_cast<int>(vertices.size());
                vertices.push_back(v);
            }
        int count = static_cast<int>(vertices.size());
        for (int e = 0; e < whole.edge_count(); ++e) {
            const auto [a, b] = whole.edges[e];
            if ((of_vertex[a] < 0) != (of_vertex[b] < 0)) of_edge[e] = count++;
        }
        Faces triangles;
        std::vector<int> faces;
        for (int f = 0; f < ball.face_count(); ++f) {
            std::vector<int> corners;
            for (int i = 0; i < 3; ++i) {
                const int from = of_vertex[ball.faces[f][i]],
                          to = of_vertex[ball.faces[f][(i + 1) % 3]];
                if (from >= 0) corners.push_back(from);
                if ((from < 0) != (to < 0)) corners.push_back(of_edge[whole.face_edges[f][i]]);
            }
            const bool turned = corners.size() == 4 && f % 2 == 1;
            if (turned) std::rotate(corners.begin(), corners.begin() + 1, corners.end());
            for (std::size_t i = 2; i < corners.size(); ++i) {
                triangles.push_back({corners[0], corners[i - 1], corners[i]});
                faces.push_back(f);
            }
        }
        const Topology part = part_topology(whole, ball.faces, vertices, faces, triangles, count);
        const Topology built = build_topology(triangles, count);
        EXPECT_EQ(part.vertex_count, built.vertex_count);
        EXPECT_EQ(part.edges, built.edges);
        EXPECT_EQ(part.face_edges, built.face_edges);
        for (const auto lists :
             {&Topology::edge_faces, &Topology::vertex_faces, &Topology::vertex_vertices}) {
            EXPECT_EQ((part.*lists).starts, (built.*lists).starts);
            EXPECT_EQ((part.*lists).items, (built.*lists).items);
        }
    }
}

TEST(Topology, AgreesWithBruteForceOnRandomSoup) {
    Random random(7);
    for (int trial = 0; trial < 50; ++trial) {
        const int vertices = 4 + random.index(12);
        Faces faces;
        while (faces.size() < 25) {
            const Triangle face{random.index(vertices), random.index(vertices),
                                random.index(vertices)};
            if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0])
                faces.push_back(face);
        }
        const Topology topology = build_topology(faces, vertices);
        std::map<Edge, std::vector<int>> faces_of;
        for (int f = 0; f < 25; ++f)
            for (int i = 0; i < 3; ++i) {
                const int a = faces[f][i], b = faces[f][(i + 1) % 3];
                faces_of[{std::min(a, b), std::max(a, b)}].push_back(f);
            }
        ASSERT_EQ(topology.edges.size(), faces_of.size());
        int e = 0;
        for (const auto& [edge, sharing] : faces_of) {
            EXPECT_EQ(topology.edges[e], edge);
            EXPECT_EQ(listed(topology.edge_faces[e]), sharing);
            ++e;
        }
        for (int v = 0; v < vertices; ++v) {
            std::set<int> ring;
            for (const Edge& edge : topology.edges)
                if (edge[0] == v || edge[1] == v) ring.insert(edge[0] + edge[1] - v);
            EXPECT_EQ(listed(topology.vertex_vertices[v]), std::vector(ring.begin(), ring.end()));
        }
        for (int f = 0; f < 25; ++f)
            for (int i = 0; i < 3; ++i)
                EXPECT_EQ(topology.face_edges[f][i],
                          topology.find_edge(faces[f][i], faces[f][(i + 1) % 3]));
        // Orders and loops of a soup mean little, but they come to an end.
        boundary_loops(topology, faces);
    }
}

TEST(Topology, NonManifoldEdgesKeepAllTheirFaces) {
    const Faces faces{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    const Topology topology = build_topology(faces, 5);
    EXPECT_EQ(listed(topology.edge_faces[topology.find_edge(0, 1)]), (std::vector{0, 1, 2}));
    EXPECT_EQ(topology.edge_count(), 7);
    std::size_t border = 0;
    for (const auto& loop : boundary_loops(topology, faces)) border += loop.size();
    EXPECT_EQ(border, 6u);
}

TEST(BoundaryLoops, FollowTheSurfaceOnTheirLeft) {
    const Faces faces{{0, 1, 2}, {0, 2, 3}};
    const auto loops = boundary_loops(build_topology(faces, 4), faces);
    EXPECT_EQ(loops, (std::vector<std::vector<int>>{{0, 1, 2, 3}}));
}

TEST(BoundaryLoops, BowTieStaysWithItsFan) {
    const Faces faces{{0, 1, 2}, {2, 3, 4}};
    const auto loops = boundary_loops(build_topology(faces, 5), faces);
    EXPECT_EQ(loops, (std::vector<std::vector<int>>{{0, 1, 2}, {2, 3, 4}}));
}

TEST(BoundaryLoops, OneForEachHole) {
    TriangleMesh sphere = make_sphere(1, 3);
    const Topology closed = build_topology(sphere.faces, sphere.vertex_count());
    EXPECT_TRUE(is_closed(closed));
    EXPECT_TRUE(boundary_loops(closed, sphere.faces).empty());
    // Without the faces around the first two vertices, which are far apart.
    std::erase_if(sphere.faces, [](const Triangle& f) {
        return std::any_of(f.begin(), f.end(), [](int v) { return v < 2; });
    });
    const Topology open = build_topology(sphere.faces, sphere.vertex_count());
    const auto loops = boundary_loops(open, sphere.faces);
    ASSERT_EQ(loops.size(), 2u);
    for (int hole = 0; hole < 2; ++hole)
        for (const auto& loop : loops) EXPECT_EQ(loop.size(), 5u);
    for (const auto& loop : loops)
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const int edge = open.find_edge(loop[i], loop[(i + 1) % loop.size()]);
            ASSERT_GE(edge, 0);
            EXPECT_TRUE(open.is_boundary_edge(edge));
        }
}

TEST(Components, CountPartsAndLoneVertices) {
    TriangleMesh mesh = make_sphere(1, 1);
    append(mesh, make_grid({1, 1}, {2, 2}));
    mesh.positions.emplace_back(0, 0, 0);
    const Components parts = connected_components(build_topology(mesh.faces, mesh.vertex_count()));
    EXPECT_EQ(parts.count, 3);
    EXPECT_EQ(parts.of_vertex.front(), 0);
    EXPECT_EQ(parts.of_vertex[41], 0);
    EXPECT_EQ(parts.of_vertex[42], 1);
    EXPECT_EQ(parts.of_vertex.back(), 2);
}

TEST(Topology, NothingAtAll) {
    const Topology topology = build_topology({}, 0);
    EXPECT_EQ(topology.edge_count(), 0);
    EXPECT_FALSE(is_closed(topology));
    EXPECT_TRUE(boundary_loops(topology, {}).empty());
    EXPECT_EQ(connected_components(topology).count, 0);
    EXPECT_EQ(connected_components(build_topology({}, 3)).count, 3);
}

} // namespace
} // namespace knead
