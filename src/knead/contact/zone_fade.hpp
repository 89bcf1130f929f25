#pragma once

#include "knead/contact/contact_zone.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/spatial/point_grid.hpp"

namespace knead {

/// How much of a zone lies about a place: 0 where there is none, 1 where there are a few faces of
/// it. It changes smoothly while zones appear, merge, split and vanish.
struct ZonePresence {
    struct Sample {
        double area = 0; ///< seen along the mapping direction
        int component = 0;
    };
    std::vector<Vec3> places;
    std::vector<Sample> samples; ///< one a place
    PointGrid grid;
    double radius = 0; ///< about a place
    double enough = 0; ///< area for 1

    std::vector<int> component_of_vertex; ///< connected parts of the zone; -1 outside
    int component_count = 0;
    /// A component and how near it is: 1 when it is about to merge, 0 (and left out) when it is
    /// not.
    struct Neighbour {
        int component = 0;
        double nearness = 0;
    };
    std::vector<std::vector<Neighbour>> neighbours; ///< one list a component, without itself

    /// As of no zone.
    void clear();

    /// Of all components.
    double at(const Vec3& position) const;
    /// As far as they belong to one of them.
    double at(const Vec3& position, int component) const;
};

/// `edge` is the mesh's own about the contact. The result keeps its memory.
void find_presence(const ContactZone& zone, const PairSide& side, double edge,
                   ZonePresence& result);

/// Writes the zone's `fade`, `vertex_fade` and `face_fade`.
void fade_zone(const ZonePresence& presence, const PairSide& side, ContactZone& zone);

} // namespace knead
