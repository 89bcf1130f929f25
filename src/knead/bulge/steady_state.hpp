#pragma once

#include "knead/bulge/radial_field.hpp"

namespace knead {

/// The distance to the zone's border from the steady state of heat flow instead of heat after a
/// short time ([Bru21] ch. 5 sec. 1): held at 1 on the zone's border and at 0 on that of the
/// working region. Smoother than by `prepare_radial_field`, and one factorisation less on a closed
/// mesh, but its lines of equal distance depart from true ones between zones and far away from
/// them.
///
/// A mesh without a border has no such state but the same heat everywhere. What is left of a very
/// slow loss then decides, which is how long a random walk takes to the zone.
///
/// Leaves what `prepare_radial_field` leaves.
void prepare_steady_state(const CutRegion& region, const ContactZone& zone,
                          std::span<const Vec3> positions, std::span<const Triangle> faces,
                          std::span<const char> region_border, BulgeWorkspace& workspace);

} // namespace knead
