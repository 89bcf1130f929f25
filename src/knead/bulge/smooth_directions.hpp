#pragma once

#include "knead/mesh/topology.hpp"

#include <span>
#include <vector>

namespace knead {

/// How near raising every vertex by `height` * `raise` comes to folding the surface: at each vertex
/// the largest part that one of its edges loses of its length, 1 when two neighbours meet. On skin
/// that is curved inwards this is height times curvature. 0 where none come together. Gives the
/// largest of all.
double fold_nearness(std::span<const Vec3> positions, std::span<const Vec3> raise, double height,
                     const Topology& topology, std::vector<double>& nearness);

/// Memory of `smooth_directions`.
struct SmoothingWorkspace {
    std::vector<double> sums;
    std::vector<Vec3> last, current, next;
};

/// Unit vectors smoothed over `edges` edges of the mesh, at most eight: as heat that walks from
/// vertex to vertex, each with its weight (empty: 1), in a number of sweeps that is always the
/// same, so that nothing jumps with the length.
void smooth_directions(std::span<const Vec3> directions, std::span<const double> weights,
                       const Topology& topology, double edges, SmoothingWorkspace& workspace,
                       std::vector<Vec3>& result);

} // namespace knead
