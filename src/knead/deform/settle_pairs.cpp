#include "knead/deform/settle_pairs.hpp"

#include "knead/base/box.hpp"
#include "knead/deform/settle.hpp"

#include <algorithm>
#include <limits>

namespace knead {
namespace {

// The two sides of a pair with their objects at `positions`, one list an object.
struct SettlePose {
    std::array<std::vector<Vec3>, 2> positions;
    std::array<std::vector<double>, 2> shares;
    std::array<Surface, 2> surfaces;
    std::array<SettleSide, 2> sides;

    SettlePose(const ResolvedPair& pair, std::span<const std::vector<Vec3>> all_positions) {
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            positions[s] = side.gather_values<Vec3>(all_positions[side.object]);
            surfaces[s] = make_surface(side.structure, positions[s]);
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
    SettlePose(const SettlePose&) = delete;
    SettlePose& operator=(const SettlePose&) = delete;
};

} // namespace

void settle_pairs(std::span<const ResolvedPair> pairs, std::vector<std::vector<Vec3>>& positions,
                  std::span<const char> moves) {
    std::vector<std::vector<Vec3>> moved = positions;
    for (const ResolvedPair& pair : pairs) {
        if (pair.direction.isZero(0)) continue;
        const SettlePose pose(pair, positions);
        std::array<std::vector<double>, 2> ways;
        settle(pose.sides, pair.reach, ways);
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            if (!moves[side.object]) continue;
            const std::size_t count = side.region ? side.region->vertices.size() : ways[s].size();
            for (std::size_t v = 0; v < count; ++v)
                moved[side.object][side.region ? side.region->vertices[v] : v] +=
                    pair.certainty * ways[s][v] * pose.sides[s].inward;
        }
    }
    positions = std::move(moved);
}

std::vector<std::vector<double>> room_for_bulges(std::span<const ResolvedPair> pairs,
                                                 std::span<const std::vector<Vec3>> positions,
                                                 std::span<const CombinedDisplacement> combined) {
    std::vector<std::vector<double>> room(positions.size());
    for (std::size_t i = 0; i < room.size(); ++i)
        room[i].assign(positions[i].size(), std::numeric_limits<double>::infinity());
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < positions.size(); ++i) {
        double highest = 0;
        for (const Vec3& raise : combined[i].raise) highest = std::max(highest, raise.norm());
        Box& box = boxes.emplace_back(bounding_box(positions[i]));
        box.lower.array() -= most_raise * highest;
        box.upper.array() += most_raise * highest;
    }
    for (const ResolvedPair& pair : pairs) {
        if (!boxes[pair.sides[0]->object].overlaps(boxes[pair.sides[1]->object])) continue;
        const SettlePose pose(pair, positions);
        for (int s = 0; s < 2; ++s) {
            const DeformSurface& side = *pair.sides[s];
            const std::vector<Vec3>& raise = combined[side.object].raise;
            if (raise.empty()) continue;
            if (side.region) {
                std::vector<double> part = gather(*side.region, room[side.object]);
                limit_raise(pose.sides[s], pose.sides[1 - s], gather(*side.region, raise), part);
                scatter(*side.region, part, room[side.object]);
            } else {
                limit_raise(pose.sides[s], pose.sides[1 - s], raise, room[side.object]);
            }
        }
    }
    return room;
}

} // namespace knead
