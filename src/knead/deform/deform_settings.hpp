#pragma once

#include "knead/bulge/bulge_settings.hpp"
#include "knead/contact/contact_settings.hpp"
#include "knead/deform/softness.hpp"

namespace knead::settings {

constexpr Setting stiffness{"stiffness", 1, bounds::not_negative};
constexpr Setting softness{"softness", default_softness, bounds::zero_to_one};
/// phi_max; without it, from the size of the contact.
constexpr Setting extent{"extent", worked_out, bounds::positive};
constexpr Setting smooth_normals{"smooth_normals", 0, bounds::not_negative};
constexpr Setting details{"details", 0, bounds::not_negative};
constexpr Setting envelope{"envelope", 1, bounds::zero_to_one};
constexpr Setting offset{"offset", 0, bounds::any};

} // namespace knead::settings
