#include "knead/bulge/bulge_map.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The field that the zone's vertices emit, weighted by their depth and area.
std::vector<double> anisotropic_weights(const BulgeMapSettings& map, const ContactZone& zone,
                                        std::span<const Vec3> positions,
                                        std::span<const Triangle> faces,
                                        std::span<const Vec3> raise) {
    struct Source {
        Vec3 position;
        Vec3 outward;
        double strength;
    };
    std::vector<Source> sources;
    const std::vector<double> areas = vertex_areas(positions, faces);
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (zone.inside[v])
            sources.push_back({positions[v], zone.outward_at(v),
                               areas[v] * (zone.target[v] - positions[v]).norm()});
    std::vector<double> weights(positions.size(), 0.0);
    parallel_for(positions.size(), 64, [&](std::size_t v) {
        if (raise[v].isZero(0)) return;
        for (const Source& source : sources) {
            const Vec3 way = positions[v] - source.position;
            const double distance = way.norm();
            if (!(distance > 0)) continue;
            // In front is where this mesh is pushed to: against its outward direction.
            const double ahead = std::max(0.0, -source.outward.dot(way) / distance + map.psi[v]);
            weights[v] += source.strength / distance * std::pow(ahead, map.omega[v]);
        }
    });
    return weights;
}

} // namespace

void bulge_weights(const BulgeMapSettings& map, const ContactZone& zone,
                   std::span<const Vec3> positions, std::span<const Triangle> faces,
                   std::span<const Vec3> raise, std::vector<double>& eta) {
    eta.assign(raise.size(), 0.0);
    for (std::size_t v = 0; v < raise.size(); ++v)
        if (!raise[v].isZero(0)) eta[v] = map.painted.empty() ? 1 : map.painted[v];
    if (!map.anisotropic) return;
    const std::vector<double> weights = anisotropic_weights(map, zone, positions, faces, raise);
    double sum = 0, before = 0;
    for (std::size_t v = 0; v < raise.size(); ++v) {
        const double height = std::abs(eta[v]) * raise[v].norm();
        before += height;
        sum += weights[v] * height;
    }
    if (!(sum > 0)) return;
    for (std::size_t v = 0; v < raise.size(); ++v) eta[v] *= weights[v] * before / sum;
}

} // namespace knead
