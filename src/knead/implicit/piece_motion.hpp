#pragma once

#include "knead/implicit/field.hpp"

#include <span>
#include <vector>

namespace knead {

/// How each skeleton of a field goes to its place in another, whose pieces are the same but for the
/// places of their points: turned as little as possible and stretched along itself.
std::vector<Affine3> piece_motions(const Field& from, const Field& to);

/// Where a point of the flesh goes: with each skeleton as much as that makes the field there.
Vec3 carried_point(const Field& field, std::span<const Affine3> motions, const Vec3& point);

} // namespace knead
