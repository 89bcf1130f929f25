#pragma once

#include <algorithm>
#include <cstddef>

namespace knead {

/// Two numbers that are worked on at a time, which every x86-64 processor can.
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

/// Four at a time: one register with AVX2, two without, and the same results. Not to be handed to
/// or from functions by value, which depends on what they are compiled for.
using Lanes4 = double __attribute__((vector_size(32)));

inline double sum_of(const Lanes4& lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

} // namespace knead

/// Before a function: compiled once for every processor and once for those with AVX2, chosen when
/// the program is loaded. Products are not fused, so both give the same bits. It must not hand
/// four lanes to functions, nor call those that are meant to be as fast.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(KNEAD_PLAIN_KERNELS)
#define KNEAD_FOR_AVX2_TOO [[gnu::target_clones("avx2", "default")]]
#else
#define KNEAD_FOR_AVX2_TOO
#endif
