#pragma once

#include "knead/base/setting.hpp"
#include "knead/base/types.hpp"

namespace knead {
namespace settings {

constexpr Setting body_density{"body.density", 1000, bounds::positive};
constexpr Setting young{"body.young", 1e5, bounds::not_negative};
constexpr Setting poisson{
    "body.poisson", 0.4, {-1, 0.5, false, false, "a number between -1 and 0.5"}};
constexpr Setting damping{"body.damping", 0, bounds::not_negative};
constexpr Setting body_friction{"body.friction", 0.5, bounds::not_negative};
constexpr Setting thickness{"body.thickness", 1e-3, bounds::positive};
constexpr Setting cells{"body.cells", 8, {1, 1000, true, true, "a whole number from 1 to 1000"}};
constexpr Setting targets{"body.targets", 0, bounds::not_negative};
/// Of the scene, in seconds: no step is longer.
constexpr Setting step{"step", 0.01, bounds::positive};
/// That contacts keep; without it, from the finest mesh.
constexpr Setting tolerance{"tolerance", worked_out, bounds::positive};
constexpr Setting air_density{"air_density", 1.2, bounds::not_negative};

} // namespace settings

/// On Earth, in m / s^2.
inline Vec3 default_gravity() {
    return {0, -9.81, 0};
}

} // namespace knead
