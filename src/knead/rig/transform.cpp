#include "knead/rig/transform.hpp"

#include <cmath>
#include <numbers>

namespace knead {
namespace {

struct CosSin {
    double cosine, sine;
};

CosSin cos_sin_of_degrees(double degrees) {
    // The remainder is exact, so a quarter turn is one, however many turns come before it.
    int quarter = 0;
    const double rest = std::remquo(degrees, 90.0, &quarter);
    const double radians = rest * std::numbers::pi / 180;
    const double c = std::cos(radians), s = std::sin(radians);
    switch (quarter & 3) {
    case 0:
        return {c, s};
    case 1:
        return {-s, c};
    case 2:
        return {-c, -s};
    default:
        return {s, -c};
    }
}

} // namespace

Mat3 rotation_from_degrees(const Vec3& degrees) {
    const auto [cx, sx] = cos_sin_of_degrees(degrees.x());
    const auto [cy, sy] = cos_sin_of_degrees(degrees.y());
    const auto [cz, sz] = cos_sin_of_degrees(degrees.z());
    Mat3 about_x, about_y, about_z;
    about_x << 1, 0, 0, 0, cx, -sx, 0, sx, cx;
    about_y << cy, 0, sy, 0, 1, 0, -sy, 0, cy;
    about_z << cz, -sz, 0, sz, cz, 0, 0, 0, 1;
    return about_z * about_y * about_x;
}

Affine3 Transform::at(double frame) const {
    Affine3 result;
    result.linear() = rotation_from_degrees(rotate.at(frame)) * scale.at(frame).asDiagonal();
    result.translation() = translate.at(frame);
    result.makeAffine();
    return result;
}

} // namespace knead
