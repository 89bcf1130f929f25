#pragma once

#include "knead/rig/keyed.hpp"

namespace knead {

/// Rotation about the fixed axes X, then Y, then Z, in degrees; exact at multiples of 90.
Mat3 rotation_from_degrees(const Vec3& degrees);

/// Where an object is: scale, then rotate, then translate.
struct Transform {
    Keyed<Vec3> translate = Vec3(0, 0, 0);
    Keyed<Vec3> rotate = Vec3(0, 0, 0); ///< degrees, see `rotation_from_degrees`
    Keyed<Vec3> scale = Vec3(1, 1, 1);

    Affine3 at(double frame) const;
    bool is_constant() const {
        return translate.is_constant() && rotate.is_constant() && scale.is_constant();
    }
};

} // namespace knead
