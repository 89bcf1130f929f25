#pragma once

#include "knead/contact/intersection.hpp"

#include <cmath>
#include <numbers>
#include <optional>

namespace knead {

/// One mesh of a pair as the stages of the contact see it.
struct PairSide {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;   ///< unit vertex normals
    Vec3 inward = Vec3::UnitY();     ///< the way this mesh goes when it is resolved
    double relative_stiffness = 0.5; ///< kbar: 1 does not move
};

/// Surfaces tilted by more than 80 degrees against the mapping direction stay out of contact zones.
const double least_facing = std::cos(80 * std::numbers::pi / 180);

/// A point of a mapping region: where it meets the other mesh, and what that means.
struct MappedPoint {
    Vec3 other_normal = Vec3::Zero(); ///< of the other mesh where it is met, unit length
    double gap = 0;                   ///< way along `inward` to the other mesh
    double depth =
        0; ///< the criterion of the contact zone: the gap seen along the surface's normal
    double facing = 0; ///< the smaller cosine of both normals with the mapping direction
};

/// The part of a mesh that can be mapped onto the other.
struct Mapping {
    CutSet region;
    std::vector<MappedPoint> of_vertex; ///< where `region.inside`
    std::vector<MappedPoint> of_edge;   ///< where the border cuts the edge
};

/// Maps a point of one mesh onto the other: the farthest point along its inward direction, no
/// further than `reach`, where the surfaces face each other. Nothing when there is none.
std::optional<MappedPoint> map_point(const PairSide& side, const PairSide& other,
                                     const Vec3& position, const Vec3& normal, double reach);

/// What a mapped point becomes a short `way` further over its mesh if the other surface goes on
/// flat.
MappedPoint carried_on(const MappedPoint& from, const Vec3& way, const Vec3& inward);

/// The normal of the potential contact surface, outward for the mesh that goes `inward`. The
/// printed formula has swapped weights and a wrong sign; this one gives `normal` when the mesh is
/// rigid.
Vec3 contact_surface_normal(const Vec3& inward, double stiffness, const Vec3& normal,
                            const Vec3& other_normal);

/// The mapping region of one side ([BBG21] sec. 4.2): what of its intersection part faces the other
/// mesh, and what is met from there on. It ends where the mesh leaves the other, on the contour
/// seen along the mapping direction, or where the line along it misses the other mesh.
void map_side(const PairSide& side, const PairSide& other, const CutSet& part, double reach,
              Mapping& result);

} // namespace knead
