#pragma once

#include "knead/spatial/collision_mesh.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

/// Independent judges of what a simulation has done: they share nothing with the search for moving
/// pairs.

/// The pairs of faces that cross among bodies that may touch, themselves included, decided exactly
/// (see `triangles_cross`): an edge of one passes through the other, or they overlap in one plane.
/// Faces that share a vertex cross if they do so away from it.
std::vector<std::array<int, 2>> find_crossing_faces(const CollisionMesh& mesh,
                                                    std::span<const Vec3> positions);

/// How many they are.
int count_crossing_faces(const CollisionMesh& mesh, std::span<const Vec3> positions);

/// The smallest distance between a vertex and a face, or two edges, that may touch and share no
/// vertex; infinity if none is below `within`. Faces that cross have a distance too.
double smallest_distance(const CollisionMesh& mesh, std::span<const Vec3> positions, double within);

} // namespace knead
