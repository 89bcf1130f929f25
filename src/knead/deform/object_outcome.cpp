#include "knead/deform/object_outcome.hpp"

#include <algorithm>

namespace knead {

void reset(ObjectOutcome& outcome, std::span<const Vec3> positions) {
    outcome.positions.assign(positions.begin(), positions.end());
    outcome.contact_vertices = 0;
    for (std::vector<double>* field : {&outcome.gap, &outcome.zone, &outcome.u, &outcome.amplitude,
                                       &outcome.slope, &outcome.eta})
        field->clear();
    outcome.direction.clear();
}

void fill_fields(std::span<const PairDisplacement> pairs, std::span<const Vec3> normals,
                 ObjectOutcome& outcome) {
    const std::size_t n = outcome.positions.size();
    outcome.zone.assign(n, 0);
    outcome.u.assign(n, 1);
    outcome.amplitude.assign(n, 0);
    outcome.slope.assign(n, 0);
    outcome.eta.assign(n, 0);
    outcome.direction.assign(normals.begin(), normals.end());
    for (const PairDisplacement& pair : pairs)
        for (std::size_t i = 0; i < pair.vertices.size(); ++i) {
            const int v = pair.vertices[i];
            if (!(pair.u[i] < outcome.u[v])) continue;
            outcome.u[v] = pair.u[i];
            outcome.amplitude[v] = pair.amplitude[i];
            outcome.slope[v] = pair.slope[i];
            outcome.eta[v] = pair.eta[i];
            outcome.direction[v] = pair.direction[i];
            if (pair.u[i] == 0) outcome.zone[v] = 1;
        }
    outcome.contact_vertices =
        static_cast<int>(std::count(outcome.zone.begin(), outcome.zone.end(), 1.0));
}

void fill_gap(const Mapping& mapping, const DeformSurface& side, ObjectOutcome& outcome) {
    outcome.gap.resize(outcome.positions.size(), 0);
    const std::size_t count = side.region ? side.region->vertices.size() : outcome.gap.size();
    for (std::size_t v = 0; v < count; ++v) {
        if (!mapping.region.inside[v]) continue;
        double& gap = outcome.gap[side.region ? side.region->vertices[v] : v];
        gap = std::max(gap, mapping.of_vertex[v].gap);
    }
}

void apply_envelope(const DeformObject& object, std::span<Vec3> positions) {
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (const double applied = object.settings.envelope[v];
            applied != 1 && positions[v] != object.positions[v])
            positions[v] = object.positions[v] + applied * (positions[v] - object.positions[v]);
}

} // namespace knead
