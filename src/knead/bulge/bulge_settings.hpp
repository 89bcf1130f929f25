#pragma once

#include "knead/base/setting.hpp"
#include "knead/mesh/vertex_number.hpp"

#include <span>

namespace knead {
namespace settings {

/// gamma: 0 no bulge, 1 keeps the volume, more exaggerates. Less would be a groove, and take volume
/// twice.
constexpr Setting bulge{"bulge", 1, bounds::not_negative};
/// Of a painted bulge map: the weight at a vertex.
constexpr Setting bulge_map{"bulge_map", worked_out, bounds::any};
constexpr Setting omega{"anisotropy.omega", 2, bounds::not_negative};
constexpr Setting psi{"anisotropy.psi", 0, bounds::any};
// Along the way out of the contact, 0 at the zone's border: v2 and v3 of [Bru21] ch. 5 sec. 4.1.
constexpr Setting bulge_at{"profile.bulge_at", 0.4, bounds::within_zero_to_one};
constexpr Setting end_at{"profile.end_at", 5.0 / 6, bounds::within_zero_to_one};
constexpr Setting wrinkle_amplitude{"profile.wrinkles.amplitude", 0, bounds::any};
constexpr Setting wrinkle_waves{"profile.wrinkles.waves", 4, bounds::not_negative};

} // namespace settings

/// Where the volume goes: a weight a vertex, eta, that multiplies the bulge. Only its proportions
/// matter.
struct BulgeMapSettings {
    std::span<const double> painted =
        {}; ///< one a vertex, may be negative; empty: the same everywhere
    /// Bulge in front of the contact rather than at its sides ([BBG21] sec. 7, [Bru21] eq. 5.6).
    bool anisotropic = false;
    /// How much direction counts against distance.
    VertexNumber omega = settings::omega.otherwise;
    /// Positive: some bulge behind the contact, too.
    VertexNumber psi = settings::psi.otherwise;
};

/// The profile's shape, each number of it the same everywhere or painted.
struct ProfileSettings {
    struct Wrinkles {
        VertexNumber amplitude = settings::wrinkle_amplitude.otherwise;
        VertexNumber waves = settings::wrinkle_waves.otherwise;
    };
    VertexNumber bulge_at = settings::bulge_at.otherwise;
    VertexNumber end_at = settings::end_at.otherwise;
    Wrinkles wrinkles = {};
};

/// How one mesh answers to its contacts; what the artist holds.
struct BulgeSettings {
    /// gamma: 0 no bulge, 1 keeps the volume, more exaggerates.
    VertexNumber bulge = settings::bulge.otherwise;
    ProfileSettings profile = {};
    BulgeMapSettings map = {};
};

/// How distances from the zone are found.
enum class DistanceMethod {
    heat,        ///< see `prepare_radial_field`
    steady_state ///< see `prepare_steady_state`
};

} // namespace knead
