// Compiled for AVX2 and FMA where the compiler targets x86-64 (see CMakeLists.txt); called only
// where the processor has them.
#include "knead/solve/front_kernels.hpp"

using Vector = double __attribute__((vector_size(32)));
#define KERNELS avx2_front_kernels
#include "knead/solve/front_kernels.inl"
