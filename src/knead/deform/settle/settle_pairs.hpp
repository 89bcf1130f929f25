#pragma once

#include "knead/bulge/combine_displacements.hpp"
#include "knead/deform/object/all_positions.hpp"
#include "knead/deform/object/resolved_pair.hpp"

#include <memory>

namespace knead {

/// Resolves what the zones have left, and finds what room is left to bulges. Keeps what it has
/// found out about distances from one round to the next, and memory from frame to frame.
class Settling {
public:
    Settling();
    ~Settling();
    Settling(const Settling&) = delete;
    Settling& operator=(const Settling&) = delete;

    /// Of these pairs, which must live as long as they are settled, from the `positions()` that the
    /// caller has filled in. Objects without `has_left`, one an object, are where their pairs'
    /// sides are and stay there; empty: all have.
    void begin(std::span<const ResolvedPair> pairs, std::span<const char> has_left = {});
    /// All pairs start from the same state; only objects with `moves` set are moved.
    void settle(std::span<const char> moves);
    /// How far the bulges of each object have room against what they touch, surely where that is
    /// below `asked`.
    const std::vector<std::vector<double>>&
    room_for_bulges(std::span<const CombinedDisplacement> combined, double asked);

    /// One list an object. Sides look at them: they keep their place from `begin` on.
    AllPositions& positions() { return positions_; }

private:
    struct PosedSide;
    struct PosedPair;
    PosedSide& pose(const DeformSurface& side);
    PosedPair& pose(std::size_t pair);
    void follow();

    std::span<const ResolvedPair> pairs_;
    std::span<const char> has_left_; ///< one an object: is elsewhere than its sides; or empty
    AllPositions positions_;
    std::vector<std::unique_ptr<PosedSide>> sides_; ///< each once, however many pairs it is in
    std::size_t side_count_ = 0;                    ///< of them are of this frame
    std::vector<std::unique_ptr<PosedPair>> posed_; ///< one a pair, where made
    /// Of each object, in the last round: vertices that have moved, and where they were.
    std::vector<std::vector<std::pair<int, Vec3>>> moved_;
    std::vector<std::vector<char>> has_moved_; ///< one a vertex, 0 between rounds
    std::vector<std::vector<double>> room_;
};

} // namespace knead
