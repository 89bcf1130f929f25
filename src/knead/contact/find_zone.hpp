#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/contact/mapping.hpp"

namespace knead {

/// Mean and deviation of the depth over the potential contact surface.
struct DepthStatistics {
    double mean = 0;
    double deviation = 0;
};

/// Integrals over both mapping regions, cut at their exact borders and measured in area projected
/// along the mapping direction: the choice in which both sides count the same.
DepthStatistics depth_statistics(const std::array<PairSide, 2>& sides,
                                 const std::array<Mapping, 2>& mappings);

/// The threshold of the symmetric criterion, never negative ([BBG21] eq. 4).
double zone_threshold(const DepthStatistics& statistics, double apparent_stiffness);

/// The contact zone of one side: what is deeper than the threshold and does not look away from the
/// mapping direction by more than 80 degrees ([BBG21] sec. 4.4). The border on an edge is found by
/// linear interpolation, then projected onto the contact surface by a ray of its own. `offset` is
/// kept to that surface.
void find_zone(const PairSide& side, const PairSide& other, const Mapping& mapping,
               double threshold, double reach, double offset, ContactZone& zone);

} // namespace knead
