#pragma once

#include "knead/bulge/pair_displacement.hpp"

namespace knead {

/// The displacements of all pairs together.
struct CombinedDisplacement {
    std::vector<Vec3> base;  ///< where every vertex is without a bulge
    std::vector<Vec3> raise; ///< and the way of its bulge, which `restore_volume` scales
    std::vector<int> moved;  ///< vertices that a pair knows, each once; the others have no raise
    /// Between calls all 0.
    std::vector<double> strengths;
};

/// Each pair gives way where another one's zone is ([BBG21] sec. 5.3).
CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh);
/// The same in the memory of another one, of the same mesh: apart from the copy of all positions,
/// it costs what the pairs have vertices.
void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedDisplacement& result);

} // namespace knead
