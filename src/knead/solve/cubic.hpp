#pragma once

#include <array>
#include <span>

namespace knead {

/// Up to three real roots, ascending, each listed once.
struct CubicRoots {
    std::array<double, 3> values{};
    int count = 0;

    std::span<const double> span() const& {
        return {values.data(), static_cast<std::size_t>(count)};
    }
    void span() && = delete; // it would look at what is gone
};

/// The real roots of a x^3 + b x^2 + c x + d, to the last digit the coefficients allow, also when
/// leading coefficients vanish or are tiny beside the others. A polynomial that is zero everywhere
/// or has a coefficient that is not finite has no roots here. A root where the curve only touches
/// zero is found when it does so within rounding.
CubicRoots cubic_roots(double a, double b, double c, double d);

} // namespace knead
