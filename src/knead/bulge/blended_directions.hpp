#pragma once

#include "knead/base/types.hpp"

namespace knead {

/// Where a vertex at `u` of the way out goes: along the zone's direction, but over to the normal
/// quickly ([BBG21] eq. 6). Not of unit length. `outward_length` is that of the zone's direction,
/// which leaves the rest to the normal.
Vec3 blended_direction(const Vec3& outward, double outward_length, const Vec3& normal, double u);

} // namespace knead
