#pragma once

#include "knead/base/box.hpp"

namespace knead {

/// A pinhole camera.
struct Camera {
    Vec3 eye = Vec3(0, 0, 5);
    Vec3 target = Vec3::Zero();
    /// Any direction that is not along the view; what it points to is up in the picture.
    Vec3 up = Vec3::UnitY();
    /// Full angle from the bottom to the top of the picture.
    double vertical_fov_degrees = 30;
};

/// The camera that sees the box as large as it can, centred, with a margin around it. It looks from
/// `azimuth` degrees about +Y (0: from +Z, 90: from +X) and `elevation` degrees above the horizon.
/// `aspect` is the picture's width over its height. An empty box is framed like a unit cube at the
/// origin. Throws InputError when a number is not finite, or aspect or field of view is out of
/// range.
Camera frame_camera(const Box& box, double azimuth, double elevation, double aspect,
                    double vertical_fov_degrees = 30);

} // namespace knead
