#pragma once

#include "knead/base/types.hpp"

#include <memory>
#include <span>

namespace knead {

/// What spatial queries and the deformer need to know of a mesh that stays the same while its
/// vertices move; see surface.hpp. Made once a mesh and shared by all its poses.
struct SurfaceStructure;

/// Throws InputError for an index out of range, or a face with the same vertex twice, and
/// GeometryError for a corner that is not finite. The positions only decide how good the tree is:
/// any pose will do, the rest pose is a good one.
std::shared_ptr<const SurfaceStructure> make_structure(std::span<const Vec3> positions,
                                                       std::span<const Triangle> faces);

} // namespace knead
