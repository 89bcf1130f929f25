#pragma once

#include "knead/rig/skinning.hpp"

namespace knead {

/// Weights from the distance to the bones at rest, for a skeleton that was given without any.
///
/// A bone goes from its joint to each of the joint's children; one without children goes on in the
/// direction of its parent's bone, equally long. A vertex follows the nearest bone, and where two
/// are about as near it goes over smoothly from one to the other within `radius` on either side.
/// `radius` 0 stands for half the mean length of the bones.
SkinWeights bone_weights(const Skeleton& skeleton, std::span<const Vec3> positions,
                         double radius = 0);

} // namespace knead
