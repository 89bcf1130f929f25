#pragma once

#include "knead/bulge/bulge_settings.hpp"

#include <array>

namespace knead {

/// Folds around the contact: a wave along the way out, added to the profile ([Bru21] ch. 7
/// sec. 3.1). It begins and ends with value and slope 0, so that the contact stays resolved and
/// smooth.
struct WrinkleShape {
    /// A length: up to so far in and out; positive begins with a groove.
    double amplitude = settings::wrinkle_amplitude.otherwise;
    double waves = settings::wrinkle_waves.otherwise; ///< from u = 0 to u = 1
};

/// How far the wave stands out at u, which is from 0 to 1.
double wrinkle(const WrinkleShape& shape, double u);

/// Where the artist puts the bulge along the way out of the contact, 0 at the border of the zone
/// and 1 at the end of the deformable region.
struct ProfileShape {
    /// Abscissa of the control point that carries the bulge (v2).
    double bulge_at = settings::bulge_at.otherwise;
    /// From here on the curve is level (v3; v4 lies half-way to 1).
    double end_at = settings::end_at.otherwise;
    WrinkleShape wrinkles;
};

/// The displacement along one way out of the contact, as a curve over u: it starts at -amplitude
/// with the given slope, rises to a bulge and ends flat at u = 1 ([Bru21] ch. 5 sec. 4.1).
///
/// A parametric cubic B-spline with six control points and the knots (0,0,0,0,1/3,2/3,1,1,1,1). The
/// height of the third control point is not part of the curve: it is the unknown that the volume
/// decides, and enters as `base + height * bulge`.
struct ProfileCurve {
    std::array<double, 6> abscissa{};
    std::array<double, 6> ordinate{}; ///< the third is 0
    WrinkleShape wrinkles;            ///< on top of it
};

ProfileCurve make_profile(double amplitude, double slope, const ProfileShape& shape = {});

/// A point of the curve that can be raised: the displacement is `base + height * bulge`.
struct ProfileValue {
    double base = 0;
    double bulge = 0;
};

/// The curve at u, which is clamped to [0, 1].
ProfileValue evaluate(const ProfileCurve& profile, double u);

/// The abscissa of the second control point: on an ellipse around the first, so that steep curves
/// keep to their tangent for longer.
double tangent_abscissa(double amplitude, double slope);

} // namespace knead
