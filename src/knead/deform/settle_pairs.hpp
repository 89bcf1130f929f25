#pragma once

#include "knead/deform/deform_surface.hpp"

namespace knead {

/// A pair after its zones, to be settled.
struct ResolvedPair {
    std::array<DeformSurface*, 2> sides{};
    Vec3 direction = Vec3::Zero(); ///< zero when the objects do not intersect
    double reach = 0;
    double certainty = 0;
    /// Of a fold, one a vertex of the object: how much of what is asked for is done there. In the
    /// crease the nearest point of the other side is anywhere. Empty: all.
    std::vector<double> share;
};

/// What the zones have left is resolved, all pairs starting from the same state. `positions` are
/// one list an object, of which only those with `moves` set are changed.
void settle_pairs(std::span<const ResolvedPair> pairs, std::vector<std::vector<Vec3>>& positions,
                  std::span<const char> moves);

/// How far the bulges of each object have room against what they touch.
std::vector<std::vector<double>> room_for_bulges(std::span<const ResolvedPair> pairs,
                                                 std::span<const std::vector<Vec3>> positions,
                                                 std::span<const CombinedDisplacement> combined);

} // namespace knead
