#include "contact_region.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/depth.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace knead::quality {
namespace {

// Faces that meet at a larger angle than this make a crease.
constexpr double crease = 40 * std::numbers::pi / 180;

double angle_between(const Vec3& a, const Vec3& b) {
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

} // namespace

std::vector<int> edges_inside(const Surface& mesh, const Surface& other) {
    const Topology& topology = mesh.topology();
    std::vector<char> inside(mesh.positions.size(), 0);
    const Box near = other.box();
    parallel_for(inside.size(), 64, [&](std::size_t v) {
        // What lies behind an open surface may be far from it.
        const Vec3& p = mesh.positions[v];
        if (other.closed() && !near.overlaps({p, p})) return;
        inside[v] = depth_of_point(other, p) > 0;
    });
    std::vector<char> in_part(topology.edges.size(), 0);
    for (std::size_t e = 0; e < topology.edges.size(); ++e)
        in_part[e] = inside[topology.edges[e][0]] || inside[topology.edges[e][1]];
    for (const Crossing& crossing : find_crossings(mesh, other).of_a)
        in_part[crossing.edge.edge] = 1;
    std::vector<int> edges;
    for (int e = 0; e < topology.edge_count(); ++e)
        if (in_part[e]) edges.push_back(e);
    if (edges.empty()) {
        edges.resize(topology.edges.size());
        std::iota(edges.begin(), edges.end(), 0);
    }
    return edges;
}

double mean_edge(const Surface& mesh, std::span<const int> edges) {
    double sum = 0;
    for (const int e : edges) {
        const Edge& edge = mesh.topology().edges[e];
        sum += (mesh.positions[edge[1]] - mesh.positions[edge[0]]).norm();
    }
    return edges.empty() ? 0 : sum / static_cast<double>(edges.size());
}

double curvature(const Surface& mesh, std::span<const int> edges) {
    const Topology& topology = mesh.topology();
    const std::vector<Vec3> of_face = face_normals(mesh.positions, mesh.faces());
    const std::vector<Vec3> of_vertex = vertex_normals(mesh.positions, mesh.faces());
    std::vector<char> at_crease(mesh.positions.size(), 0);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto faces = topology.edge_faces[e];
        if (faces.size() == 2 && angle_between(of_face[faces[0]], of_face[faces[1]]) <= crease)
            continue;
        for (const int v : topology.edges[e]) at_crease[v] = 1;
    }
    std::vector<double> values;
    for (const int e : edges) {
        const auto [a, b] = topology.edges[e];
        const double length = (mesh.positions[b] - mesh.positions[a]).norm();
        if (at_crease[a] || at_crease[b] || !(length > 0)) continue;
        values.push_back(angle_between(of_vertex[a], of_vertex[b]) / length);
    }
    std::sort(values.begin(), values.end());
    return quantile(values, 0.9);
}

std::vector<double> zone_border_angles(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces, const Topology& topology,
                                       std::span<const double> zone) {
    std::vector<double> angles;
    if (zone.empty()) return angles;
    const std::vector<Vec3> normals = face_normals(positions, faces);
    const auto is_cut = [&](int face) {
        const auto inside = std::count_if(faces[face].begin(), faces[face].end(),
                                          [&](int v) { return zone[v] > 0; });
        return inside == 1 || inside == 2;
    };
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto around = topology.edge_faces[e];
        if (around.size() != 2 || is_cut(around[0]) == is_cut(around[1])) continue;
        angles.push_back(angle_between(normals[around[0]], normals[around[1]]) * 180 /
                         std::numbers::pi);
    }
    std::sort(angles.begin(), angles.end());
    return angles;
}

double quantile(std::span<const double> values, double fraction) {
    if (values.empty()) return 0;
    const double at = fraction * static_cast<double>(values.size() - 1);
    const std::size_t below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    const double t = at - static_cast<double>(below);
    return (1 - t) * values[below] + t * values[above];
}

} // namespace knead::quality
