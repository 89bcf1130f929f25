#include "knead/spatial/collision_mesh.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/topology.hpp"

#include <fmt/format.h>

#include <utility>

namespace knead {
namespace {

void check_bodies(const CollisionMesh& mesh) {
    const std::size_t bodies = static_cast<std::size_t>(mesh.bodies < 0 ? 0 : mesh.bodies);
    if (mesh.bodies < 0)
        throw InputError(
            fmt::format("collision mesh: expected 0 or more bodies, found {}", mesh.bodies));
    if (mesh.may_touch.size() != bodies * bodies)
        throw InputError(fmt::format("collision mesh: may_touch has {} entries, expected {} for {} "
                                     "bodies",
                                     mesh.may_touch.size(), bodies * bodies, bodies));
    for (int a = 0; a < mesh.bodies; ++a)
        for (int b = 0; b < a; ++b)
            if (mesh.bodies_touch(a, b) != mesh.bodies_touch(b, a))
                throw InputError(fmt::format("collision mesh: may_touch must be symmetric, but "
                                             "bodies {} and {} are told both",
                                             b, a));
    for (int v = 0; v < mesh.vertex_count(); ++v)
        if (const int body = mesh.body_of_vertex[v]; body < 0 || body >= mesh.bodies)
            throw InputError(fmt::format("collision mesh: vertex {} is of body {}, expected 0 to "
                                         "{}",
                                         v, body, mesh.bodies - 1));
}

void check_faces(const CollisionMesh& mesh) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        const Triangle& face = mesh.faces[f];
        for (const int v : face)
            if (v < 0 || v >= mesh.vertex_count())
                throw InputError(fmt::format("collision mesh: face {} refers to vertex {}, "
                                             "expected 0 to {}",
                                             f, v, mesh.vertex_count() - 1));
        for (int i = 0; i < 3; ++i) {
            const int v = face[i], next = face[(i + 1) % 3];
            if (v == next)
                throw InputError(fmt::format("collision mesh: face {} has vertex {} twice", f, v));
            if (mesh.body_of_vertex[v] != mesh.body_of_vertex[next])
                throw InputError(fmt::format(
                    "collision mesh: face {} has vertices of bodies {} and {}, expected one body",
                    f, mesh.body_of_vertex[v], mesh.body_of_vertex[next]));
        }
    }
}

} // namespace

void complete(CollisionMesh& mesh) {
    check_bodies(mesh);
    check_faces(mesh);
    Topology topology = build_topology(mesh.faces, mesh.vertex_count());
    const std::size_t edge_count = topology.edges.size();
    mesh.edges.clear();
    mesh.edges.reserve(edge_count);
    mesh.edge_faces.clear();
    mesh.edge_faces.reserve(edge_count);
    mesh.face_edges = std::move(topology.face_edges);
    mesh.owned.assign(mesh.faces.size(), 0);
    std::vector<int> number(edge_count, -1);
    for (int f = 0; f < static_cast<int>(mesh.faces.size()); ++f)
        for (int i = 0; i < 3; ++i) {
            if (topology.vertex_faces[mesh.faces[f][i]].front() == f)
                mesh.owned[f] = static_cast<std::uint8_t>(mesh.owned[f] | 1 << i);
            int& edge = mesh.face_edges[f][i];
            if (number[edge] < 0) {
                mesh.owned[f] = static_cast<std::uint8_t>(mesh.owned[f] | 8 << i);
                number[edge] = static_cast<int>(mesh.edges.size());
                mesh.edges.push_back(topology.edges[edge]);
                mesh.edge_faces.push_back({f, -1});
            } else if (auto& both = mesh.edge_faces[number[edge]]; both[1] < 0) {
                both[1] = f;
            }
            edge = number[edge];
        }
    mesh.vertex_faces = std::move(topology.vertex_faces);
}

std::array<int, 4> vertices_of(const CollisionMesh& mesh, const PrimitivePair& pair) {
    if (pair.kind == PrimitivePair::Kind::vertex_face) {
        const Triangle& face = mesh.faces[pair.b];
        return {pair.a, face[0], face[1], face[2]};
    }
    const Edge &a = mesh.edges[pair.a], &b = mesh.edges[pair.b];
    return {a[0], a[1], b[0], b[1]};
}

void check_positions(const CollisionMesh& mesh, std::span<const Vec3> positions, const char* what) {
    if (mesh.owned.size() != mesh.faces.size() || mesh.vertex_faces.size() != mesh.vertex_count())
        throw InputError("collision mesh: its edges are missing or of another mesh, expected a "
                         "mesh that was completed");
    if (positions.size() != mesh.body_of_vertex.size())
        throw InputError(fmt::format("collision mesh: found {} {}s, expected one for each of {} "
                                     "vertices",
                                     positions.size(), what, mesh.vertex_count()));
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!positions[v].allFinite())
            throw GeometryError(fmt::format("the {} of vertex {} is ({}, {}, {}), expected finite "
                                            "numbers",
                                            what, v, positions[v].x(), positions[v].y(),
                                            positions[v].z()));
}

} // namespace knead
