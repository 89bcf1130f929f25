#include "knead/contact/mapped_point.hpp"

#include "knead/contact/fades.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The contact surface lies between both sides at their relative stiffness. Where that changes, the
// surface is tilted against one at a constant part of the way.
Vec3 stiffness_tilt(const PairSide& other, const SidePoint& from, double others,
                    const FacePoint& met, const MappedPoint& point) {
    const double sum = from.stiffness + others;
    if (!std::isfinite(sum) || !(sum > 0)) return Vec3::Zero();
    Vec3 gradient = others * gradient_across(point.inward, from.normal, from.stiffness_gradient);
    if (!other.stiffness_gradients.empty())
        gradient -= from.stiffness * gradient_across(point.inward, point.other_normal,
                                                     interpolate<Vec3>(met, other.surface->faces(),
                                                                       other.stiffness_gradients));
    return point.gap * gradient / (sum * sum);
}

} // namespace

MappedPoint meet(const PairSide& other, const SidePoint& from, const FacePoint& met,
                 const Vec3& inward, double gap) {
    const std::span<const Triangle> faces = other.surface->faces();
    MappedPoint point;
    point.inward = inward;
    point.other_normal = interpolate<Vec3>(met, faces, other.normals).normalized();
    point.gap = gap;
    const double others = other.stiffness.at(met, faces);
    point.relative_stiffness = relative_stiffness(from.stiffness, others);
    point.stiffness_tilt = stiffness_tilt(other, from, others, met, point);
    // What moves more has more to say about how it looks.
    point.apparent_stiffness = (1 - point.relative_stiffness) * from.apparent_stiffness +
                               point.relative_stiffness * other.apparent_stiffness.at(met, faces);
    point.offset = from.offset;
    point.offset_tilt = -gradient_across(inward, from.normal, from.offset_gradient);
    // A rigid object's gap is kept by the other.
    if (std::isinf(others)) {
        point.offset += other.offset.at(met, faces);
        if (!other.offset_gradients.empty())
            point.offset_tilt -= gradient_across(
                inward, point.other_normal, interpolate<Vec3>(met, faces, other.offset_gradients));
    }
    const Vec3 surface_normal = contact_surface_normal(
        inward, point.relative_stiffness, from.normal, point.other_normal, point.stiffness_tilt);
    point.facing = std::min(-inward.dot(from.normal), inward.dot(point.other_normal));
    // Towards a contour no depth is left.
    point.depth = -gap * inward.dot(surface_normal) * fades::contour(point.facing / least_facing);
    return point;
}

MappedPoint interpolate(const MappedPoint& a, const MappedPoint& b, double t) {
    MappedPoint point;
    point.inward = ((1 - t) * a.inward + t * b.inward).normalized();
    point.other_normal = ((1 - t) * a.other_normal + t * b.other_normal).normalized();
    point.gap = (1 - t) * a.gap + t * b.gap;
    point.depth = (1 - t) * a.depth + t * b.depth;
    point.facing = (1 - t) * a.facing + t * b.facing;
    point.relative_stiffness = (1 - t) * a.relative_stiffness + t * b.relative_stiffness;
    point.apparent_stiffness = (1 - t) * a.apparent_stiffness + t * b.apparent_stiffness;
    point.offset = (1 - t) * a.offset + t * b.offset;
    point.stiffness_tilt = (1 - t) * a.stiffness_tilt + t * b.stiffness_tilt;
    point.offset_tilt = (1 - t) * a.offset_tilt + t * b.offset_tilt;
    return point;
}

MappedPoint carried_on(const MappedPoint& from, const Vec3& way) {
    MappedPoint point = from;
    const double slope =
        from.other_normal.dot(way) / std::max(from.other_normal.dot(from.inward), least_facing);
    point.gap = std::clamp(from.gap - slope, 0.0, 2 * from.gap);
    if (from.gap > 0) point.depth *= point.gap / from.gap;
    return point;
}

} // namespace knead
