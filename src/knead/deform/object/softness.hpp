#pragma once

#include "knead/deform/object/deform_settings.hpp"

#include <cmath>

namespace knead {

/// Softness is one knob for two controls that belong together ([Bru21] ch. 8): what is softer stays
/// in contact over a larger part of the overlap, and gives way nearer to it. 0 is toughest, 1
/// softest; at 1/2 both controls are at their defaults.
constexpr double default_softness = settings::softness.otherwise;

/// tau, 0.8 to -0.8: further out, zones become points or their borders creases.
constexpr double apparent_stiffness_of(double softness) {
    return 1.6 * (default_softness - softness);
}

/// How many times as far as usual the deformation reaches when no extent is given, 2 to 1/2.
inline double extent_scale_of(double softness) {
    return std::exp2(2 * (default_softness - softness));
}

} // namespace knead
