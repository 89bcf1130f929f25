#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/contact/zone_fade.hpp"
#include "knead/contact/zone_threshold.hpp"

namespace knead {

/// Memory that `find_zones` reuses from call to call.
struct ZoneWorkspace {
    std::array<std::vector<MappedPoint>, 2> mapped_border;
    std::array<std::vector<double>, 2> excess; ///< one a vertex
    std::array<ZonePresence, 2> presence;
};

/// The contact zones of both sides: what is deeper than the threshold and does not look away from
/// the mapping direction by more than 80 degrees ([BBG21] sec. 4.4). The border on an edge is found
/// by linear interpolation, then projected onto the contact surface by a ray of its own.
///
/// Where one side has too few faces to follow, the other goes its way, too.
void find_zones(const std::array<PairSide, 2>& sides, const std::array<Mapping, 2>& mappings,
                const DepthField& depths, const ZoneCriterion& criterion, ZoneWorkspace& workspace,
                std::array<ContactZone, 2>& zones);

} // namespace knead
