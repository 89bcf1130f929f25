#pragma once

#include "knead/contact/direction_field.hpp"
#include "knead/mesh/vertex_number.hpp"
#include "knead/spatial/surface.hpp"

#include <cmath>
#include <limits>

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
    /// It is a side of a fold: cut out of a surface, and open at the crease.
    bool is_cut_out = false;

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

} // namespace knead
