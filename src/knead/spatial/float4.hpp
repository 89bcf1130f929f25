#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace knead {

/// Four numbers that are worked on at once: every x86-64 has instructions for it, and compilers
/// write the same out for other processors.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));

inline Float4 four(float value) {
    return Float4{value, value, value, value};
}

/// The second where either is not a number.
inline Float4 min4(Float4 a, Float4 b) {
#if defined(__SSE2__)
    return _mm_min_ps(a, b);
#else
    return a < b ? a : b;
#endif
}
inline Float4 max4(Float4 a, Float4 b) {
#if defined(__SSE2__)
    return _mm_max_ps(a, b);
#else
    return a > b ? a : b;
#endif
}

/// Bit i is set where number i of a comparison is true.
inline int bits_of(Int4 truth) {
#if defined(__SSE2__)
    return _mm_movemask_ps(_mm_castsi128_ps(reinterpret_cast<__m128i>(truth)));
#else
    return (truth[0] & 1) | (truth[1] & 2) | (truth[2] & 4) | (truth[3] & 8);
#endif
}

/// Rows become columns.
inline void transpose(Float4& a, Float4& b, Float4& c, Float4& d) {
    const Float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

} // namespace knead
