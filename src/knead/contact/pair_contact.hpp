#pragma once

#include "knead/contact/find_zone.hpp"
#include "knead/contact/pair_direction.hpp"

#include <optional>
#include <string>

namespace knead {

/// What `find_pair_contact` keeps from call to call; nothing in it changes a result.
struct ContactWorkspace {
    IntersectionWorkspace intersection;
    std::array<MappingWorkspace, 2> mappings;
    ZoneWorkspace zones;
    std::array<std::vector<Vec3>, 2> stiffness_gradients, offset_gradients; ///< of painted ones
};

/// What was found between two parts before either moves.
struct PairContact {
    PairDirection way; ///< none without an intersection
    /// 0 to 1, while the contact grows to a part of a face: what is smaller has no sure direction.
    double certainty = 0;
    Intersection intersection;
    std::array<Mapping, 2> mappings;
    std::array<SideDirections, 2> side_directions;
    DepthField depths;
    std::array<ContactZone, 2> zones;
    double threshold = 0;                 ///< of all depths together
    std::array<double, 2> gap{};          ///< between the zone's border and the intersection's
    std::array<double, 2> least_extent{}; ///< phi_max that resolves the contact
    double usual_extent = 0;              ///< phi_max that suits its size
    std::string note; ///< why there is no zone, or what is wrong with the mapping
};

/// Milliseconds by stage.
struct PairTimes {
    double intersect = 0, map = 0, zone = 0;
};

/// Finds where two parts touch and what of them stays in contact. False when there is no zone; the
/// note then says why, and is empty when the parts do not even intersect. Two parts of a fold
/// `share_border` (see `intersect`).
///
/// With `MappingMethod::parametrization` every point has a direction of its own. The pair's one is
/// then the mean that is left for what needs one: in which plane depths are integrated and zones
/// measured, which way to settle what is left, and where a point has next to no way to go.
bool find_pair_contact(const std::array<PairPart, 2>& parts, const ZoneCriterion& criterion,
                       MappingMethod method, const std::optional<GivenDirection>& given,
                       ContactWorkspace& workspace, PairContact& contact, PairTimes& milliseconds,
                       bool share_border = false);

} // namespace knead
