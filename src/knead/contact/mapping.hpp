#pragma once

#include "knead/contact/contact_settings.hpp"
#include "knead/contact/direction_field.hpp"
#include "knead/contact/intersection.hpp"
#include "knead/mesh/vertex_number.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace knead {

/// One mesh of a pair as the stages of the contact see it.
struct PairSide {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals; ///< unit vertex normals
    Vec3 inward = Vec3::UnitY();   ///< the way this mesh goes when it is resolved
    /// How far along it something of the contact may be.
    double reach = std::numeric_limits<double>::infinity();
    VertexNumber stiffness = 1;          ///< against the other side's; infinite does not move
    VertexNumber apparent_stiffness = 0; ///< tau, where a contact does not bring one
    VertexNumber offset = 0;             ///< a gap that is kept to the contact surface
    std::span<const Vec3> stiffness_gradients = {}; ///< over the surface; empty: no map
    std::span<const Vec3> offset_gradients = {};
    /// Parameters for a mapping by parametrisation: one a vertex, not numbers where it has several
    /// or none; empty: none at all.
    std::span<const Vec2> texture_coordinates = {};
    /// Where every place has an inward direction and a reach of its own; nothing: all have the
    /// same.
    SideDirections* directions = nullptr;

    bool has_directions() const { return directions != nullptr; }
    Vec3 inward_at(int vertex) const { return directions ? directions->inward(vertex) : inward; }
    double reach_at(int vertex) const { return directions ? directions->reach(vertex) : reach; }
    /// An inward direction of this side as that of the pair, where places have their own.
    Vec3 pair_direction(const Vec3& of_side) const {
        return directions ? Vec3(directions->sign() * of_side) : of_side;
    }
    /// The mean of a face's corners.
    Vec3 inward_of(const Triangle& face) const;

    bool is_rigid() const { return !stiffness.is_map() && std::isinf(stiffness[0]); }
};

/// A point of one side, between its vertices or at one.
struct SidePoint {
    Vec3 position = Vec3::Zero();
    Vec3 normal = Vec3::UnitY(); ///< unit length
    Vec3 inward = Vec3::UnitY(); ///< unit length
    double reach = std::numeric_limits<double>::infinity();
    bool reach_fades = false; ///< what is met beyond half of the reach counts less and less
    double stiffness = 1;
    double apparent_stiffness = 0;
    double offset = 0;
    Vec3 stiffness_gradient = Vec3::Zero();
    Vec3 offset_gradient = Vec3::Zero();
};

SidePoint point_at(const PairSide& side, int vertex);
SidePoint point_at(const PairSide& side, const Edge& ends, double t);

/// kbar: the part of the way that a side does not go, from both sides' stiffness where they meet.
double relative_stiffness(double mine, double other);

/// Surfaces tilted by more than 80 degrees against the mapping direction stay out of contact zones.
const double least_facing = std::cos(80 * std::numbers::pi / 180);

/// A point of a mapping region: where it meets the other mesh, and what that means.
struct MappedPoint {
    Vec3 inward = Vec3::UnitY();      ///< the way this point goes, unit length
    Vec3 other_normal = Vec3::Zero(); ///< of the other mesh where it is met, unit length
    double gap = 0;                   ///< way along `inward` to the other mesh
    double depth =
        0; ///< the criterion of the contact zone: the gap seen along the surface's normal
    double facing = 0;                  ///< the smaller cosine of both normals with `inward`
    double relative_stiffness = 0.5;    ///< of this side; 1 does not move
    double apparent_stiffness = 0;      ///< of both sides
    double offset = 0;                  ///< a gap to keep to the contact surface
    Vec3 stiffness_tilt = Vec3::Zero(); ///< how painted stiffness tilts the contact surface
    Vec3 offset_tilt = Vec3::Zero();    ///< and how a painted offset does
};

/// The part of a mesh that can be mapped onto the other.
struct Mapping {
    CutSet region;
    std::vector<MappedPoint> of_vertex; ///< where `region.inside`
    std::vector<MappedPoint> of_edge;   ///< where the border cuts the edge
    bool own_directions = false;        ///< every point goes its own way, not all along the side's
    std::vector<char> seen;             ///< memory of `map_side`
    std::vector<int> stack;
};

/// What it means that a point meets the other mesh at `met`, a `gap` away along `inward`.
MappedPoint meet(const PairSide& other, const SidePoint& from, const FacePoint& met,
                 const Vec3& inward, double gap);

/// Maps a point of one mesh onto the other: the farthest point along its inward direction, no
/// further than its reach, where the surfaces face each other. What the direction only grazes on
/// its way counts less than what it meets before that. Nothing when there is none.
std::optional<MappedPoint> map_point(const PairSide& other, const SidePoint& from);

/// What lies between two points, evenly.
MappedPoint interpolate(const MappedPoint& a, const MappedPoint& b, double t);

/// What a mapped point becomes a short `way` further over its mesh if the other surface goes on
/// flat.
MappedPoint carried_on(const MappedPoint& from, const Vec3& way);

/// How far a vertex has gone through the other mesh on its `way`, against what is deep there or
/// long: 0 to 1. An edge may pass through the other mesh more than once: when a vertex goes in, the
/// whole way to the next crossing is inside at once, and when it goes out, outside. The border of a
/// region can be moved there by this instead.
double gone_through(double way, double deepest, double edge_length);
/// The same for a vertex outside of the other mesh, by its distance.
double gone_out(const Surface& other, const Vec3& position, double deepest, double edge_length);

/// The normal of the potential contact surface, outward for the mesh that goes `inward`. The
/// printed formula has swapped weights and a wrong sign; this one gives `normal` when the mesh is
/// rigid. `tilt` is what painted numbers add to the surface's slope: how fast its height against
/// `inward` grows, across it, because of them.
Vec3 contact_surface_normal(const Vec3& inward, double stiffness, const Vec3& normal,
                            const Vec3& other_normal, const Vec3& tilt = Vec3::Zero());

/// The mapping region of one side ([BBG21] sec. 4.2): what of its intersection part faces the other
/// mesh, and what is met from there on. It ends where the mesh leaves the other, on the contour
/// seen along the mapping direction, or where the line along it misses the other mesh. Of surfaces
/// that `share_border` all is looked at: what is inside is not sure next to that border, and what
/// comes in would bring all that is met from there at once.
void map_side(const PairSide& side, const PairSide& other, const CutSet& part, Mapping& result,
              bool share_border = false);

} // namespace knead
