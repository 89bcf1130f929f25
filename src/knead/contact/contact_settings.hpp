#pragma once

#include "knead/base/setting.hpp"

#include <optional>

namespace knead {

/// How points of one mesh find theirs on the other.
enum class MappingMethod {
    direction,      ///< along one direction; see `map_side`
    parametrization ///< each in its own; see `map_by_parametrization`
};

/// How the threshold of the zone looks at the depths.
enum class ZoneThreshold {
    local,  ///< at those of the contact about a place: one contact does not switch off another
    global, ///< at those of all contacts of a pair, as in [BBG21] eq. 4
};

/// What tells the contact zone from the rest of the mapping regions.
struct ZoneCriterion {
    ZoneThreshold threshold = ZoneThreshold::local;
    /// tau: more is a smaller zone. Nothing: each side's own, the one that moves more counting
    /// more.
    std::optional<double> apparent_stiffness = {};
    /// The ball test instead of the threshold; for an elastic side against a rigid one only, whose
    /// zone is then the elastic one's.
    std::optional<double> ball_radius = {};
};

namespace settings {

/// tau; without it softness decides.
constexpr Setting apparent_stiffness{"apparent_stiffness", worked_out, bounds::any};
/// Of the ball test.
constexpr Setting ball_radius{"ball_radius", worked_out, bounds::positive};

} // namespace settings

} // namespace knead
