#pragma once

#include "knead/mesh/vertex_number.hpp"
#include "knead/spatial/surface.hpp"

namespace knead {

/// One side of a pair after its displacement.
struct SettleSide {
    const Surface* surface = nullptr;
    std::span<const Vec3> normals;   ///< of the mesh before it was displaced, unit length
    Vec3 inward = Vec3::UnitY();     ///< the way this side goes when it is resolved
    VertexNumber stiffness = 1;      ///< against the other side's; infinite does not move
    VertexNumber offset = 0;         ///< below 0 with the other side's: a depth that may stay
    std::span<const double> share{}; ///< one a vertex: how much of it takes part; empty: all

    double share_at(int vertex) const { return share.empty() ? 1 : share[vertex]; }
};

/// What is known of how far the vertices of a side are from the other side: one bound a vertex, 0
/// where nothing is known. The ball about a place that just reaches the other surface has none of
/// it inside, so that one search answers for all of the mesh in that ball; what is left are the
/// vertices near the contact. It saves time, and changes no result.
struct Clearance {
    std::vector<double> at_least; ///< distance, of vertices in front of the other surface
    std::vector<int> near_face;   ///< of the other surface, that a neighbour is nearest to, or -1

    /// Nothing is known of this many vertices.
    void reset(std::size_t vertex_count);
    /// A vertex has its nearest point on `face`, this far away and from in front.
    void found(const Surface& surface, int vertex, int face, double distance);
    /// The nearest point of a vertex that is not in front.
    void found(const Surface& surface, int vertex, int face);
    /// The vertices have gone from `before` to `after`, and those of the other side by no more than
    /// `other_way`.
    void moved(std::span<const Vec3> before, std::span<const Vec3> after, double other_way);

private:
    std::vector<int> stack_;
};

/// What the zones of a pair have left inside the other side: contacts too shallow for a zone, or
/// smaller than a face, and what the profile does not reach.
///
/// Every vertex that is inside goes along its inward direction by its part of the depth, and the
/// corners of the face it is nearest to go by theirs, each as far as the farthest asks. Depths grow
/// from nothing as a vertex goes in, so nothing jumps.
///
/// Writes for each side one length a vertex, to go along its inward direction.
void settle(const std::array<SettleSide, 2>& sides, double reach,
            std::array<Clearance, 2>& clearances, std::array<std::vector<double>, 2>& ways);

/// Free way that counts as no limit, in raises: bulges hardly grow to half of it.
constexpr double most_raise = 6;

/// How far every vertex of a side can go along its `raise` before it meets the other side, in units
/// of it: its part of the way that is free, the other side having its own. `room` is lowered to
/// that.
void limit_raise(const SettleSide& side, const SettleSide& other, std::span<const Vec3> raise,
                 Clearance& clearance, std::span<double> room);

} // namespace knead
