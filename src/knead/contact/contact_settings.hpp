#pragma once

#include "knead/base/setting.hpp"

namespace knead::settings {

/// tau; without it softness decides.
constexpr Setting apparent_stiffness{"apparent_stiffness", worked_out, bounds::any};
/// Of the ball test.
constexpr Setting ball_radius{"ball_radius", worked_out, bounds::positive};

} // namespace knead::settings
