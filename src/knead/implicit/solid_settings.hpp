#pragma once

#include "knead/base/setting.hpp"

namespace knead::settings {

constexpr Setting field_radius{"field.radius", worked_out, bounds::positive};
/// Without it twice the radius.
constexpr Setting field_influence{"field.influence", worked_out, bounds::positive};
constexpr Setting field_stiffness{"field.stiffness", worked_out, bounds::positive};
/// w; without it the smallest radius.
constexpr Setting propagation_width{"propagation.width", worked_out, bounds::not_negative};
/// alpha.
constexpr Setting attenuation{"propagation.attenuation", 0.3, bounds::not_negative};
constexpr Setting compressibility{"propagation.compressibility", worked_out, bounds::zero_to_one};
constexpr Setting solid_density{"density", 0.01, bounds::positive};
/// lambda.
constexpr Setting drag{"drag", 0.7, bounds::not_negative};
constexpr Setting solid_friction{"friction", 0, bounds::not_negative};
constexpr Setting samples{
    "samples", 3000, {50, 1e6, true, true, "a whole number from 50 to 1000000"}};

} // namespace knead::settings
