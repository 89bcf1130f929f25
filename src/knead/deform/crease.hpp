#pragma once

#include "knead/contact/cut_set.hpp"
#include "knead/deform/fold_region.hpp"

namespace knead {

/// How a fold is displaced when its zones are known.
enum class FoldVariant {
    unified,     ///< one mesh with one zone and one set of fields
    two_regions, ///< a set of fields for each part, blended about the crease
};

/// How the crease of a fold is found.
enum class CreaseMethod {
    /// How likely a walk over the edges, which avoids the silhouette, ends in the first part before
    /// it ends in the second ([Bru21] ch. 6 sec. 3). The crease is where both are as likely. It may
    /// cut an edge anywhere, and moves smoothly over the mesh.
    random_walker,
    /// Minimum cut ([Bru21] ch. 6 sec. 1.3): every vertex is on one side or the other, so that the
    /// crease jumps from edge to edge.
    minimum_cut,
};

/// The part of a fold's working region that is on the first part's side of the crease at this
/// frame. `normals` are those of the working vertices, `direction` is the mapping direction: the
/// crease follows the silhouette seen along it. `solver` is one for the plan of the fold's graph.
CutSet find_crease(const FoldRegion& fold, std::span<const Vec3> normals, const Vec3& direction,
                   CreaseMethod method, SpdSolver& solver);

} // namespace knead
