#pragma once

#include "knead/base/box.hpp"
#include "knead/mesh/triangle_mesh.hpp"

#include <functional>

namespace knead {

/// The surface where `field`, negative inside, is zero, on a lattice of such cells in a box. Blocks
/// of cells in which `has_none` (of a ball around them, given by its centre and radius) is certain
/// that there is no surface are left out. Throws GeometryError when that leaves millions of cells.
TriangleMesh surface_in_blocks(const Box& box, double cell,
                               const std::function<bool(const Vec3&, double)>& has_none,
                               const std::function<double(const Vec3&)>& field);

} // namespace knead
