#pragma once

#include <algorithm>

namespace knead {

/// Two numbers that are worked on at a time, which every processor can. Four would need to be
/// compiled for some processors only.
using Lanes = double __attribute__((vector_size(2 * sizeof(double))));
constexpr std::size_t lane_count = sizeof(Lanes) / sizeof(double);

inline Lanes load_lanes(const double* from) {
    Lanes lanes;
    __builtin_memcpy(&lanes, from, sizeof(Lanes));
    return lanes;
}
inline void store_lanes(const Lanes& lanes, double* to) {
    __builtin_memcpy(to, &lanes, sizeof(Lanes));
}

inline Lanes larger(const Lanes& a, const Lanes& b) {
    return a > b ? a : b;
}
inline Lanes smaller(const Lanes& a, const Lanes& b) {
    return a < b ? a : b;
}
inline double smallest(const Lanes& lanes) {
    return std::min(lanes[0], lanes[1]);
}

} // namespace knead
