#pragma once

#include <algorithm>

namespace knead {

/// From 0 for t at most 0 to 1 for t at least 1, level at both ends.
inline double smoothstep(double t) {
    t = std::clamp(t, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

} // namespace knead
