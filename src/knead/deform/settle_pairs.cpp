#include "knead/deform/settle_pairs.hpp"

#include "knead/base/box.hpp"
#include "knead/base/parallel.hpp"
#include "knead/deform/settle.hpp"

#include <algorithm>
#include <limits>

namespace knead {

// The two sides of a pair with their objects at the positions of the last round.
struct Settling::Pose {
    std::array<std::vector<Vec3>, 2> positions;
    std::array<std::vector<double>, 2> shares;
    std::array<Surface, 2> surfaces;
    std::array<SettleSide, 2> sides;
    std::array<Clearance, 2> clearances;
    std::array<std::vector<double>, 2> ways;

    Pose(const ResolvedPair& pair, const AllPositions& all) {
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            positions[s] = side.gather_values<Vec3>(all[side.object]);
            surfaces[s] = make_surface(side.structure, positions[s]);
            clearances[s].reset(positions[s].size());
            if (!pair.share.empty()) {
                shares[s] = gather(*side.region, pair.share);
                shares[s].resize(positions[s].size(), 0);
            }
            sides[s] = {&surfaces[s],
                        side.normals,
                        s == 0 ? pair.direction : -pair.direction,
                        side.settings.stiffness,
                        side.settings.offset,
                        shares[s]};
        }
    }

    void follow(const ResolvedPair& pair, const AllPositions& all) {
        std::array<std::vector<Vec3>, 2> next;
        std::array<double, 2> farthest{};
        for (int s = 0; s < 2; ++s) {
            next[s] = pair.sides[s]->gather_values<Vec3>(all[pair.sides[s]->object]);
            for (std::size_t v = 0; v < next[s].size(); ++v)
                farthest[s] = std::max(farthest[s], (next[s][v] - positions[s][v]).norm());
        }
        if (farthest[0] == 0 && farthest[1] == 0) return;
        for (int s = 0; s < 2; ++s) clearances[s].moved(positions[s], next[s], farthest[1 - s]);
        for (int s = 0; s < 2; ++s) {
            if (farthest[s] == 0) continue;
            positions[s] = std::move(next[s]);
            move(surfaces[s], positions[s]);
        }
    }
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

Settling::Settling(std::span<const ResolvedPair> pairs, AllPositions positions)
    : pairs_(pairs), positions_(std::move(positions)), poses_(pairs.size()) {}

Settling::~Settling() = default;

Settling::Pose& Settling::pose(std::size_t pair) {
    if (!poses_[pair]) poses_[pair] = std::make_unique<Pose>(pairs_[pair], positions_);
    return *poses_[pair];
}

void Settling::settle(std::span<const char> moves) {
    AllPositions moved = positions_;
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const ResolvedPair& pair = pairs_[p];
        if (pair.direction.isZero(0)) continue;
        Pose& at = pose(p);
        knead::settle(at.sides, pair.reach, at.clearances, at.ways);
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            if (!moves[side.object]) continue;
            const std::size_t count =
                side.region ? side.region->vertices.size() : at.ways[s].size();
            for (std::size_t v = 0; v < count; ++v)
                if (at.ways[s][v] > 0)
                    moved[side.object][side.region ? side.region->vertices[v] : v] +=
                        pair.certainty * at.ways[s][v] * at.sides[s].inward;
        }
    }
    positions_ = std::move(moved);
    for (std::size_t p = 0; p < pairs_.size(); ++p)
        if (poses_[p]) poses_[p]->follow(pairs_[p], positions_);
}

std::vector<std::vector<double>>
Settling::room_for_bulges(std::span<const CombinedDisplacement> combined) {
    std::vector<std::vector<double>> room(positions_.size());
    for (std::size_t i = 0; i < room.size(); ++i)
        room[i].assign(positions_[i].size(), std::numeric_limits<double>::infinity());
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
        double highest = 0;
        for (const Vec3& raise : combined[i].raise) highest = std::max(highest, raise.norm());
        boxes.push_back(grown(bounding_box(positions_[i]), most_raise * highest));
    }
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
        const ResolvedPair& pair = pairs_[p];
        if (!boxes[pair.sides[0]->object].overlaps(boxes[pair.sides[1]->object])) continue;
        Pose& at = pose(p);
        // Both sides at once, unless they are parts of one object.
        const std::size_t together = pair.sides[0]->object == pair.sides[1]->object ? 2 : 1;
        parallel_for(2, together, [&](std::size_t s) {
            const DeformSurface& side = *pair.sides[s];
            const std::vector<Vec3>& raise = combined[side.object].raise;
            if (raise.empty()) return;
            const auto limit = [&](std::span<const Vec3> of_side, std::span<double> of_room) {
                limit_raise(at.sides[s], at.sides[1 - s], of_side, at.clearances[s], of_room);
            };
            if (side.region) {
                std::vector<double> part = gather(*side.region, room[side.object]);
                if (!pair.share.empty()) keep_out_of_crease(at.shares[s], pair.certainty, part);
                limit(gather(*side.region, raise), part);
                scatter(*side.region, part, room[side.object]);
            } else {
                limit(raise, room[side.object]);
            }
        });
    }
    return room;
}

} // namespace knead
