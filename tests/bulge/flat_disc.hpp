#pragma once

#include "knead/bulge/bulge_mesh.hpp"
#include "knead/contact/contact_zone.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <cmath>

#include "boundary_vertices.hpp"

namespace knead {

// A disc of a flat grid, pressed down by `depth`.
struct FlatDisc {
    TriangleMesh mesh;
    Topology topology;
    std::vector<Vec3> normals;
    std::vector<char> border;
    ContactZone zone;

    FlatDisc(double radius, double depth, double size = 4)
        : mesh(make_grid({size, size}, {static_cast<int>(10 * size), static_cast<int>(10 * size)})),
          topology(build_topology(mesh.faces, mesh.vertex_count())),
          normals(vertex_normals(mesh.positions, mesh.faces)),
          border(mesh.positions.size(), 0) {
        const Vec3 down(0, -depth, 0), center(0.013, 0, 0.021);
        zone.outward = Vec3::UnitY();
        zone.target = mesh.positions;
        zone.border_of_edge.assign(topology.edges.size(), -1);
        for (const Vec3& p : mesh.positions) zone.inside.push_back((p - center).norm() < radius);
        for (int v = 0; v < mesh.vertex_count(); ++v) zone.target[v] += down;
        for (int e = 0; e < topology.edge_count(); ++e) {
            const Edge& ends = topology.edges[e];
            if (zone.inside[ends[0]] == zone.inside[ends[1]]) continue;
            const Vec3 a = mesh.positions[ends[0]] - center,
                       way = mesh.positions[ends[1]] - mesh.positions[ends[0]];
            const double b = a.dot(way) / way.squaredNorm(),
                         c = (a.squaredNorm() - radius * radius) / way.squaredNorm();
            const double root = std::sqrt(b * b - c);
            const double t = -b - root >= 0 && -b - root <= 1 ? -b - root : -b + root;
            ZoneBorderPoint point;
            point.on_edge = {e, t};
            point.position = mesh.positions[ends[0]] + t * way;
            point.target = point.position + down;
            zone.border_of_edge[e] = static_cast<int>(zone.border.size());
            zone.border.push_back(point);
        }
        border = boundary_vertices(topology);
    }
    BulgeMesh bulge_mesh() const {
        return {mesh.positions, normals, mesh.faces, &topology, border};
    }
};

} // namespace knead
