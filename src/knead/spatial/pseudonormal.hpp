#pragma once

#include "knead/spatial/surface.hpp"

namespace knead {

/// Normals that tell on which side of a surface a point is whose nearest point lies on a face, an
/// edge or a vertex: the sign of the product with the way there is right. Unit length, or zero
/// where no adjacent face has area. J. A. Baerentzen and H. Aanaes, "Signed Distance Computation
/// Using the Angle Weighted Pseudonormal", IEEE Transactions on Visualization and Computer Graphics
/// 11(3), 2005.
Vec3 face_pseudonormal(const Surface& surface, int face);
Vec3 edge_pseudonormal(const Surface& surface, int edge);
Vec3 vertex_pseudonormal(const Surface& surface, int vertex);

} // namespace knead
