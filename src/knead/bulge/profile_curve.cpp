#include "knead/bulge/profile_curve.hpp"

#include "knead/contact/fades.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// A point of the curve: its knot span, and where in it, 0 to 1.
struct CurvePoint {
    int span = 0;
    double s = 0;
};

// Span k has the basis functions k to k + 3, here as polynomials in s: the recurrence of Cox and de
// Boor, multiplied out for the fixed knots.
using Cubic = std::array<double, 4>;
constexpr std::array<std::array<Cubic, 4>, 3> basis = {
    {{{{1, -3, 3, -1}, {0, 3, -4.5, 1.75}, {0, 0, 1.5, -11.0 / 12}, {0, 0, 0, 1.0 / 6}}},
     {{{0.25, -0.75, 0.75, -0.25},
       {7.0 / 12, 0.25, -1.25, 7.0 / 12},
       {1.0 / 6, 0.5, 0.5, -7.0 / 12},
       {0, 0, 0, 0.25}}},
     {{{1.0 / 6, -0.5, 0.5, -1.0 / 6},
       {7.0 / 12, -0.25, -1.25, 11.0 / 12},
       {0.25, 0.75, 0.75, -1.75},
       {0, 0, 0, 1}}}}};

double value_at(const Cubic& c, double s) {
    return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

// A coordinate of the curve over a span, from those of the control points.
Cubic coordinate(const std::array<double, 6>& points, int span) {
    Cubic sum{};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k) sum[k] += points[span + i] * basis[span][i][k];
    return sum;
}

// The point at which the curve's abscissa is u. Abscissas are sorted, so the function rises; a
// Newton step is kept within the bracket, which makes it as safe as bisection.
CurvePoint point_at(const std::array<double, 6>& abscissa, double u) {
    Cubic x = coordinate(abscissa, 1);
    int span = 1;
    if (u < x[0])
        x = coordinate(abscissa, span = 0);
    else if (u >= value_at(x, 1))
        x = coordinate(abscissa, span = 2);
    double low = 0, high = 1;
    const double rise = value_at(x, 1) - x[0];
    double s = rise > 0 ? std::clamp((u - x[0]) / rise, 0.0, 1.0) : 0.5;
    for (int iteration = 0; iteration < 80 && high - low > 1e-16; ++iteration) {
        const double value = value_at(x, s) - u;
        if (value == 0) break;
        (value < 0 ? low : high) = s;
        const double slope = x[1] + s * (2 * x[2] + 3 * s * x[3]);
        const double next = s - value / slope;
        const double step = std::abs(next - s), curvature = std::abs(x[2] + 3 * s * x[3]);
        const bool inside = next > low && next < high;
        s = inside ? next : 0.5 * (low + high);
        // Newton leaves the square of his step times half the curvature over the slope: most often
        // that is below rounding one step before the steps are.
        if (inside && (step < 1e-16 || step * step * curvature < 1e-17 * slope)) break;
    }
    return {span, s};
}

} // namespace

double tangent_abscissa(double amplitude, double slope) {
    // theta = atan2(s, 2|a|) on the ellipse with semi-axes 0.2 and 0.4: H'(0) is s, and the tangent
    // is longer the steeper it is.
    const double length = std::hypot(2 * amplitude, slope);
    return length > 0 ? 0.4 * std::abs(amplitude) / length : 0;
}

ProfileCurve make_profile(double amplitude, double slope, const ProfileShape& shape) {
    const double x1 = std::min(tangent_abscissa(amplitude, slope), shape.bulge_at);
    return {{0, x1, shape.bulge_at, shape.end_at, 0.5 * (shape.end_at + 1), 1},
            {-amplitude, slope * x1 - amplitude, 0, 0, 0, 0},
            shape.wrinkles};
}

double wrinkle(const WrinkleShape& shape, double u) {
    // Rises from 0 to 1 half-way and falls again, level at all three; the groove that comes first
    // keeps the wave away from the other object.
    const double window = fades::wrinkles(u * (1 - u));
    return -shape.amplitude * window * std::sin(2 * std::numbers::pi * shape.waves * u);
}

ProfileValue evaluate(const ProfileCurve& profile, double u) {
    u = std::clamp(u, 0.0, 1.0);
    const CurvePoint at = point_at(profile.abscissa, u);
    // The third basis function, which is in all three spans.
    ProfileValue value{value_at(coordinate(profile.ordinate, at.span), at.s),
                       value_at(basis[at.span][2 - at.span], at.s)};
    if (profile.wrinkles.amplitude != 0) value.base += wrinkle(profile.wrinkles, u);
    return value;
}

} // namespace knead
