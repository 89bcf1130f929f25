#pragma once

#include "knead/base/types.hpp"

#include <span>

namespace knead {

/// How many faces have been turned over: their normals have gone by more than 90 degrees against
/// how the surface about them has turned, which the mean normal of two rings of faces tells. Faces
/// without area do not count.
int count_flips(std::span<const Vec3> before, std::span<const Vec3> after,
                std::span<const Triangle> faces);

} // namespace knead
