#pragma once

#include "knead/base/types.hpp"

#include <limits>
#include <span>

namespace knead {

/// Axis-aligned box. The default box is empty: lower > upper, and it grows by `include`.
struct Box {
    Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
    Vec3 upper = Vec3::Constant(-std::numeric_limits<double>::infinity());

    bool empty() const { return (lower.array() > upper.array()).any(); }
    void include(const Vec3& point) {
        lower = lower.cwiseMin(point);
        upper = upper.cwiseMax(point);
    }
    void include(const Box& other) {
        lower = lower.cwiseMin(other.lower);
        upper = upper.cwiseMax(other.upper);
    }
    Vec3 center() const { return 0.5 * (lower + upper); }
    Vec3 size() const { return empty() ? Vec3(Vec3::Zero()) : Vec3(upper - lower); }
    double diagonal() const { return size().norm(); }
    bool contains(const Vec3& point) const {
        return (lower.array() <= point.array()).all() && (point.array() <= upper.array()).all();
    }
    bool overlaps(const Box& other) const {
        return (lower.array() <= other.upper.array()).all() &&
               (other.lower.array() <= upper.array()).all();
    }
};

/// On all sides.
inline Box grown(Box box, double by) {
    box.lower.array() -= by;
    box.upper.array() += by;
    return box;
}

inline Box bounding_box(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& point : points) box.include(point);
    return box;
}

} // namespace knead
