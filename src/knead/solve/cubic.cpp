#include "knead/solve/cubic.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace knead {
namespace {

struct Cubic {
    double a, b, c, d;

    double operator()(double x) const { return std::fma(std::fma(std::fma(a, x, b), x, c), x, d); }
    // Rounding error to expect in the value at x.
    double rounding(double x) const {
        const double m = std::abs(x);
        return 4 * std::numeric_limits<double>::epsilon() *
               (((std::abs(a) * m + std::abs(b)) * m + std::abs(c)) * m + std::abs(d));
    }
};

// Doubles in their order as integers, so that bisection halves the number of doubles in between and
// ends after 64 steps however far apart the ends are.
std::int64_t rank(double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
}
double from_rank(std::int64_t r) {
    return std::bit_cast<double>(r >= 0 ? r : std::numeric_limits<std::int64_t>::min() - r);
}

double bisect(const Cubic& p, double low, double high) {
    const bool rising = p(low) < 0;
    std::int64_t l = rank(low), h = rank(high);
    while (l + 1 < h) {
        const std::int64_t middle = (l & h) + ((l ^ h) >> 1);
        const double value = p(from_rank(middle));
        if (value == 0) return from_rank(middle);
        ((value < 0) == rising ? l : h) = middle;
    }
    return std::abs(p(from_rank(l))) < std::abs(p(from_rank(h))) ? from_rank(l) : from_rank(h);
}

// Where the derivative vanishes, ascending.
int turning_points(const Cubic& p, double (&points)[2]) {
    const double a = 3 * p.a, half_b = p.b, c = p.c;
    if (a == 0 && half_b == 0) return 0;
    const double discriminant = std::fma(half_b, half_b, -a * c);
    if (discriminant < 0) return 0;
    const double q = -(half_b + std::copysign(std::sqrt(discriminant), half_b));
    int count = 0;
    if (a != 0 && std::isfinite(q / a)) points[count++] = q / a;
    if (q != 0 && std::isfinite(c / q)) points[count++] = c / q;
    if (count == 2 && points[0] > points[1]) std::swap(points[0], points[1]);
    return count;
}

} // namespace

CubicRoots cubic_roots(double a, double b, double c, double d) {
    CubicRoots roots;
    const double scale = std::max({std::abs(a), std::abs(b), std::abs(c), std::abs(d)});
    if (!(scale > 0) || !std::isfinite(scale)) return roots;
    const Cubic p{a / scale, b / scale, c / scale, d / scale};

    // Between infinity and the turning points the curve is monotone: at most one root in each
    // piece.
    const double far = 1e100;
    double stops[4];
    int count = 0;
    stops[count++] = -far;
    double turns[2];
    const int turn_count = turning_points(p, turns);
    for (int i = 0; i < turn_count; ++i)
        if (std::abs(turns[i]) < far) stops[count++] = turns[i];
    stops[count++] = far;

    const auto add = [&](double root) {
        if (roots.count == 0 || root > roots.values[static_cast<std::size_t>(roots.count) - 1])
            roots.values[static_cast<std::size_t>(roots.count++)] = root;
    };
    const auto touches = [&](int stop) {
        return stop > 0 && stop < count - 1 && std::abs(p(stops[stop])) <= p.rounding(stops[stop]);
    };
    for (int i = 0; i + 1 < count; ++i) {
        if (touches(i)) add(stops[i]);
        // A crossing next to a touching point is that same root, found twice through rounding.
        if (touches(i) || touches(i + 1)) continue;
        if ((p(stops[i]) < 0) != (p(stops[i + 1]) < 0)) add(bisect(p, stops[i], stops[i + 1]));
    }
    return roots;
}

} // namespace knead
