#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

/// Four vertex indices; the fourth is on the side of the first three from which they turn
/// counter-clockwise, so that the volume det(b - a, c - a, d - a) / 6 is positive.
using Tetrahedron = std::array<int, 4>;

struct TetMesh {
    std::vector<Vec3> positions = {};
    std::vector<Tetrahedron> tets = {};
};

/// Positive when the tetrahedron is not inverted.
double signed_volume(const TetMesh& mesh, std::span<const Vec3> positions, int tet);

/// Faces 0 to 3 of a tetrahedron by its corners, looking outwards; face i is opposite to corner
/// 3 - i.
inline constexpr std::array<Triangle, 4> tet_faces{{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};

/// The faces that only one tetrahedron has, looking outwards, over the same vertices: the surface
/// of a body that is given as finite elements.
std::vector<Triangle> boundary_faces(std::span<const Tetrahedron> tets);

} // namespace knead
