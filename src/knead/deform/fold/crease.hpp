#pragma once

#include "knead/contact/cut_set.hpp"
#include "knead/deform/fold/fold_region.hpp"
#include "knead/deform/object/deform_settings.hpp"

namespace knead {

/// The part of a fold's working region that is on the first part's side of the crease at this
/// frame. `normals` are those of the working vertices, `direction` is the mapping direction: the
/// crease follows the silhouette seen along it. `solver` is one for the plan of the fold's graph.
CutSet find_crease(const FoldRegion& fold, std::span<const Vec3> normals, const Vec3& direction,
                   CreaseMethod method, SpdSolver& solver);

} // namespace knead
