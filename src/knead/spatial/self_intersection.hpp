#pragma once

#include "knead/spatial/surface.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace knead {

/// The insides of two triangles have a point in common, decided exactly. Triangles that merely
/// share a corner or an edge, or touch there, do not cross; coplanar triangles that overlap do. A
/// triangle without area has no inside.
/// P. Guigue and O. Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation
/// Predicates", Journal of Graphics Tools 8(1), 2003.
bool triangles_cross(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b);

/// Pairs of faces of one mesh that cross, the smaller index first, in ascending order. Faces that
/// share a vertex are judged like all others: they cross if they do so away from it. Faces that lie
/// on each other cross in as many pairs as their number squared: no more than `most` are looked
/// for, and those are the first.
std::vector<std::array<int, 2>>
find_self_intersections(const Surface& surface,
                        std::size_t most = std::numeric_limits<std::size_t>::max());

} // namespace knead
