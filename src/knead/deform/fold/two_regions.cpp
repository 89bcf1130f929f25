#include "knead/deform/fold/two_regions.hpp"

#include "knead/contact/zone_fade.hpp"

namespace knead {

std::array<DeformSurface, 2> overlapping_regions(const FoldRegion& fold, int object) {
    const std::vector<int>& of_object = fold.working.vertices;
    TriangleMesh mesh;
    mesh.positions.assign(fold.working.of_mesh_vertex.size(), Vec3::Zero());
    for (const Triangle& face : fold.working.triangles)
        mesh.faces.push_back({of_object[face[0]], of_object[face[1]], of_object[face[2]]});
    std::array<DeformSurface, 2> regions;
    for (const int s : {0, 1}) {
        std::vector<int> vertices;
        for (std::size_t v = 0; v < of_object.size(); ++v)
            if (fold.shared.of_vertex[v] >= 0 || fold.beta[v] == 1 - s)
                vertices.push_back(of_object[v]);
        regions[s].object = object;
        regions[s].region = region_of_vertices(mesh, vertices);
    }
    return regions;
}

ContactZone zone_in_region(const ContactZone& zone, const DeformSurface& working,
                           const DeformSurface& region, double edge) {
    const Topology& topology = region.structure->topology;
    std::vector<int> of_working;
    for (const int v : region.region->vertices)
        of_working.push_back(working.region->of_mesh_vertex[v]);
    ContactZone result;
    result.outward = zone.outward;
    for (const int v : of_working) {
        result.inside.push_back(zone.inside[v]);
        result.target.push_back(zone.target[v]);
        result.outwards.push_back(zone.outwards[v]);
        result.bulge_room.push_back(zone.bulge_room[v]);
    }
    result.border_of_edge.assign(topology.edges.size(), -1);
    for (int e = 0; e < topology.edge_count(); ++e) {
        const auto [a, b] = topology.edges[e];
        const int edge_of_working =
            working.structure->topology.find_edge(of_working[a], of_working[b]);
        const int border = zone.border_of_edge[edge_of_working];
        if (border < 0) continue;
        ZoneBorderPoint point = zone.border[border];
        const bool turned = working.structure->topology.edges[edge_of_working][0] != of_working[a];
        point.on_edge = {e, turned ? 1 - point.on_edge.t : point.on_edge.t};
        result.border_of_edge[e] = static_cast<int>(result.border.size());
        result.border.push_back(point);
    }
    const PairSide side{&region.surface, region.normals, result.outward};
    ZonePresence presence;
    find_presence(result, side, edge, presence);
    fade_zone(presence, side, result);
    return result;
}

PairDisplacement blend_regions(const FoldRegion& fold,
                               const std::array<PairDisplacement, 2>& displacements,
                               std::span<const Vec3> normals) {
    const std::size_t n = fold.working.vertices.size();
    PairDisplacement result;
    result.vertices = fold.working.vertices;
    result.base.assign(n, Vec3::Zero());
    result.raise.assign(n, Vec3::Zero());
    for (const int v : result.vertices) result.direction.push_back(normals[v]);
    result.u.assign(n, 1);
    for (auto* field : {&result.amplitude, &result.slope, &result.eta, &result.fade})
        field->assign(n, 0);
    result.height = 1;
    for (const int s : {0, 1}) {
        const PairDisplacement& from = displacements[s];
        for (std::size_t i = 0; i < from.vertices.size(); ++i) {
            const int v = fold.working.of_mesh_vertex[from.vertices[i]];
            const double share = s == 0 ? fold.beta[v] : 1 - fold.beta[v];
            result.base[v] += share * from.base[i];
            result.raise[v] += share * from.height * from.raise[i];
            result.direction[v] += share * (from.direction[i] - normals[from.vertices[i]]);
            result.u[v] += share * (from.u[i] - 1);
            result.amplitude[v] += share * from.amplitude[i];
            result.slope[v] += share * from.slope[i];
            result.eta[v] += share * from.eta[i];
            result.fade[v] += share * from.fade[i];
        }
    }
    for (std::size_t v = 0; v < n; ++v) {
        const double length = result.direction[v].norm();
        result.direction[v] =
            length > 1e-9 ? Vec3(result.direction[v] / length) : normals[result.vertices[v]];
    }
    return result;
}

} // namespace knead
