#pragma once

#include "knead/base/box.hpp"

namespace knead {

/// From a solid's own coordinates to the world.
struct Pose {
    Mat3 turn = Mat3::Identity();
    Vec3 at = Vec3::Zero();

    Vec3 to_world(const Vec3& local) const { return turn * local + at; }
    Vec3 to_local(const Vec3& world) const { return turn.transpose() * (world - at); }
};

/// The box around a box that has been moved.
Box placed_box(const Box& box, const Pose& pose);

/// At `t` of the way.
Pose blended(const Pose& from, const Pose& to, double t);

} // namespace knead
