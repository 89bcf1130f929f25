#pragma once

#include "knead/contact/find_zone.hpp"

#include <memory>
#include <optional>
#include <string>

namespace knead {

/// Directions of a pair that goes round: lives as long as anybody looks directions up in it.
struct PairDirections {
    DirectionField field;
    std::array<std::vector<double>, 2> depth; ///< one a vertex, inside the other part
};

/// One side of a pair in one frame.
struct PairPart {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;
    double edge = 0;            ///< mean length of the mesh
    VertexNumber stiffness = 1; ///< against the other part's; infinite does not move
    VertexNumber apparent_stiffness = 0;
    VertexNumber offset = 0;
    std::span<const Vec2> texture_coordinates = {};
};

/// What was found between two parts before either moves; memory is kept from call to call.
struct PairContact {
    Vec3 direction = Vec3::Zero(); ///< in which the first part is resolved; zero: no intersection
    /// Where one direction cannot do; nothing: all go along the one above.
    std::shared_ptr<const PairDirections> directions;
    double reach = 0; ///< how far along it something of the contact may be
    /// 0 to 1, while the contact grows to a part of a face: what is smaller has no sure direction.
    double certainty = 0;
    Intersection intersection;
    std::array<Mapping, 2> mappings;
    std::array<SideDirections, 2> side_directions;
    DepthField depths;
    ZoneWorkspace for_zones;
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
                       MappingMethod method, const std::optional<Vec3>& direction,
                       IntersectionWorkspace& workspace, PairContact& contact,
                       PairTimes& milliseconds, bool share_border = false);

} // namespace knead
