#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/contact/zone_threshold.hpp"

namespace knead {

/// What tells the contact zone from the rest of the mapping regions.
struct ZoneCriterion {
    ZoneThreshold threshold = ZoneThreshold::local;
    double apparent_stiffness = 0;
    /// The ball test instead of the threshold; for an elastic side against a rigid one only, whose
    /// zone is then the elastic one's.
    std::optional<double> ball_radius;
};

/// The contact zones of both sides: what is deeper than the threshold and does not look away from
/// the mapping direction by more than 80 degrees ([BBG21] sec. 4.4). The border on an edge is found
/// by linear interpolation, then projected onto the contact surface by a ray of its own.
///
/// Where one side has too few faces to follow, the other goes its way, too. `offsets` are kept to
/// the contact surface, one a side.
void find_zones(const std::array<PairSide, 2>& sides, const std::array<Mapping, 2>& mappings,
                const DepthField& depths, const ZoneCriterion& criterion, double reach,
                const std::array<double, 2>& offsets, std::array<ContactZone, 2>& zones);

} // namespace knead
