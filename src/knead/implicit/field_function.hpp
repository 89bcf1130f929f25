#pragma once

#include <array>
#include <optional>

namespace knead {

/// How a field falls with the distance r from its skeleton, [Gas93] appendix A: 1 at the radius r0,
/// 0 with level slope at the influence R, and the stiffness of the material is its slope, -f'(r).
struct FieldFunction {
    enum class Law {
        linear,    ///< the stiffness is k wherever the material is pressed to
        nonlinear, ///< it grows from k at the surface to 2 k at the skeleton
    };

    double radius = 1; ///< r0
    /// R; nothing: twice the radius.
    std::optional<double> influence = {};
    /// k, at the surface; nothing: 2 / (R - r0), with which f falls to 0 as a parabola.
    std::optional<double> stiffness = {};
    Law law = Law::linear;
};

/// With an influence and a stiffness, those that were not given worked out.
FieldFunction completed(const FieldFunction& function);

/// Throws an InputError that says what is wrong: a radius that is not positive, an influence that
/// does not exceed it, or a stiffness that lets the field turn negative, k (R - r0) > 3.
void check_field_function(const FieldFunction& function);

/// The same in the form that is computed with: two polynomials, c0 + c1 r + c2 r^2 + c3 r^3 up to
/// r0 and up to R.
struct FieldPolynomial {
    double radius{}, influence{};
    std::array<double, 4> inner{}, outer{};
    double steepest = 0; ///< the largest slope, everywhere

    FieldPolynomial() = default;
    explicit FieldPolynomial(const FieldFunction& function);

    double value(double r) const;
    double slope(double r) const;
    /// The largest slope between two distances.
    double steepest_between(double near, double far) const;
};

} // namespace knead
