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

/// What the zones of a pair have left inside the other side: contacts too shallow for a zone, or
/// smaller than a face, and what the profile does not reach.
///
/// Every vertex that is inside goes along its inward direction by its part of the depth, and the
/// corners of the face it is nearest to go by theirs, each as far as the farthest asks. Depths grow
/// from nothing as a vertex goes in, so nothing jumps.
///
/// Writes for each side one length a vertex, to go along its inward direction.
void settle(const std::array<SettleSide, 2>& sides, double reach,
            std::array<std::vector<double>, 2>& ways);

/// Free way that counts as no limit, in raises: bulges hardly grow to half of it.
constexpr double most_raise = 6;

/// How far every vertex of a side can go along its `raise` before it meets the other side, in units
/// of it: its part of the way that is free, the other side having its own. `room` is lowered to
/// that.
void limit_raise(const SettleSide& side, const SettleSide& other, std::span<const Vec3> raise,
                 std::span<double> room);

} // namespace knead
