#pragma once

#include "knead/base/types.hpp"

#include <string>

namespace knead {

// Colours are sRGB with channels from 0 to 1, as a web page or a paint program gives them, unless a
// name says linear.

Vec3 linear_from_srgb(const Vec3& color);
Vec3 srgb_from_linear(const Vec3& color);

/// Matte colours for objects, told apart by people with any of the usual kinds of colour blindness;
/// they repeat after eight. Any index is fine.
Vec3 palette_color(int index);

/// Which colour stands for which value.
struct FieldScale {
    std::string name = {}; ///< the heading of the legend
    double low = 0;
    double high = 1;

    /// With values on both sides of zero, zero gets the neutral colour and both signs their own.
    bool diverging() const { return low < 0 && high > 0; }
};

/// Light sand to dark indigo for t from 0 to 1, darker at every step.
Vec3 sequential_color(double t);

/// Blue below 0.5, nearly white at 0.5, red above.
Vec3 diverging_color(double t);

/// Where a value lies on the colour map that the scale uses: 0 to 1, clamped; NaN stays NaN.
double field_parameter(const FieldScale& scale, double value);

/// The colour of a value; grey for NaN.
Vec3 field_color(const FieldScale& scale, double value);

} // namespace knead
