#pragma once

#include "knead/bulge/pair_displacement.hpp"

namespace knead {

/// The displacements of all pairs together.
struct CombinedDisplacement {
    std::vector<Vec3> base;  ///< where every vertex is without a bulge
    std::vector<Vec3> raise; ///< and the way of its bulge, which `restore_volume` scales
    std::vector<int> moved;  ///< vertices that a pair knows, each once; the others have no raise
};

/// What the displacements of an object keep between frames while they are combined and their volume
/// is restored: memory alone.
struct CombinedWorkspace {
    std::vector<double> strengths;    ///< of all pairs, one a vertex; 0 between calls
    std::vector<int> vertices, faces; ///< that move
    std::vector<char> face_listed;    ///< one a face; 0 between calls
    std::vector<Vec3> ways, raise;    ///< one a vertex; right at those that move
};

/// Each pair gives way where another one's zone is ([BBG21] sec. 5.3).
CombinedDisplacement combine_displacements(std::span<const PairDisplacement> pairs,
                                           const BulgeMesh& mesh);
/// The same in the memory of another one, of the same mesh: apart from the copy of all positions,
/// it costs what the pairs have vertices.
void combine_displacements(std::span<const PairDisplacement> pairs, const BulgeMesh& mesh,
                           CombinedWorkspace& workspace, CombinedDisplacement& result);

} // namespace knead
