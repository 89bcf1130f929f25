#pragma once

#include "knead/base/types.hpp"

namespace knead {

// The potential contact surface lies between both meshes, at a part of the way from one to the
// other.

/// kbar: the part of the way that a side does not go, from both sides' stiffness where they meet.
double relative_stiffness(double mine, double other);

/// How a quantity of a surface grows along the plane that `inward` is normal to, from its gradient
/// over the surface.
Vec3 gradient_across(const Vec3& inward, const Vec3& normal, const Vec3& gradient);

/// The normal of the potential contact surface, outward for the mesh that goes `inward`. The
/// printed formula has swapped weights and a wrong sign; this one gives `normal` when the mesh is
/// rigid. `tilt` is what painted numbers add to the surface's slope: how fast its height against
/// `inward` grows, across it, because of them.
Vec3 contact_surface_normal(const Vec3& inward, double stiffness, const Vec3& normal,
                            const Vec3& other_normal, const Vec3& tilt = Vec3::Zero());

} // namespace knead
