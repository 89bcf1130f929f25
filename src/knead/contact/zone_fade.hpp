#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/spatial/point_grid.hpp"

namespace knead {

/// How much of a zone lies about a place: 0 where there is none, 1 where there are a few faces of
/// it. It changes smoothly while zones appear, merge, split and vanish.
struct ZonePresence {
    std::vector<Vec3> places;
    std::vector<double> areas; ///< seen along the mapping direction
    PointGrid grid;
    double radius = 0; ///< about a place
    double enough = 0; ///< area for 1

    double at(const Vec3& position) const;
};

/// `edge` is the mesh's own about the contact.
ZonePresence zone_presence(const ContactZone& zone, const PairSide& side, double edge);

/// Writes the zone's `fade`, `vertex_fade` and `face_fade`.
void fade_zone(const ZonePresence& presence, const PairSide& side, ContactZone& zone);

} // namespace knead
