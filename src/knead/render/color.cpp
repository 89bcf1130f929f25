#include "knead/render/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace knead {
namespace {

Vec3 from_hex(unsigned rgb) {
    return Vec3((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255) / 255.0;
}

// OKLab, a space in which equal steps look about equal: B. Ottosson, "A perceptual color space for
// image processing", 2020.
Vec3 oklab_from_linear(const Vec3& c) {
    const Mat3 to_cone = (Mat3() << 0.4122214708, 0.5363325363, 0.0514459929, //
                          0.2119034982, 0.6806995451, 0.1073969566,           //
                          0.0883024619, 0.2817188376, 0.6299787005)
                             .finished();
    const Mat3 to_lab = (Mat3() << 0.2104542553, 0.7936177850, -0.0040720468, //
                         1.9779984951, -2.4285922050, 0.4505937099,           //
                         0.0259040371, 0.7827717662, -0.8086757660)
                            .finished();
    const Vec3 cone = to_cone * c;
    return to_lab * Vec3(std::cbrt(cone[0]), std::cbrt(cone[1]), std::cbrt(cone[2]));
}

Vec3 linear_from_oklab(const Vec3& lab) {
    const Mat3 to_cone = (Mat3() << 1, 0.3963377774, 0.2158037573, //
                          1, -0.1055613458, -0.0638541728,         //
                          1, -0.0894841775, -1.2914855480)
                             .finished();
    const Mat3 to_rgb = (Mat3() << 4.0767416621, -3.3077115913, 0.2309699292, //
                         -1.2684380046, 2.6097574011, -0.3413193965,          //
                         -0.0041960863, -0.7034186147, 1.7076147010)
                            .finished();
    const Vec3 cone = (to_cone * lab).array().cube();
    return (to_rgb * cone).cwiseMax(0).cwiseMin(1);
}

Vec3 along(std::span<const unsigned> controls, double t) {
    const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(controls.size() - 1);
    const std::size_t i = std::min(static_cast<std::size_t>(at), controls.size() - 2);
    const Vec3 a = oklab_from_linear(linear_from_srgb(from_hex(controls[i])));
    const Vec3 b = oklab_from_linear(linear_from_srgb(from_hex(controls[i + 1])));
    const double s = at - static_cast<double>(i);
    return srgb_from_linear(linear_from_oklab((1 - s) * a + s * b));
}

} // namespace

Vec3 linear_from_srgb(const Vec3& color) {
    return color.unaryExpr(
        [](double s) { return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4); });
}

Vec3 srgb_from_linear(const Vec3& color) {
    return color.unaryExpr(
        [](double l) { return l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055; });
}

Vec3 palette_color(int index) {
    static constexpr std::array<unsigned, 8> colors = {
        0xE0997A, // terracotta
        0x7A9FC6, // sky blue
        0xE3CC85, // straw
        0x5C9C8B, // pine
        0x8F6BA8, // violet
        0xD6D1C8, // plaster
        0xA65C57, // brick
        0x566488, // slate
    };
    return from_hex(colors[static_cast<unsigned>(index) % colors.size()]);
}

Vec3 sequential_color(double t) {
    static constexpr std::array<unsigned, 6> controls = {0xF1E9DA, 0xF6C690, 0xEE8A68,
                                                         0xCB4B70, 0x872C76, 0x3B1F5E};
    return along(controls, t);
}

Vec3 diverging_color(double t) {
    static constexpr std::array<unsigned, 7> controls = {0x1F3F7A, 0x3F7FB5, 0x98C3DC, 0xF1EEE8,
                                                         0xF0B08C, 0xCC5F4C, 0x7A1F33};
    return along(controls, t);
}

double field_parameter(const FieldScale& scale, double value) {
    if (std::isnan(value)) return value;
    const double clamped = std::clamp(value, scale.low, scale.high);
    if (scale.diverging()) return 0.5 + 0.5 * clamped / std::max(-scale.low, scale.high);
    // Halved first: the range of two finite numbers need not be one.
    const double range = 0.5 * scale.high - 0.5 * scale.low;
    return range > 0 ? (0.5 * clamped - 0.5 * scale.low) / range : 0.0;
}

Vec3 field_color(const FieldScale& scale, double value) {
    const double t = field_parameter(scale, value);
    if (std::isnan(t)) return Vec3::Constant(0.6);
    return scale.diverging() ? diverging_color(t) : sequential_color(t);
}

} // namespace knead
