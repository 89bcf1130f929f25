#include "knead/deform/details.hpp"

#include "knead/bulge/smooth_field.hpp"
#include "knead/bulge/swept_volume.hpp"
#include "knead/contact/fades.hpp"
#include "knead/deform/settle/settle_pairs.hpp"
#include "knead/mesh/local_rotations.hpp"

#include <algorithm>

namespace knead {
namespace {

// What is smoothed of every vertex, as columns of one matrix: together they are solved faster.
struct SmoothedFields {
    Eigen::MatrixXd columns;

    explicit SmoothedFields(std::size_t vertex_count)
        : columns(static_cast<Eigen::Index>(vertex_count), 7) {}
    auto position(std::size_t v) { return columns.block<1, 3>(static_cast<Eigen::Index>(v), 0); }
    auto way(std::size_t v) { return columns.block<1, 3>(static_cast<Eigen::Index>(v), 3); }
    double& u(std::size_t v) { return columns(static_cast<Eigen::Index>(v), 6); }
};

std::vector<char> held_vertices(std::span<const ResolvedPair> pairs, const DeformSurface& object) {
    std::vector<char> held;
    find_held(pairs, object, held);
    return held;
}

} // namespace

void find_held(std::span<const ResolvedPair> pairs, const DeformSurface& object,
               std::vector<char>& held) {
    held.assign(object.border.size(), 1);
    for (const ResolvedPair& pair : pairs)
        for (const DeformSurface* side : pair.sides) {
            if (side->object != object.object || !pair.way.is_found()) continue;
            for (std::size_t v = 0; v < side->border.size(); ++v)
                if (!side->border[v]) held[side->region ? side->region->vertices[v] : v] = 0;
        }
}

void keep_volume(std::span<const Vec3> before, const SurfaceStructure& structure,
                 std::span<const Vec3> raise, std::span<Vec3> positions, double change) {
    std::vector<Vec3> ways(positions.size());
    for (std::size_t v = 0; v < ways.size(); ++v) ways[v] = positions[v] - before[v];
    const double height = std::clamp(
        volume_keeping_height(before, ways, raise, structure.faces, change).value_or(0), -0.5, 0.5);
    for (std::size_t v = 0; v < positions.size(); ++v) positions[v] += height * raise[v];
}

void turn_details(const BulgeMesh& mesh, const VertexNumber& length, std::span<const double> u,
                  std::span<const char> held, BulgeWorkspace& workspace,
                  std::vector<Vec3>& displaced) {
    // A thorn is as far from the contact as its foot: it has the u, and the way, of what is about
    // it.
    const std::size_t n = mesh.positions.size();
    SmoothedFields fields(n);
    for (std::size_t v = 0; v < n; ++v) {
        fields.position(v) = mesh.positions[v].transpose();
        fields.way(v) = (displaced[v] - mesh.positions[v]).transpose();
        fields.u(v) = u[v];
    }
    fields.columns =
        smoothed(mesh.positions, mesh.faces, std::move(fields.columns), length, workspace);
    std::vector<Vec3> before(n), after(n);
    for (std::size_t v = 0; v < n; ++v) {
        before[v] = fields.position(v).transpose();
        after[v] = before[v] + Vec3(fields.way(v).transpose());
    }
    const std::vector<Mat3> rotations = local_rotations(before, after, *mesh.topology);
    for (std::size_t v = 0; v < n; ++v) {
        if (held[v]) continue;
        const double share = fades::details_at_zone(u[v]) * fades::details_at_end(fields.u(v));
        if (share == 0) continue;
        const Vec3 turned = after[v] + rotations[v] * (mesh.positions[v] - before[v]);
        displaced[v] += share * (turned - displaced[v]);
    }
}

void turn_all_details(std::span<const ResolvedPair> pairs, std::span<DeformSurface> surfaces,
                      std::span<const CombinedDisplacement> combined, std::span<const char> touched,
                      std::vector<ObjectOutcome>& outcomes) {
    const auto has_details = [&](std::size_t i) {
        return touched[i] && surfaces[i].settings.details.largest() > 0;
    };
    bool any = false;
    for (std::size_t i = 0; i < outcomes.size(); ++i) any = any || has_details(i);
    if (!any) return;
    Settling settling;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        settling.positions().push_back(outcomes[i].positions);
        DeformSurface& surface = surfaces[i];
        if (has_details(i))
            turn_details(surface.mesh(), surface.settings.details, outcomes[i].u,
                         held_vertices(pairs, surface), surface.smoothing_workspace(),
                         settling.positions()[i]);
    }
    settling.begin(pairs);
    settling.settle(touched);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!touched[i]) continue;
        keep_volume(outcomes[i].positions, *surfaces[i].structure, combined[i].raise,
                    settling.positions()[i]);
        outcomes[i].positions = std::move(settling.positions()[i]);
    }
}

} // namespace knead
