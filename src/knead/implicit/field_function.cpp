#include "knead/implicit/field_function.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/implicit/solid_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

double at(const std::array<double, 4>& c, double r) {
    return ((c[3] * r + c[2]) * r + c[1]) * r + c[0];
}

double slope_at(const std::array<double, 4>& c, double r) {
    return (3 * c[3] * r + 2 * c[2]) * r + c[1];
}

} // namespace

FieldFunction completed(const FieldFunction& function) {
    FieldFunction result = function;
    if (!result.influence) result.influence = 2 * result.radius;
    if (!result.stiffness) result.stiffness = 2 / (*result.influence - result.radius);
    return result;
}

void check_field_function(const FieldFunction& function) {
    const FieldFunction whole = completed(function);
    const double r0 = whole.radius, R = *whole.influence, k = *whole.stiffness;
    if (!settings::field_radius.bounds.contain(r0))
        throw InputError(fmt::format("the radius is {}, expected a positive number", shortest(r0)));
    if (!(R > r0) || !std::isfinite(R))
        throw InputError(fmt::format("the influence is {}, expected more than the radius, {}",
                                     shortest(R), shortest(r0)));
    if (!settings::field_stiffness.bounds.contain(k))
        throw InputError(
            fmt::format("the stiffness is {}, expected a positive number", shortest(k)));
    // With more, f = (r - R)^2 (d r + e) has a root before R. A little is rounding of 3 / (R - r0).
    if (k * (R - r0) > 3 * (1 + 1e-12))
        throw InputError(fmt::format(
            "the stiffness is {}, with which the field turns negative before its influence; "
            "expected at most 3 / (influence - radius), {:.6g}",
            shortest(k), 3 / (R - r0)));
}

FieldPolynomial::FieldPolynomial(const FieldFunction& function)
    : radius(function.radius), influence(*completed(function).influence) {
    check_field_function(function);
    const double r0 = radius, R = influence, k = *completed(function).stiffness, s = r0 - R;
    if (function.law == FieldFunction::Law::linear)
        inner = {1 + k * r0, -k, 0, 0};
    else
        inner = {1 + 1.5 * k * r0, -2 * k, k / (2 * r0), 0};
    // (r - R)^2 (d r + e) with f(r0) = 1 and f'(r0) = -k.
    const double d = -(k * s + 2) / (s * s * s), e = (k * r0 * s + 3 * r0 - R) / (s * s * s);
    outer = {R * R * e, R * R * d - 2 * R * e, e - 2 * R * d, d};
    steepest = steepest_between(0, R);
}

double FieldPolynomial::value(double r) const {
    if (r >= influence) return 0;
    return at(r < radius ? inner : outer, r);
}

double FieldPolynomial::slope(double r) const {
    if (r >= influence) return 0;
    return slope_at(r < radius ? inner : outer, r);
}

double FieldPolynomial::steepest_between(double near, double far) const {
    if (near >= influence) return 0;
    near = std::max(near, 0.0);
    far = std::min(far, influence);
    double most = 0;
    // Inside, the slope is linear in r; outside it is a parabola, whose peak may be steeper than
    // both ends.
    if (near < radius)
        most = std::max(std::abs(slope_at(inner, near)),
                        std::abs(slope_at(inner, std::min(far, radius))));
    if (far > radius) {
        const double from = std::max(near, radius);
        most = std::max({most, std::abs(slope_at(outer, from)), std::abs(slope_at(outer, far))});
        const double peak = outer[3] != 0 ? -outer[2] / (3 * outer[3]) : from;
        if (peak > from && peak < far) most = std::max(most, std::abs(slope_at(outer, peak)));
    }
    return most;
}

} // namespace knead
