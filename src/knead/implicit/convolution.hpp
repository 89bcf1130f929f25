#pragma once

#include "knead/base/types.hpp"
#include "knead/implicit/field_function.hpp"

namespace knead {

/// A field and its gradient at a point.
struct FieldSample {
    double value = 0;
    Vec3 gradient = Vec3::Zero();

    FieldSample& operator+=(const FieldSample& other) {
        value += other.value;
        gradient += other.gradient;
        return *this;
    }
};

// Convolution surfaces: every point of a skeleton contributes h(distance), and the field is the
// integral. Pieces of one skeleton simply add up, so cutting a skeleton into pieces changes nothing
// and joints neither bulge nor stiffen, which is why [Gas93] wishes for them.
//
// The kernel h is not chosen but follows from the field function F: around a long line (and beside
// a wide face) the field is to be F of the distance, whose stiffness is then what the user asked
// for. For a line that makes F the Abel transform of h, so
//
//     h(q) = -1/pi  integral from q to R of F'(s) / sqrt(s^2 - q^2) ds,
//
// and for a face h(q) = -F'(q) / (2 pi q). Both integrals over the skeleton have closed forms
// because F is a polynomial. At the end of a segment or the edge of a face the field is half as
// large, so the surface ends nearer to it.

FieldSample segment_convolution(const FieldPolynomial& function, const Vec3& from, const Vec3& to,
                                const Vec3& point);

FieldSample triangle_convolution(const FieldPolynomial& function,
                                 const std::array<Vec3, 3>& corners, const Vec3& point);

/// h of a line at a distance of at least `nearest` from the end of a segment (or the edge of a
/// face): the largest slope that the end adds to the field there. Infinite at 0.
double end_slope(const FieldPolynomial& function, double nearest);

} // namespace knead
