#include "knead/bulge/restore_volume.hpp"

#include "knead/bulge/swept_volume.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Vertices that move, their ways and raise. Gives how high a bulge may rise, or nothing where there
// is none.
std::optional<double> find_moving_vertices(const CombinedDisplacement& combined,
                                           const BulgeMesh& mesh, CombinedWorkspace& workspace) {
    const std::size_t n = mesh.positions.size();
    std::vector<Vec3>&ways = workspace.ways, &raise = workspace.raise;
    ways.resize(n);
    raise.resize(n);
    workspace.vertices.clear();
    double highest = 0, deepest = 0; // squares
    for (std::size_t v = 0; v < n; ++v) {
        ways[v] = combined.base[v] - mesh.positions[v];
        raise[v] = combined.raise[v];
        if (raise[v].isZero(0) && ways[v].isZero(0)) continue;
        workspace.vertices.push_back(static_cast<int>(v));
        highest = std::max(highest, raise[v].squaredNorm());
        deepest = std::max(deepest, ways[v].squaredNorm());
    }
    highest = std::sqrt(highest);
    deepest = std::sqrt(deepest);
    if (!(highest > 0)) return std::nullopt;
    return 5 * deepest / highest;
}

void find_swept_faces(const BulgeMesh& mesh, CombinedWorkspace& workspace) {
    workspace.face_listed.resize(mesh.faces.size(), 0);
    workspace.faces.clear();
    for (const int v : workspace.vertices)
        for (const int face : mesh.topology->vertex_faces[v])
            if (!workspace.face_listed[face]) {
                workspace.face_listed[face] = 1;
                workspace.faces.push_back(face);
            }
    for (const int face : workspace.faces) workspace.face_listed[face] = 0;
}

struct RestoringHeight {
    double height = 0;
    double highest_tried = 0;
};

// The volume grows with the height. With those that have no more room held where they are it is a
// cubic again; its root is higher, leaves less room, and so on until none is added. Each pair was
// raised by what it would need alone, so that the first height is near 1.
RestoringHeight restoring_height(std::span<const double> room, const BulgeMesh& mesh, double limit,
                                 CombinedWorkspace& workspace) {
    std::vector<Vec3>&ways = workspace.ways, &raise = workspace.raise;
    RestoringHeight found;
    for (bool more = true; more;) {
        const auto root =
            volume_keeping_height(mesh.positions, ways, raise, mesh.faces, workspace.faces);
        if (!root && found.height == 0) break;
        found.height = std::min(root.value_or(limit), limit);
        found.highest_tried = std::max(found.highest_tried, found.height);
        more = false;
        for (const int v : workspace.vertices) {
            if (!(room[v] < found.height) || raise[v].isZero(0)) continue;
            ways[v] += room[v] * raise[v];
            raise[v].setZero();
            more = found.height < limit;
        }
    }
    return found;
}

// Where a bulge turns inwards, as on the rim of a strap, holding vertices where their room ends can
// lower the root, and some were held that are above it. Then the height is looked for at which
// every vertex goes as far as that, or to the end of its room.
double agreed_height(const CombinedDisplacement& combined, std::span<const double> room,
                     const BulgeMesh& mesh, const RestoringHeight& found,
                     const CombinedWorkspace& workspace, std::vector<Vec3>& displaced) {
    const auto gained = [&](double height) {
        for (const int v : workspace.vertices)
            displaced[v] = combined.base[v] + std::min(height, room[v]) * combined.raise[v];
        return volume_between(mesh.positions, displaced, mesh.faces, workspace.faces);
    };
    // Regula falsi; the end that stays twice counts half. Far more steps than it takes.
    constexpr int most_steps = 60;
    double low = 0, high = found.highest_tried, height = found.height;
    double at_low = gained(low), at_high = gained(high);
    if (!(at_low < 0 && at_high > 0)) return height;
    std::optional<bool> was_low;
    for (int i = 0; i < most_steps; ++i) {
        height = (low * at_high - high * at_low) / (at_high - at_low);
        if (!(height > low && height < high)) break;
        const double at = gained(height);
        if (at == 0) break;
        const bool is_low = at < 0;
        (is_low ? low : high) = height;
        (is_low ? at_low : at_high) = at;
        if (was_low == is_low) (is_low ? at_high : at_low) /= 2;
        was_low = is_low;
    }
    return height;
}

} // namespace

double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      std::vector<Vec3>& displaced) {
    CombinedWorkspace workspace;
    return restore_volume(combined, room, mesh, bulge, workspace, displaced);
}

double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      CombinedWorkspace& workspace, std::vector<Vec3>& displaced) {
    const std::optional<double> limit = find_moving_vertices(combined, mesh, workspace);
    displaced.assign(combined.base.begin(), combined.base.end());
    if (!limit) return 0;
    find_swept_faces(mesh, workspace);
    RestoringHeight found = restoring_height(room, mesh, *limit, workspace);
    if (found.height > 0 && found.height < found.highest_tried) {
        found.height = agreed_height(combined, room, mesh, found, workspace, displaced);
        for (const int v : workspace.vertices) displaced[v] = combined.base[v];
    }
    for (const int v : workspace.vertices)
        displaced[v] += std::min(bulge[static_cast<std::size_t>(v)] * found.height, room[v]) *
                        combined.raise[v];
    return std::max(found.highest_tried, found.height * bulge.largest());
}

} // namespace knead
