#pragma once

#include "knead/contact/cut_set.hpp"
#include "knead/mesh/surface_point.hpp"

#include <algorithm>
#include <vector>

namespace knead {

/// A point of a zone's border, on an edge with one end in the zone and the other outside.
struct ZoneBorderPoint {
    EdgePoint on_edge;
    Vec3 position = Vec3::Zero();
    Vec3 target = Vec3::Zero();         ///< where it goes on the contact surface, p'
    Vec3 normal = Vec3::UnitY();        ///< of the undeformed mesh
    Vec3 target_normal = Vec3::UnitY(); ///< of the contact surface, outward for this mesh
    Vec3 outward = Vec3::UnitY();       ///< the zone's, here
};

/// The part of one mesh that stays on the contact surface of a pair.
struct ContactZone {
    /// Away from the other mesh's inside: this mesh is resolved by moving along its opposite.
    Vec3 outward = Vec3::UnitY();
    /// The same at each vertex, where a mesh that folds on itself is resolved in two directions.
    /// Empty: `outward` everywhere.
    std::vector<Vec3> outwards;
    std::vector<char> inside;        ///< one a vertex
    std::vector<Vec3> target;        ///< one a vertex; p' where `inside`
    std::vector<int> border_of_edge; ///< edge -> border point, or -1
    std::vector<ZoneBorderPoint> border;
    double area = 0; ///< on the contact surface
    /// How far a bulge may rise, 0 to 1, one a vertex; empty: 1 everywhere.
    std::vector<double> bulge_room;

    /// How far the zone has come in, 0 to 1, the same over each connected part of the mesh: a zone
    /// that has just appeared does nothing yet. One a vertex; empty: 1 everywhere.
    std::vector<double> fade;
    /// The same for a part of it, against `fade`: one zone of several may have just appeared, or
    /// begun to grow together with another. Empty: 1 everywhere.
    std::vector<double> face_fade;   ///< where a corner is inside
    std::vector<double> vertex_fade; ///< where `inside`: the largest of its faces

    const Vec3& outward_at(std::size_t vertex) const {
        return outwards.empty() ? outward : outwards[vertex];
    }
    /// Where its border passes on an edge with one end inside.
    double cut_at(int edge) const { return border[border_of_edge[edge]].on_edge.t; }
    bool empty() const { return std::find(inside.begin(), inside.end(), 1) == inside.end(); }
};

} // namespace knead
