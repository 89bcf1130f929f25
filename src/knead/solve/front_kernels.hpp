#pragma once

#include <cstddef>

namespace knead {

/// One supernode's dense work. A panel is stored column by column, `height` values each; its first
/// rows are its columns' own, the rest begins at row `padded_columns`. All of the heights, and
/// `padded_columns`, are multiples of four, and rows that are padding are zero.
struct FrontPanel {
    double* values;
    int columns, padded_columns, height;
};

/// The kernels, once for every processor and once for those with AVX2 and FMA, which are two to
/// four times as fast. They agree to rounding.
struct FrontKernels {
    /// Cholesky of the panel; diagonal values are left as their inverses. `update`, a square of
    /// height - padded_columns, gets the lower triangle of minus what is eliminated times its
    /// transpose. `scratch` holds 4 * height values. Gives the first column whose pivot is not
    /// positive and finite, with the pivot in its place, or -1.
    int (*factorise)(const FrontPanel& panel, double* update, double* scratch);
    /// Forward and backward substitution for four right-hand sides at once. `x` are the four values
    /// of each of the panel's columns, `below` those of the other rows: what is to be added to
    /// them, or what they are.
    void (*forward)(const FrontPanel& panel, double* x, double* below);
    void (*backward)(const FrontPanel& panel, double* x, const double* below);
    /// The same for two, and for one right-hand side.
    void (*forward_two)(const FrontPanel& panel, double* x, double* below);
    void (*backward_two)(const FrontPanel& panel, double* x, const double* below);
    void (*forward_one)(const FrontPanel& panel, double* x, double* below);
    void (*backward_one)(const FrontPanel& panel, double* x, const double* below);
};

extern const FrontKernels plain_front_kernels;
extern const FrontKernels avx2_front_kernels; ///< only where the processor has AVX2 and FMA

/// What this processor can do.
const FrontKernels& best_front_kernels();

} // namespace knead
