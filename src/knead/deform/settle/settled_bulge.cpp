#include "knead/deform/settle/settled_bulge.hpp"

#include "knead/bulge/swept_volume.hpp"
#include "knead/contact/fades.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Each is a mean with the neighbours: eight make a bell that is some five edges wide. About many
// vertices it is wider, as far as that is not too slow.
constexpr double fewest_sweeps = 8, most_sweeps = 64;

// 1 where a zone that is fully there reaches, but for the last fifth of the way to its end.
double share_of_zone(const PairDisplacement& pair, std::size_t i) {
    return pair.fade[i] * fades::end_of_zones_bulge(5 * (1 - pair.u[i]));
}

void find_settled(std::span<const PairDisplacement> pairs, std::span<const Vec3> settled,
                  std::span<const Vec3> before, SettledBulgeWorkspace& workspace) {
    for (std::size_t v = 0; v < settled.size(); ++v) {
        if (settled[v] == before[v]) continue;
        workspace.settled.push_back(static_cast<int>(v));
        workspace.way[v] = (settled[v] - before[v]).norm();
    }
    if (workspace.settled.empty()) return;
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            double& in_zone = workspace.in_zone[pair.vertices[i]];
            in_zone = std::max(in_zone, share_of_zone(pair, i));
        }
}

// As many as there would be if all had gone equally far: no vertex comes in at once.
double settled_count(const SettledBulgeWorkspace& workspace) {
    double sum = 0, squares = 0;
    for (const int v : workspace.settled) {
        sum += workspace.spread[v];
        squares += workspace.spread[v] * workspace.spread[v];
    }
    return squares > 0 ? sum * sum / squares : 0;
}

void reach(int vertex, SettledBulgeWorkspace& workspace) {
    if (workspace.is_reached[vertex]) return;
    workspace.is_reached[vertex] = 1;
    workspace.reached.push_back(vertex);
}

// A mean with the neighbours, as much of it as `share`.
void sweep(double share, std::span<const char> held, const Topology& topology,
           SettledBulgeWorkspace& workspace) {
    const std::size_t count = workspace.reached.size();
    for (std::size_t i = 0; i < count; ++i)
        for (const int next : topology.vertex_vertices[workspace.reached[i]])
            reach(next, workspace);
    for (const int v : workspace.reached) {
        double sum = workspace.spread[v];
        for (const int next : topology.vertex_vertices[v]) sum += workspace.spread[next];
        const double mean = sum / (1 + static_cast<double>(topology.vertex_vertices[v].size()));
        workspace.next[v] =
            held[v] ? 0 : workspace.spread[v] + share * (mean - workspace.spread[v]);
    }
    for (const int v : workspace.reached) workspace.spread[v] = workspace.next[v];
}

void list_faces(const Topology& topology, SettledBulgeWorkspace& workspace) {
    workspace.faces.clear();
    for (const int v : workspace.reached)
        for (const int face : topology.vertex_faces[v])
            if (!workspace.face_listed[face]) {
                workspace.face_listed[face] = 1;
                workspace.faces.push_back(face);
            }
    for (const int face : workspace.faces) workspace.face_listed[face] = 0;
}

void resize(const BulgeMesh& mesh, SettledBulgeWorkspace& workspace) {
    const std::size_t n = mesh.positions.size();
    workspace.is_reached.resize(n, 0);
    workspace.face_listed.resize(mesh.faces.size(), 0);
    for (auto* list : {&workspace.way, &workspace.in_zone, &workspace.spread, &workspace.next})
        list->resize(n, 0);
    for (auto* list : {&workspace.ways, &workspace.raise}) list->resize(n, Vec3::Zero());
}

void clear(std::span<const PairDisplacement> pairs, SettledBulgeWorkspace& workspace) {
    for (const PairDisplacement& pair : pairs)
        for (const int v : pair.vertices) workspace.in_zone[v] = 0;
    for (const int v : workspace.reached) {
        workspace.is_reached[v] = 0;
        workspace.spread[v] = workspace.next[v] = 0;
        workspace.raise[v].setZero();
    }
    for (const int v : workspace.settled) {
        workspace.way[v] = 0;
        workspace.ways[v].setZero();
    }
    workspace.reached.clear();
    workspace.settled.clear();
}

} // namespace

void raise_about_settled(std::span<const PairDisplacement> pairs, std::span<const Vec3> settled,
                         std::span<const char> held, const BulgeMesh& mesh,
                         SettledBulgeWorkspace& workspace, CombinedDisplacement& combined) {
    resize(mesh, workspace);
    find_settled(pairs, settled, combined.base, workspace);
    for (const int v : workspace.settled) {
        const double own = 1 - workspace.in_zone[v];
        if (!(own > 0)) continue;
        workspace.spread[v] = own * workspace.way[v];
        workspace.ways[v] = own * (settled[v] - combined.base[v]);
        reach(v, workspace);
    }
    const double count = settled_count(workspace);
    if (!(count > 0)) return clear(pairs, workspace);
    // The last sweep counts as far as the count goes beyond a whole number.
    const double sweeps = std::clamp(count, fewest_sweeps, most_sweeps);
    for (int i = 0; i < sweeps; ++i)
        sweep(std::min(sweeps - i, 1.0), held, *mesh.topology, workspace);
    // What was settled touches the other side and has no way to rise. A vertex that has hardly
    // moved still rises with those about it.
    for (const int v : workspace.reached) {
        const double spread = workspace.spread[v];
        if (!(spread > 0)) continue;
        const double free = 1 - fades::settled_itself(workspace.way[v] / spread);
        workspace.raise[v] = spread * free * mesh.normals[v];
    }
    list_faces(*mesh.topology, workspace);
    // Without a root the surface has nowhere to rise to.
    const double height =
        std::clamp(volume_keeping_height(combined.base, workspace.ways, workspace.raise, mesh.faces,
                                         workspace.faces)
                       .value_or(0),
                   -20.0, 20.0);
    for (const int v : combined.moved) workspace.is_reached[v] = 0;
    for (const int v : workspace.reached) {
        if (workspace.raise[v].isZero(0)) continue;
        combined.raise[v] += height * workspace.raise[v];
        if (workspace.is_reached[v]) combined.moved.push_back(v);
    }
    clear(pairs, workspace);
}

} // namespace knead
