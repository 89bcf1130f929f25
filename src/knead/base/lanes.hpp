#pragma once

namespace knead {

/// Four doubles at a time: one register with AVX2, two without, and the same results.
using Lanes4 = double __attribute__((vector_size(32)));

inline double sum_of(const Lanes4& lanes) {
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

} // namespace knead

/// Before a function: compiled once for every processor and once for those with AVX2, chosen when
/// the program is loaded. Products are not fused, so both give the same bits. It must not call
/// inline functions that the compiler might leave out of line.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(KNEAD_PLAIN_KERNELS)
#define KNEAD_FOR_AVX2_TOO [[gnu::target_clones("avx2", "default")]]
#else
#define KNEAD_FOR_AVX2_TOO
#endif
