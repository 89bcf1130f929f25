#pragma once

#include "knead/contact/intersection.hpp"

namespace knead {

/// Whether `other` reaches further behind an open sheet, which goes `inward` when it is resolved,
/// than in front of it, seen from where the two cross. All that is behind a sheet counts as inside:
/// one that is pressed from behind would be pulled over nearly all of what presses.
bool reaches_mostly_behind(const Intersection& intersection, const Surface& other,
                           const Vec3& inward);

} // namespace knead
