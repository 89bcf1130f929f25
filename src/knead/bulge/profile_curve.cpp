#include "knead/bulge/profile_curve.hpp"

#include "knead/base/smoothstep.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// The six basis functions at t, by the recurrence of Cox and de Boor on the fixed knots.
std::array<double, 6> basis(double t) {
    constexpr std::array<double, 10> knots = {0, 0, 0, 0, 1.0 / 3, 2.0 / 3, 1, 1, 1, 1};
    std::array<double, 9> n{};
    const int span = t < knots[4] ? 3 : t < knots[5] ? 4 : 5;
    n[span] = 1;
    for (int degree = 1; degree <= 3; ++degree)
        for (int i = span - degree; i <= span; ++i) {
            const double left = knots[i + degree] - knots[i];
            const double right = knots[i + degree + 1] - knots[i + 1];
            const double from_left = left > 0 ? (t - knots[i]) / left * n[i] : 0;
            const double from_right =
                right > 0 ? (knots[i + degree + 1] - t) / right * n[i + 1] : 0;
            n[i] = from_left + from_right;
        }
    return {n[0], n[1], n[2], n[3], n[4], n[5]};
}

double dot(const std::array<double, 6>& a, const std::array<double, 6>& b) {
    double sum = 0;
    for (int i = 0; i < 6; ++i) sum += a[i] * b[i];
    return sum;
}

// The parameter at which the curve's abscissa is u. Abscissas are sorted, so the function rises; a
// secant step is kept within the bracket, which makes it as safe as bisection.
double parameter_at(const std::array<double, 6>& abscissa, double u) {
    double low = 0, high = 1, at_low = -u, at_high = 1 - u;
    double t = u;
    for (int iteration = 0; iteration < 80 && high - low > 1e-16; ++iteration) {
        const double value = dot(abscissa, basis(t)) - u;
        if (value == 0) return t;
        // Halving the far end's weight keeps the secant from creeping along one side.
        if (value < 0) {
            low = t;
            at_low = value;
            at_high *= 0.5;
        } else {
            high = t;
            at_high = value;
            at_low *= 0.5;
        }
        if (std::abs(value) < 1e-16) break;
        const double next = low - at_low * (high - low) / (at_high - at_low);
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
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
    const double window = smoothstep(4 * u * (1 - u));
    return -shape.amplitude * window * std::sin(2 * std::numbers::pi * shape.waves * u);
}

ProfileValue evaluate(const ProfileCurve& profile, double u) {
    u = std::clamp(u, 0.0, 1.0);
    const std::array<double, 6> n = basis(parameter_at(profile.abscissa, u));
    double base = dot(profile.ordinate, n);
    if (profile.wrinkles.amplitude != 0) base += wrinkle(profile.wrinkles, u);
    return {base, n[2]};
}

} // namespace knead
