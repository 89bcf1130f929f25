#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <array>

namespace knead {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Vec4 = Eigen::Vector4d;
using Mat3 = Eigen::Matrix3d;
using Mat4 = Eigen::Matrix4d;
using Quat = Eigen::Quaterniond;
using Affine3 = Eigen::Affine3d;

/// Three vertex indices, counter-clockwise seen from outside.
using Triangle = std::array<int, 3>;

/// Two vertex indices; where edges are listed, the smaller first.
using Edge = std::array<int, 2>;

} // namespace knead
