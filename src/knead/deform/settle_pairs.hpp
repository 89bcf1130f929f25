#pragma once

#include "knead/deform/deform_surface.hpp"

#include <memory>

namespace knead {

/// A pair after its zones, to be settled.
struct ResolvedPair {
    std::array<DeformSurface*, 2> sides{};
    Vec3 direction = Vec3::Zero(); ///< zero when the objects do not intersect
    double reach = 0;
    double certainty = 0;
    /// Of a fold, one a vertex of the object: how much of what is asked for is done there. In the
    /// crease the nearest point of the other side is anywhere. Empty: all.
    std::vector<double> share;
};

/// Resolves what the zones have left, and finds what room is left to bulges. Keeps what it has
/// found out about distances from one round to the next.
class Settling {
public:
    /// `positions` are one list an object.
    Settling(std::span<const ResolvedPair> pairs, AllPositions positions);
    ~Settling();
    Settling(const Settling&) = delete;
    Settling& operator=(const Settling&) = delete;

    /// All pairs start from the same state; only objects with `moves` set are moved.
    void settle(std::span<const char> moves);
    /// How far the bulges of each object have room against what they touch.
    std::vector<std::vector<double>>
    room_for_bulges(std::span<const CombinedDisplacement> combined);

    AllPositions& positions() { return positions_; }

private:
    struct Pose;
    Pose& pose(std::size_t pair);

    std::span<const ResolvedPair> pairs_;
    AllPositions positions_;
    std::vector<std::unique_ptr<Pose>> poses_; ///< one a pair, made when first needed
};

} // namespace knead
