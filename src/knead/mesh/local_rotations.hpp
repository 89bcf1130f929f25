#pragma once

#include "knead/mesh/topology.hpp"

namespace knead {

/// How the surface has turned about each vertex: the rotation that brings the edges to its
/// neighbours closest to what they are after. The identity, exactly, where no neighbour has moved.
std::vector<Mat3> local_rotations(std::span<const Vec3> before, std::span<const Vec3> after,
                                  const Topology& topology);

} // namespace knead
