#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <memory>
#include <span>

namespace knead {

/// Two neighbouring parts of one skin that meet in a crease; see fold_region.hpp.
struct FoldRegion;

/// The vertices that both parts have are shared. Parts that only have a border in common share what
/// lies about it: as far over the surface as that border's radius, and at most half of either part.
///
/// Nothing when the parts do not touch, so that there is no fold. Throws InputError when one part
/// has nothing of its own.
std::shared_ptr<const FoldRegion>
make_fold_region(const TriangleMesh& rest, std::span<const int> first, std::span<const int> second);

/// Two neighbouring parts of an object that fold on each other (see `make_fold_region`).
struct DeformFold {
    int object = 0;
    std::shared_ptr<const FoldRegion> region = {};
};

} // namespace knead
