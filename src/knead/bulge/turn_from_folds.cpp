#include "knead/bulge/turn_from_folds.hpp"

#include "knead/bulge/blended_directions.hpp"
#include "knead/contact/fades.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Of the smoothed normals each vertex takes all where its faces come near a fold, and less and less
// over the next eight edges.
void find_smooth_share(const Topology& topology, BulgeWorkspace& workspace) {
    std::vector<double>&share = workspace.smooth_share, &grown = workspace.grown_share;
    share.clear();
    for (const double nearness : workspace.fold_nearness)
        share.push_back(fades::near_fold(nearness));
    for (int ring = 0; ring < 8; ++ring) {
        grown = share;
        for (const auto& [a, b] : topology.edges) {
            grown[a] = std::max(grown[a], share[b] - 0.125);
            grown[b] = std::max(grown[b], share[a] - 0.125);
        }
        share.swap(grown);
    }
    for (double& of_vertex : share) of_vertex = fades::about_fold(of_vertex);
}

// Normals smoothed over six raise heights, as far as the sweeps go.
void smooth_normals(const BulgeMesh& mesh, double height, std::span<const Vec3> raises,
                    BulgeWorkspace& workspace) {
    double highest = 0;
    for (const Vec3& raise : raises) highest = std::max(highest, raise.squaredNorm());
    const double length = 6 * height * std::sqrt(highest);
    smooth_directions(mesh.normals, mesh.weights, *mesh.topology, length / workspace.region.edge,
                      workspace.smoothing, workspace.smooth_normals);
}

// What goes along the direction of a vertex goes along another one.
void turn(std::size_t v, const Vec3& direction, const Vec3& way_of_zone, PairDisplacement& result) {
    const Vec3 before = result.direction[v];
    result.base[v] += (result.base[v] - way_of_zone).dot(before) * (direction - before);
    result.raise[v] = result.raise[v].dot(before) * direction;
    result.direction[v] = direction;
}

} // namespace

bool turn_from_folds(const ContactZone& zone, const BulgeMesh& mesh, double bulge,
                     const VertexNumber& extents, BulgeWorkspace& workspace,
                     PairDisplacement& result) {
    const double height = bulge * std::abs(result.height);
    const double nearest = fold_nearness(mesh.positions, result.raise, height, *mesh.topology,
                                         workspace.fold_nearness);
    if (!(nearest > 0.25)) return false;
    find_smooth_share(*mesh.topology, workspace);
    smooth_normals(mesh, height, result.raise, workspace);
    const Guides guides = workspace.fields.guides();
    const bool carried = guides.has_outward();
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double u = workspace.distance[v] / extents[v];
        if (!workspace.region.unknown[v] || !(u < 1)) continue;
        const double in_zone = zone_share(zone, v);
        if (in_zone == 1 || !(workspace.smooth_share[v] > 0)) continue;
        const Vec3 normal = mesh.normals[v] + workspace.smooth_share[v] *
                                                  (workspace.smooth_normals[v] - mesh.normals[v]);
        // The one that it is turned from, or it would leap as soon as there is anything to turn.
        const Vec3 outward = carried ? guides.outward_at(v) : zone.outward;
        const Vec3 direction = blended_direction(outward, carried ? outward.norm() : 1, normal, u);
        if (!(direction.norm() > 1e-9)) continue;
        turn(v, direction.normalized(),
             result.fade[v] * in_zone * (zone.target[v] - mesh.positions[v]), result);
    }
    return true;
}

} // namespace knead
