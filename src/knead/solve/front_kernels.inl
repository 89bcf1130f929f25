// The dense kernels of the sparse Cholesky factorisation. Included by one file an instruction set,
// which defines `Vector`, a pack of doubles, and `KERNELS`, the name of the result. Nothing else
// may be included there: an inline function compiled for AVX2 could end up in the rest of the
// program.
//
// Fronts of meshes are small, 20 to 200 rows: too small for BLAS. A tile of 2 vectors by 4 columns
// is kept in registers over all of what is eliminated, which is about three quarters of what the
// processor can do. Tried and slower: updating after every four columns, and tiles of 1 by 4.

namespace knead {
namespace {

constexpr int width = sizeof(Vector) / sizeof(double);

inline Vector load(const double* from) {
    Vector v;
    __builtin_memcpy(&v, from, sizeof(Vector));
    return v;
}
inline void store(double* to, const Vector& v) {
    __builtin_memcpy(to, &v, sizeof(Vector));
}

// out(i, c) -= sum over k of left(i, k) * right[4 k + c], for `Tall` vectors of rows and four
// columns. With `Add` false `out` is overwritten.
template <int Tall, bool Add>
inline void tile(const double* left, std::ptrdiff_t stride, int depth, const double* right,
                 double* out, std::ptrdiff_t out_stride) {
    Vector sum[Tall][4] = {};
    for (int k = 0; k < depth; ++k) {
        Vector l[Tall];
        for (int t = 0; t < Tall; ++t) l[t] = load(left + k * stride + t * width);
        for (int c = 0; c < 4; ++c) {
            const double r = right[4 * k + c];
            for (int t = 0; t < Tall; ++t) sum[t][c] += l[t] * r;
        }
    }
    for (int c = 0; c < 4; ++c)
        for (int t = 0; t < Tall; ++t) {
            double* const to = out + c * out_stride + t * width;
            store(to, Add ? load(to) - sum[t][c] : -sum[t][c]);
        }
}

// The same for `rows`, a multiple of four.
template <bool Add>
inline void tiles(const double* left, std::ptrdiff_t stride, int rows, int depth,
                  const double* right, double* out, std::ptrdiff_t out_stride) {
    int i = 0;
    for (; i + 2 * width <= rows; i += 2 * width)
        tile<2, Add>(left + i, stride, depth, right, out + i, out_stride);
    for (; i < rows; i += width) tile<1, Add>(left + i, stride, depth, right, out + i, out_stride);
}

// Four rows of the panel from `row`, turned so that each column's four stand together.
inline void turn(const FrontPanel& panel, int row, int depth, double* right) {
    for (int k = 0; k < depth; ++k)
        for (int c = 0; c < 4; ++c)
            right[4 * k + c] =
                panel.values[static_cast<std::ptrdiff_t>(k) * panel.height + row + c];
}

// Cholesky of up to four columns that have all their updates, from row `first` on.
int factorise_columns(const FrontPanel& panel, int first, int count) {
    const std::ptrdiff_t stride = panel.height;
    double* const columns = panel.values + first * stride;
    for (int c = 0; c < count; ++c) {
        double* const column = columns + c * stride;
        for (int k = 0; k < c; ++k) {
            const double* const before = columns + k * stride;
            const double factor = before[first + c];
            for (int i = first + c; i < first + 4; ++i) column[i] -= factor * before[i];
        }
        const double pivot = column[first + c];
        if (!(pivot > 0 && pivot < __DBL_MAX__)) return first + c;
        const double inverse = 1 / __builtin_sqrt(pivot);
        column[first + c] = inverse;
        for (int i = first + c + 1; i < first + 4; ++i) column[i] *= inverse;
    }
    // The rows below, a vector of them at a time.
    for (int i = first + 4; i < panel.height; i += width) {
        Vector x[4];
        for (int c = 0; c < count; ++c) {
            x[c] = load(columns + c * stride + i);
            for (int k = 0; k < c; ++k) x[c] -= x[k] * columns[k * stride + first + c];
            x[c] *= columns[c * stride + first + c];
            store(columns + c * stride + i, x[c]);
        }
    }
    return -1;
}

int factorise(const FrontPanel& panel, double* update, double* scratch) {
    const std::ptrdiff_t stride = panel.height;
    for (int j = 0; j < panel.columns; j += 4) {
        const int count = panel.columns - j < 4 ? panel.columns - j : 4;
        if (j > 0) {
            turn(panel, j, j, scratch);
            double* const at = panel.values + j * stride + j;
            if (count == 4) {
                tiles<true>(panel.values + j, stride, panel.height - j, j, scratch, at, stride);
            } else {
                // Columns past the last do not exist.
                for (int c = 0; c < count; ++c)
                    for (int k = 0; k < j; ++k) {
                        const double factor = scratch[4 * k + c];
                        const double* const left = panel.values + k * stride + j;
                        for (int i = 0; i < panel.height - j; i += width)
                            store(at + c * stride + i,
                                  load(at + c * stride + i) - factor * load(left + i));
                    }
            }
        }
        if (const int failed = factorise_columns(panel, j, count); failed >= 0) return failed;
    }
    const int below = panel.height - panel.padded_columns;
    for (int j = 0; j < below; j += 4) {
        turn(panel, panel.padded_columns + j, panel.columns, scratch);
        tiles<false>(panel.values + panel.padded_columns + j, stride, below - j, panel.columns,
                     scratch, update + static_cast<std::ptrdiff_t>(j) * below + j, below);
    }
    return -1;
}

// Right-hand sides are substituted four columns at a time, to read and write `below` less often.
template <int Sides>
inline void forward(const FrontPanel& panel, double* x, double* below) {
    const std::ptrdiff_t stride = panel.height;
    const int rows = panel.height - panel.padded_columns;
    for (int j = 0; j < panel.columns; ++j) {
        const double* const column = panel.values + j * stride;
        double* const at = x + Sides * j;
        for (int s = 0; s < Sides; ++s) at[s] *= column[j];
        for (int i = j + 1; i < panel.columns; ++i)
            for (int s = 0; s < Sides; ++s) x[Sides * i + s] -= column[i] * at[s];
    }
    const double* const lower = panel.values + panel.padded_columns;
    int j = 0;
    for (; j + 4 <= panel.columns; j += 4) {
        const double* const c0 = lower + j * stride;
        const double *const c1 = c0 + stride, *const c2 = c1 + stride, *const c3 = c2 + stride;
        const double* const at = x + Sides * j;
        for (int i = 0; i < rows; ++i)
            for (int s = 0; s < Sides; ++s)
                below[Sides * i + s] -= c0[i] * at[s] + c1[i] * at[Sides + s] +
                                        c2[i] * at[2 * Sides + s] + c3[i] * at[3 * Sides + s];
    }
    for (; j < panel.columns; ++j)
        for (int i = 0; i < rows; ++i)
            for (int s = 0; s < Sides; ++s)
                below[Sides * i + s] -= lower[j * stride + i] * x[Sides * j + s];
}

template <int Sides>
inline void backward(const FrontPanel& panel, double* x, const double* below) {
    const std::ptrdiff_t stride = panel.height;
    const int rows = panel.height - panel.padded_columns;
    for (int j = panel.columns - 1; j >= 0; --j) {
        const double* const column = panel.values + j * stride;
        const double* const lower = column + panel.padded_columns;
        double sum[4][Sides] = {};
        for (int i = 0; i < rows; i += 4)
            for (int lane = 0; lane < 4; ++lane)
                for (int s = 0; s < Sides; ++s)
                    sum[lane][s] += lower[i + lane] * below[Sides * (i + lane) + s];
        double* const at = x + Sides * j;
        for (int s = 0; s < Sides; ++s) at[s] -= (sum[0][s] + sum[1][s]) + (sum[2][s] + sum[3][s]);
        for (int i = j + 1; i < panel.columns; ++i)
            for (int s = 0; s < Sides; ++s) at[s] -= column[i] * x[Sides * i + s];
        for (int s = 0; s < Sides; ++s) at[s] *= column[j];
    }
}

} // namespace

const FrontKernels KERNELS = {factorise,   forward<4>, backward<4>, forward<2>,
                              backward<2>, forward<1>, backward<1>};

} // namespace knead
