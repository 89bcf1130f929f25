#pragma once

#include "knead/bulge/pair_displacement.hpp"
#include "knead/deform/fold/fold.hpp"

namespace knead {

// The variant of a fold that [Bru21] ch. 6 sec. 2 describes: its parts with all that they share are
// two working regions with fields of their own, whose displacements are blended by beta.

/// What one of the parts has for its own and what it shares with the other, for both of them.
std::array<DeformSurface, 2> overlapping_regions(const FoldRegion& fold, int object);

/// The zone of the whole fold, seen from one of these regions: what belongs to the other part is
/// carried over where it is shared. `edge` is the mesh's own about the contact.
ContactZone zone_in_region(const ContactZone& zone, const DeformSurface& working,
                           const DeformSurface& region, double edge);

/// Both regions' displacements, as seen from the object, as one. One of them may be empty, when its
/// region has no zone.
PairDisplacement blend_regions(const FoldRegion& fold,
                               const std::array<PairDisplacement, 2>& displacements,
                               std::span<const Vec3> normals);

} // namespace knead
