#pragma once

#include "knead/base/setting.hpp"

namespace knead::settings {

/// gamma: 0 no bulge, 1 keeps the volume, more exaggerates. Less would be a groove, and take volume
/// twice.
constexpr Setting bulge{"bulge", 1, bounds::not_negative};
constexpr Setting omega{"anisotropy.omega", 2, bounds::not_negative};
constexpr Setting psi{"anisotropy.psi", 0, bounds::any};
// Along the way out of the contact, 0 at the zone's border: v2 and v3 of [Bru21] ch. 5 sec. 4.1.
constexpr Setting bulge_at{"profile.bulge_at", 0.4, bounds::within_zero_to_one};
constexpr Setting end_at{"profile.end_at", 5.0 / 6, bounds::within_zero_to_one};
constexpr Setting wrinkle_amplitude{"profile.wrinkles.amplitude", 0, bounds::any};
constexpr Setting wrinkle_waves{"profile.wrinkles.waves", 4, bounds::not_negative};

} // namespace knead::settings
