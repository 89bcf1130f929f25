#include "knead/contact/contact_surface.hpp"

#include <cmath>

namespace knead {

double relative_stiffness(double mine, double other) {
    if (std::isinf(mine)) return 1;
    if (std::isinf(other)) return 0;
    const double sum = mine + other;
    return sum > 0 ? mine / sum : 0.5;
}

Vec3 gradient_across(const Vec3& inward, const Vec3& normal, const Vec3& gradient) {
    const double facing = inward.dot(normal);
    if (facing == 0) return Vec3::Zero();
    const Vec3 way = gradient - inward.dot(gradient) / facing * normal;
    return way - inward.dot(way) * inward;
}

Vec3 contact_surface_normal(const Vec3& inward, double stiffness, const Vec3& normal,
                            const Vec3& other_normal, const Vec3& tilt) {
    const auto tangential = [&](const Vec3& v) { return Vec3(v - inward.dot(v) * inward); };
    const double mine = std::abs(inward.dot(normal)), others = std::abs(inward.dot(other_normal));
    const Vec3 m = stiffness * others * tangential(normal) -
                   (1 - stiffness) * mine * tangential(other_normal) -
                   mine * others * (inward + tilt);
    const double length = m.norm();
    return length > 0 ? Vec3(m / length) : Vec3(-inward);
}

} // namespace knead
