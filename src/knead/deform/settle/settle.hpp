#pragma once

#include "knead/contact/direction_field.hpp"
#include "knead/mesh/vertex_number.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/surface.hpp"

#include <cmath>

namespace knead {

/// One side of a pair after its displacement.
struct SettleSide {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;        ///< of the mesh before it was displaced, unit length
    Vec3 inward = Vec3::UnitY();          ///< the way this side goes when it is resolved
    VertexNumber stiffness = 1;           ///< against the other side's; infinite does not move
    VertexNumber offset = 0;              ///< below 0 with the other side's: a depth that may stay
    std::span<const double> share{};      ///< one a vertex: how much of it takes part; empty: all
    SideDirections* directions = nullptr; ///< of vertices that have their own; else nothing

    bool is_rigid() const { return !stiffness.is_map() && std::isinf(stiffness[0]); }
    double share_at(int vertex) const { return share.empty() ? 1 : share[vertex]; }
    Vec3 inward_at(int vertex) const { return directions ? directions->inward(vertex) : inward; }
};

/// What is known of how far the vertices of a side are from the other side. The ball about a place
/// that just reaches the other surface has none of it inside, so that one search answers for all of
/// the mesh in that ball; what is left are the vertices near the contact. It saves time, and
/// changes no result.
class Clearance {
public:
    /// Nothing is known of this many vertices.
    void reset(std::size_t vertex_count);
    /// Not above 0 where nothing is known, or the vertex is not in front of the other surface.
    double at_least(std::size_t vertex) const { return known_[vertex] - other_ways_; }
    /// A face of the other surface that the vertex or a neighbour is nearest to, or -1.
    int near_face(std::size_t vertex) const { return near_face_[vertex]; }

    /// A vertex has its nearest point on `face`, this far away and from in front.
    void found(const Surface& surface, int vertex, int face, double distance);
    /// The nearest point of a vertex that is not in front.
    void found(const Surface& surface, int vertex, int face);
    /// A vertex has gone this far.
    void moved(std::size_t vertex, double way) { known_[vertex] -= way; }
    /// No vertex of the other side has gone further than this.
    void other_moved(double way) { other_ways_ += way; }

private:
    double other_ways_ = 0;     ///< together
    std::vector<double> known_; ///< and those before the vertex was found
    std::vector<int> near_face_, stack_;
};

/// How far vertices are to go along the inward direction of their side.
struct SettleWays {
    std::vector<double> lengths; ///< one a vertex
    std::vector<int> vertices;   ///< those that have one

    void reset(std::size_t vertex_count);
    /// At least as far as this.
    void ask(int vertex, double length);
};

/// A vertex inside the other side: how far, and where it is nearest to the surface.
struct InsideVertex {
    int vertex = 0;
    double depth = 0;
    double squared_distance = 0; ///< to the surface
    FacePoint nearest;
};

/// A pair while it is settled. Memory is kept.
struct SettleState {
    std::array<Clearance, 2> clearances;
    std::array<std::vector<InsideVertex>, 2> inside;
    std::array<SettleWays, 2> ways;
    std::vector<ClosestPoint> near;

    void reset(const std::array<SettleSide, 2>& sides);
};

/// What the zones of a pair have left inside the other side: contacts too shallow for a zone, or
/// smaller than a face, and what the profile does not reach.
///
/// Every vertex that is inside goes along its inward direction by its part of the depth, and the
/// corners of the face it is nearest to go by theirs, each as far as the farthest asks. Depths grow
/// from nothing as a vertex goes in, so nothing jumps.
///
/// Writes the ways of both sides.
void settle(const std::array<SettleSide, 2>& sides, double reach, SettleState& state);

/// Free way that counts as no limit, in raises: bulges hardly grow to half of it.
constexpr double most_raise = 6;

/// How far every vertex of a side can go along its `raise` before it meets the other side, in units
/// of it: its part of the way that is free, the other side having its own. `room` is lowered to
/// that, surely where that is below `asked`: what has more room than anybody asks for need not be
/// looked for.
void limit_raise(const SettleSide& side, const SettleSide& other, std::span<const Vec3> raise,
                 double asked, Clearance& clearance, std::span<double> room);

} // namespace knead
