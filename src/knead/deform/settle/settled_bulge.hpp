#pragma once

#include "knead/bulge/combine_displacements.hpp"

namespace knead {

/// What `raise_about_settled` keeps between frames: memory alone. All lists of one value a vertex
/// are 0 between calls.
struct SettledBulgeWorkspace {
    std::vector<int> settled; ///< vertices that have been settled
    std::vector<int> reached; ///< those, and what is about them
    std::vector<char> is_reached, face_listed;
    std::vector<int> faces;
    std::vector<double> way;     ///< how far each has gone
    std::vector<double> in_zone; ///< how much zones have to say there
    std::vector<double> spread, next;
    std::vector<Vec3> ways, raise;
};

/// A contact that has no zone yet has no bulge, and what settling takes from the volume would be
/// lost. Here it comes out again about the vertices that were settled, in proportion to their ways
/// and some five edges wide, and as more comes into a zone of `pairs`, which has a bulge of its
/// own, less and less of it. `combined.base` is before settling, `settled` after; vertices that are
/// `held` stay where they are. Adds to `combined.raise`.
void raise_about_settled(std::span<const PairDisplacement> pairs, std::span<const Vec3> settled,
                         std::span<const char> held, const BulgeMesh& mesh,
                         SettledBulgeWorkspace& workspace, CombinedDisplacement& combined);

} // namespace knead
