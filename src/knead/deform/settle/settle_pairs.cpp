#include "knead/deform/settle/settle_pairs.hpp"

#include "knead/base/box.hpp"
#include "knead/base/parallel.hpp"
#include "knead/deform/settle/settle.hpp"

#include <algorithm>
#include <limits>

namespace knead {

// An object or a part of it at the positions of the last round.
struct Settling::PosedSide {
    const DeformSurface* side = nullptr;
    std::vector<Vec3> part_positions, before; ///< of a part, now and a round ago
    Surface own;
    const Surface* surface = nullptr; ///< its own, or the side's while that is where it was
    double farthest = 0;              ///< that a vertex has gone in the last round

    void take(const DeformSurface& from, const AllPositions& all, bool has_left) {
        side = &from;
        surface = has_left || !from.is_posed ? &own : &from.surface;
        if (surface != &own) return;
        own.structure = from.structure;
        if (from.region) from.gather_values<Vec3>(all[from.object], part_positions);
        move(own, from.region ? std::span<const Vec3>(part_positions) : all[from.object]);
    }
};

struct Settling::PosedPair {
    bool is_made = false;
    std::array<PosedSide*, 2> posed{};
    std::array<std::vector<double>, 2> shares;
    std::array<SideDirections, 2> directions;
    std::array<SettleSide, 2> sides;
    SettleState state;
};

namespace {

// Nor does the bulge of another contact rise in a crease, where nothing is settled.
void keep_out_of_crease(std::span<const double> clear, double certainty, std::span<double> room) {
    for (std::size_t v = 0; v < room.size(); ++v) {
        const double in_crease = certainty * (1 - clear[v]);
        if (in_crease > 0) room[v] = std::min(room[v], most_raise * (1 - in_crease) / in_crease);
    }
}

} // namespace

Settling::Settling() = default;
Settling::~Settling() = default;

void Settling::begin(std::span<const ResolvedPair> pairs, std::span<const char> has_left) {
    pairs_ = pairs;
    has_left_ = has_left;
    side_count_ = 0;
    while (posed_.size() < pairs.size()) posed_.push_back(std::make_unique<PosedPair>());
    for (const auto& posed : posed_) posed->is_made = false;
    moved_.resize(positions_.size());
    has_moved_.resize(positions_.size());
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        moved_[i].clear();
        has_moved_[i].assign(positions_[i].size(), 0);
    }
}

Settling::PosedSide& Settling::pose(const DeformSurface& side) {
    for (std::size_t i = 0; i < side_count_; ++i)
        if (sides_[i]->side == &side) return *sides_[i];
    if (side_count_ == sides_.size()) sides_.push_back(std::make_unique<PosedSide>());
    sides_[side_count_]->take(side, positions_, has_left_.empty() || has_left_[side.object]);
    return *sides_[side_count_++];
}

Settling::PosedPair& Settling::pose(std::size_t p) {
    PosedPair& posed = *posed_[p];
    if (posed.is_made) return posed;
    posed.is_made = true;
    const ResolvedPair& pair = pairs_[p];
    for (int s = 0; s < 2; ++s) {
        const DeformSurface& side = *pair.sides[s];
        posed.posed[s] = &pose(side);
        const Surface& surface = *posed.posed[s]->surface;
        if (pair.way.places)
            posed.directions[s].begin(pair.way.places->field, s, side.surface.positions,
                                      pair.way.places->depth[s]);
        posed.shares[s].clear();
        if (!pair.share.empty()) {
            posed.shares[s] = gather(*side.region, pair.share);
            posed.shares[s].resize(surface.positions.size(), 0);
        }
        posed.sides[s] = {&surface,
                          side.normals,
                          s == 0 ? pair.way.direction : -pair.way.direction,
                          side.settings.stiffness,
                          side.settings.offset,
                          posed.shares[s],
                          pair.way.places ? &posed.directions[s] : nullptr};
    }
    posed.state.reset(posed.sides);
    return posed;
}

