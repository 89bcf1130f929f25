#pragma once

#include "knead/contact/contact_surface.hpp"
#include "knead/contact/pair_side.hpp"
#include "knead/mesh/surface_point.hpp"

#include <cmath>
#include <numbers>

namespace knead {

/// Surfaces tilted by more than 80 degrees against the mapping direction stay out of contact zones.
const double least_facing = std::cos(80 * std::numbers::pi / 180);

/// A point of a mapping region: where it meets the other mesh, and what that means.
struct MappedPoint {
    Vec3 inward = Vec3::UnitY();      ///< the way this point goes, unit length
    Vec3 other_normal = Vec3::Zero(); ///< of the other mesh where it is met, unit length
    double gap = 0;                   ///< way along `inward` to the other mesh
    double depth =
        0; ///< the criterion of the contact zone: the gap seen along the surface's normal
    double facing = 0;                  ///< the smaller cosine of both normals with `inward`
    double relative_stiffness = 0.5;    ///< of this side; 1 does not move
    double apparent_stiffness = 0;      ///< of both sides
    double offset = 0;                  ///< a gap to keep to the contact surface
    Vec3 stiffness_tilt = Vec3::Zero(); ///< how painted stiffness tilts the contact surface
    Vec3 offset_tilt = Vec3::Zero();    ///< and how a painted offset does
};

/// What it means that a point meets the other mesh at `met`, a `gap` away along `inward`.
MappedPoint meet(const PairSide& other, const SidePoint& from, const FacePoint& met,
                 const Vec3& inward, double gap);

/// What lies between two points, evenly.
MappedPoint interpolate(const MappedPoint& a, const MappedPoint& b, double t);

/// What a mapped point becomes a short `way` further over its mesh if the other surface goes on
/// flat.
MappedPoint carried_on(const MappedPoint& from, const Vec3& way);

} // namespace knead
