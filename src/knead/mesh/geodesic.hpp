#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/mesh/topology.hpp"

#include <string_view>
#include <vector>

namespace knead {

/// Throws InputError, beginning with `who`, unless the point is on one of the faces.
void check_face_point(std::span<const Triangle> faces, const FacePoint& point,
                      std::string_view who);

/// Distances over the surface from a point, by fast marching: a vertex is reached through its faces
/// as by a straight front between the two other corners ([KS98] R. Kimmel, J. Sethian, Computing
/// geodesic paths on manifolds, 1998), or along an edge where that is shorter. Infinite beyond
/// `farthest`, which also bounds the work.
std::vector<double> geodesic_distances(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces, const Topology& topology,
                                       const FacePoint& from, double farthest);

} // namespace knead
