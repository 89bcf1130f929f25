#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace knead {

/// A number as an exact sum of at most `Capacity` doubles that do not overlap, smallest first; no
/// zeros are kept. Sums, differences and products are exact as long as nothing overflows or
/// underflows.
///
/// Jonathan Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
/// Predicates", Discrete & Computational Geometry 18, 1997. Rounding must be to nearest, and the
/// compiler must not fuse multiplications and additions.
template <int Capacity>
class Expansion {
public:
    int size() const { return size_; }
    double operator[](int i) const { return terms_[i]; }
    void append(double term) {
        if (term != 0) terms_[size_++] = term;
    }

    int sign() const { return size_ == 0 ? 0 : (terms_[size_ - 1] > 0 ? 1 : -1); }
    /// The nearest double, to a relative error of a few units in the last place.
    double estimate() const {
        double sum = 0;
        for (int i = 0; i < size_; ++i) sum += terms_[i];
        return sum;
    }
    Expansion operator-() const {
        Expansion result;
        for (int i = 0; i < size_; ++i) result.append(-terms_[i]);
        return result;
    }

private:
    std::array<double, Capacity> terms_;
    int size_ = 0;
};

namespace exact {

/// sum + tail == a + b.
inline double two_sum(double a, double b, double& tail) {
    const double sum = a + b;
    const double b_virtual = sum - a;
    tail = (a - (sum - b_virtual)) + (b - b_virtual);
    return sum;
}

/// product + tail == a * b, by splitting both into halves of 26 bits.
inline double two_product(double a, double b, double& tail) {
    constexpr double splitter = 134217729; // 2^27 + 1
    const double product = a * b;
    const double a_large = splitter * a, b_large = splitter * b;
    const double a_high = a_large - (a_large - a), b_high = b_large - (b_large - b);
    const double a_low = a - a_high, b_low = b - b_high;
    tail = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

inline Expansion<2> difference(double a, double b) {
    double tail;
    const double sum = two_sum(a, -b, tail);
    Expansion<2> result;
    result.append(tail);
    result.append(sum);
    return result;
}

template <int N>
Expansion<2 * N> scaled(const Expansion<N>& a, double factor) {
    Expansion<2 * N> result;
    if (a.size() == 0 || factor == 0) return result;
    double tail, carry = two_product(a[0], factor, tail);
    result.append(tail);
    for (int i = 1; i < a.size(); ++i) {
        double low;
        const double high = two_product(a[i], factor, low);
        const double sum = two_sum(carry, low, tail);
        result.append(tail);
        carry = two_sum(high, sum, tail);
        result.append(tail);
    }
    result.append(carry);
    return result;
}

} // namespace exact

template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
    Expansion<N + M> result;
    int i = 0, j = 0;
    const auto next_smaller = [&] {
        return j >= b.size() || (i < a.size() && std::abs(a[i]) < std::abs(b[j])) ? a[i++] : b[j++];
    };
    const int count = a.size() + b.size();
    if (count == 0) return result;
    double carry = next_smaller();
    for (int k = 1; k < count; ++k) {
        double tail;
        carry = exact::two_sum(carry, next_smaller(), tail);
        result.append(tail);
    }
    result.append(carry);
    return result;
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& a, const Expansion<M>& b) {
    return a + (-b);
}

/// Meant for a short `b`: adds up one multiple of `a` per term of it.
template <int N>
Expansion<4 * N> operator*(const Expansion<N>& a, const Expansion<2>& b) {
    const Expansion<2 * N> low = b.size() > 0 ? exact::scaled(a, b[0]) : Expansion<2 * N>();
    const Expansion<2 * N> high = b.size() > 1 ? exact::scaled(a, b[1]) : Expansion<2 * N>();
    return low + high;
}

} // namespace knead
