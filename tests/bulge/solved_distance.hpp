#pragma once

#include "knead/bulge/radial_field.hpp"

namespace knead {

/// A distance that `prepare_radial_field` or `prepare_steady_state` prepares, solved alone.
template <typename Prepare>
std::vector<double>
solved_distance(const Prepare& prepare, const CutRegion& region, const ContactZone& zone,
                std::span<const Vec3> positions, std::span<const Triangle> faces,
                std::span<const char> region_border, BulgeWorkspace& workspace) {
    workspace.fields.resize(positions.size(), 0);
    prepare(region, zone, positions, faces, region_border, workspace);
    workspace.harmonic->solve(workspace.fields.distance_column());
    std::vector<double> distance;
    read_radial_field(region, zone, workspace, distance);
    return distance;
}

} // namespace knead
