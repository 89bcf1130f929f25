#pragma once

#include "knead/bulge/pair_displacement.hpp"

namespace knead {

/// Skin that is curved inwards folds when it is raised along its normals by more than the radius of
/// the curve. Where `bulge` times the pair's height comes near that, normals are smoothed, and what
/// goes along them turns; elsewhere nothing changes. Gives whether anything has turned, which
/// changes the volume.
bool turn_from_folds(const ContactZone& zone, const BulgeMesh& mesh, double bulge,
                     const VertexNumber& extents, BulgeWorkspace& workspace,
                     PairDisplacement& result);

} // namespace knead
