#include "knead/render/camera.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace knead {
namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;
// The part of the picture's width and height that the box may fill.
constexpr double filled_part = 0.92;

void check_finite(const char* name, double value) {
    if (!std::isfinite(value))
        throw InputError(fmt::format("camera: {} is {}, expected a finite number", name, value));
}

} // namespace

Camera frame_camera(const Box& box, double azimuth, double elevation, double aspect,
                    double vertical_fov_degrees) {
    check_finite("azimuth", azimuth);
    check_finite("elevation", elevation);
    if (!(aspect > 0) || !std::isfinite(aspect))
        throw InputError(fmt::format("camera: aspect is {}, expected a positive number", aspect));
    if (!(vertical_fov_degrees > 0 && vertical_fov_degrees < 180))
        throw InputError(
            fmt::format("camera: field of view is {} degrees, expected more than 0 and "
                        "less than 180",
                        vertical_fov_degrees));
    const bool usable = !box.empty() && box.lower.allFinite() && box.upper.allFinite();
    const Vec3 center = usable ? box.center() : Vec3::Zero();
    Vec3 half = usable ? Vec3(0.5 * box.size()) : Vec3::Constant(0.5);
    if (half.maxCoeff() <= 0) half = Vec3::Constant(0.5);

    const double a = azimuth * radians_per_degree, e = elevation * radians_per_degree;
    // Written out rather than by cross products with +Y, so that looking straight down has an up.
    const Vec3 back(std::cos(e) * std::sin(a), std::sin(e), std::cos(e) * std::cos(a));
    const Vec3 right(std::cos(a), 0, -std::sin(a));
    const Vec3 up = back.cross(right);

    // Each side of the view pyramid must hold all corners: with slopes sx, sy of its sides, the
    // apex lies at least at z + |x - cx| / sx. The centre (cx, cy) and the distance follow from the
    // extreme sides alone.
    const double slope_y = filled_part * std::tan(0.5 * vertical_fov_degrees * radians_per_degree);
    const double slope_x = slope_y * aspect;
    const double lowest = -std::numeric_limits<double>::infinity();
    double right_side = lowest, left_side = lowest, top_side = lowest, bottom_side = lowest;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p =
            half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1));
        const double x = p.dot(right), y = p.dot(up), z = p.dot(back);
        right_side = std::max(right_side, z + x / slope_x);
        left_side = std::max(left_side, z - x / slope_x);
        top_side = std::max(top_side, z + y / slope_y);
        bottom_side = std::max(bottom_side, z - y / slope_y);
    }
    const double cx = 0.5 * slope_x * (right_side - left_side);
    const double cy = 0.5 * slope_y * (top_side - bottom_side);
    const double distance =
        std::max(0.5 * (right_side + left_side), 0.5 * (top_side + bottom_side));
    const Vec3 target = center + cx * right + cy * up;
    return {target + distance * back, target, up, vertical_fov_degrees};
}

} // namespace knead
