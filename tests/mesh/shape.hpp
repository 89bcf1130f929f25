#pragma once

#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {

/// What a closed mesh looks like. Angles in degrees.
struct Shape {
    int euler = 0, components = 0;
    double smallest_angle = 180;
    double mean_edge = 0, edge_deviation = 0, shortest_edge = 1e300, longest_edge = 0;
    double regular_share = 0; ///< of the vertices have five, six or seven neighbours
};

/// Expects a closed manifold surface that encloses a positive volume and looks outwards everywhere.
inline Shape expect_well_formed(const TriangleMesh& mesh) {
    Shape shape;
    const Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    std::vector<int> turns(topology.edges.size(), 0);
    for (int f = 0; f < mesh.face_count(); ++f)
        for (int i = 0; i < 3; ++i)
            turns[topology.face_edges[f][i]] +=
                mesh.faces[f][i] < mesh.faces[f][(i + 1) % 3] ? 1 : -1;
    for (int e = 0; e < topology.edge_count(); ++e) {
        EXPECT_EQ(topology.edge_faces[e].size(), 2u);
        EXPECT_EQ(turns[e], 0);
    }
    // At a vertex with one fan of faces, as many neighbours as faces.
    int regular = 0;
    for (int v = 0; v < topology.vertex_count; ++v) {
        const std::size_t valence = topology.vertex_vertices[v].size();
        EXPECT_EQ(valence, topology.vertex_faces[v].size());
        EXPECT_GT(valence, 2u);
        regular += valence >= 5 && valence <= 7 ? 1 : 0;
    }
    shape.regular_share = double(regular) / topology.vertex_count;
    shape.euler = mesh.vertex_count() - topology.edge_count() + mesh.face_count();
    shape.components = connected_components(topology).count;
    EXPECT_GT(signed_volume(mesh.positions, mesh.faces, mesh.positions[0]), 0);
    for (const Triangle& face : mesh.faces)
        for (int i = 0; i < 3; ++i) {
            const Vec3& corner = mesh.positions[face[i]];
            const Vec3 a = mesh.positions[face[(i + 1) % 3]] - corner,
                       b = mesh.positions[face[(i + 2) % 3]] - corner;
            const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
            shape.smallest_angle = std::min(shape.smallest_angle, angle * 180 / std::numbers::pi);
        }
    shape.mean_edge = mean_edge_length(mesh.positions, topology);
    double squares = 0;
    for (const Edge& edge : topology.edges) {
        const double length = (mesh.positions[edge[0]] - mesh.positions[edge[1]]).norm();
        squares += (length - shape.mean_edge) * (length - shape.mean_edge);
        shape.shortest_edge = std::min(shape.shortest_edge, length);
        shape.longest_edge = std::max(shape.longest_edge, length);
    }
    shape.edge_deviation = std::sqrt(squares / topology.edge_count());
    return shape;
}

} // namespace knead