void Settling::settle(std::span<const char> moves) {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        if (!pairs_[p].way.is_found()) continue;
        PosedPair& posed = pose(p);
        knead::settle(posed.sides, pairs_[p].way.reach, posed.state);
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const ResolvedPair& pair = pairs_[p];
        if (!pair.way.is_found()) continue;
        const PosedPair& posed = *posed_[p];
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            if (!moves[side.object]) continue;
            const SettleWays& ways = posed.state.ways[s];
            for (const int v : ways.vertices) {
                // A crease follows its object.
                if (side.region && v >= side.region->vertex_count()) continue;
                const int of_object = side.region ? side.region->vertices[v] : v;
                Vec3& position = positions_[side.object][of_object];
                if (!has_moved_[side.object][of_object]) {
                    has_moved_[side.object][of_object] = 1;
                    moved_[side.object].emplace_back(of_object, position);
                }
                position += pair.certainty * ways.lengths[v] * posed.sides[s].inward_at(v);
            }
        }
    }
    follow();
}

// Brings everything to the positions that the last round has come to.
void Settling::follow() {
    for (std::size_t i = 0; i < side_count_; ++i) {
        PosedSide& posed = *sides_[i];
        const DeformSurface& side = *posed.side;
        const std::vector<Vec3>& positions = positions_[side.object];
        posed.farthest = 0;
        if (moved_[side.object].empty()) continue;
        if (side.region) {
            posed.before.swap(posed.part_positions);
            side.gather_values<Vec3>(positions, posed.part_positions);
            for (std::size_t v = 0; v < posed.before.size(); ++v)
                posed.farthest =
                    std::max(posed.farthest, (posed.part_positions[v] - posed.before[v]).norm());
            move(posed.own, posed.part_positions);
        } else {
            for (const auto& [v, before] : moved_[side.object])
                posed.farthest = std::max(posed.farthest, (positions[v] - before).norm());
            move(posed.own, positions);
        }
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        PosedPair& posed = *posed_[p];
        if (!posed.is_made) continue;
        for (int s = 0; s < 2; ++s) {
            Clearance& clearance = posed.state.clearances[s];
            const PosedSide& mine = *posed.posed[s];
            clearance.other_moved(posed.posed[1 - s]->farthest);
            if (mine.farthest == 0) continue;
            if (mine.side->region)
                for (std::size_t v = 0; v < mine.before.size(); ++v)
                    clearance.moved(v, (mine.part_positions[v] - mine.before[v]).norm());
            else
                for (const auto& [v, before] : moved_[mine.side->object])
                    clearance.moved(v, (positions_[mine.side->object][v] - before).norm());
        }
    }
    for (std::size_t i = 0; i < moved_.size(); ++i) {
        for (const auto& [v, before] : moved_[i]) has_moved_[i][v] = 0;
        moved_[i].clear();
    }
}

const std::vector<std::vector<double>>&
Settling::room_for_bulges(std::span<const CombinedDisplacement> combined, double asked) {
    room_.resize(positions_.size());
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        room_[i].assign(positions_[i].size(), std::numeric_limits<double>::infinity());
        double highest = 0;
        for (const Vec3& raise : combined[i].raise) highest = std::max(highest, raise.norm());
        boxes.push_back(grown(bounding_box(positions_[i]), most_raise * highest));
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const ResolvedPair& pair = pairs_[p];
        if (!boxes[pair.sides[0]->object].overlaps(boxes[pair.sides[1]->object])) continue;
        PosedPair& posed = pose(p);
        // Both sides at once, unless they are parts of one object.
        const std::size_t together = pair.sides[0]->object == pair.sides[1]->object ? 2 : 1;
        parallel_for(2, together, [&](std::size_t s) {
            const DeformSurface& side = *pair.sides[s];
            const std::vector<Vec3>& raise = combined[side.object].raise;
            if (raise.empty()) return;
            const auto limit = [&](std::span<const Vec3> of_side, std::span<double> of_room) {
                limit_raise(posed.sides[s], posed.sides[1 - s], of_side, asked,
                            posed.state.clearances[s], of_room);
            };
            if (side.region) {
                std::vector<double> part = gather(*side.region, room_[side.object]);
                if (!pair.share.empty()) keep_out_of_crease(posed.shares[s], pair.certainty, part);
                limit(gather(*side.region, raise), part);
                scatter(*side.region, part, room_[side.object]);
            } else {
                limit(raise, room_[side.object]);
            }
        });
    }
    return room_;
}

} // namespace knead
