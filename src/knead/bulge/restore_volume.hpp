#pragma once

#include "knead/bulge/combine_displacements.hpp"

namespace knead {

/// Raises the bulges until the volume is that of the mesh before, then times `bulge`. `room` is how
/// far each vertex can go along its `raise`, in units of it; where a bulge has no more room, the
/// others rise higher. A bulge far higher than the contact is deep is none, and is cut off. Gives
/// how much room has been asked for: anything above that would have been the same. Vertices and
/// faces that do not move are looked at once.
double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      CombinedWorkspace& workspace, std::vector<Vec3>& displaced);
double restore_volume(const CombinedDisplacement& combined, std::span<const double> room,
                      const BulgeMesh& mesh, const VertexNumber& bulge,
                      std::vector<Vec3>& displaced);

} // namespace knead
