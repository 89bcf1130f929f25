#pragma once

#include "knead/base/types.hpp"

#include <cmath>
#include <cstdint>

namespace knead {

// Points evenly spread over the unit square or cube, any run of consecutive indices of them:
// M. Roberts, "The unreasonable effectiveness of quasirandom sequences", 2018. Index 0 is the
// centre.

inline double fraction(double x) {
    return x - std::floor(x);
}

inline Vec2 spread2(std::uint32_t index) {
    return {fraction(0.5 + 0.7548776662466927 * index), fraction(0.5 + 0.5698402909980532 * index)};
}

inline Vec3 spread3(std::uint32_t index) {
    return {fraction(0.5 + 0.8191725133961645 * index), fraction(0.5 + 0.6710436067037893 * index),
            fraction(0.5 + 0.5497004779019703 * index)};
}

} // namespace knead
