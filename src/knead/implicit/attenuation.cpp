#include "knead/implicit/attenuation.hpp"

#include <algorithm>

namespace knead {

Attenuation::Attenuation(double slope, double height, double width)
    : slope_(slope), height_(height), width_(width) {
    if (slope * width > 6 * height) width_ = 6 * height / slope;
}

double Attenuation::value(double r) const {
    if (r <= 0 || r >= width_) return 0;
    const double w = width_, x = r / w;
    if (x < 0.5)
        return ((4 * (w * slope_ - 4 * height_) * x + 4 * (3 * height_ - w * slope_)) * x +
                w * slope_) *
               x;
    return 4 * height_ * (x - 1) * (x - 1) * (4 * x - 1);
}

double Attenuation::slope(double r) const {
    if (r < 0 || r >= width_) return 0;
    const double w = width_, x = r / w;
    if (x < 0.5)
        return ((12 * (w * slope_ - 4 * height_) * x + 8 * (3 * height_ - w * slope_)) * x +
                w * slope_) /
               w;
    return 24 * height_ / w * (x - 1) * (2 * x - 1);
}

} // namespace knead
