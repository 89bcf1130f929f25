#include "knead/solve/front_kernels.hpp"

using Vector = double __attribute__((vector_size(16)));
#define KERNELS plain_front_kernels
#include "knead/solve/front_kernels.inl"
