#pragma once

#include "knead/mesh/triangle_mesh.hpp"
#include "knead/rig/skinning.hpp"

namespace knead {

/// For each vertex the point about which its own mixture of joints rotates: the mean of the
/// surface, weighted by how similar its skinning weights are to the vertex's [Le and Hodgins 2016,
/// eq. 1]. A vertex that follows one joint only, or that resembles nothing, is its own centre.
std::vector<Vec3> centers_of_rotation(const SkinWeights& weights, const TriangleMesh& rest);

} // namespace knead
