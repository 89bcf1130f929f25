#include "knead/deform/settle/settle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "pair.hpp"

namespace knead {
namespace {

// A small box, or another thing 0.4 high, with its bottom `depth` below a floor of a few large
// faces at y = 0.
struct BoxOnFloor {
    TriangleMesh box, floor = make_grid({4, 4}, {3, 3});
    std::vector<Vec3> box_normals, floor_normals;
    Surface box_surface, floor_surface;

    explicit BoxOnFloor(double depth, TriangleMesh thing = make_box({0.4, 0.4, 0.4}, {4, 4, 4}))
        : box(std::move(thing)) {
        for (Vec3& p : box.positions) p += Vec3(0.1, 0.2 - depth, 0.05);
        box_normals = vertex_normals(box.positions, box.faces);
        floor_normals = vertex_normals(floor.positions, floor.faces);
        box_surface = make_surface(box);
        floor_surface = make_surface(floor);
    }
    std::array<SettleSide, 2> sides(double box_stiffness) const {
        return {SettleSide{&box_surface, box_normals, Vec3::UnitY(), box_stiffness},
                SettleSide{&floor_surface, floor_normals, -Vec3::UnitY(), 1 - box_stiffness}};
    }
};

std::array<std::vector<double>, 2> settled(const std::array<SettleSide, 2>& sides) {
    SettleState state;
    state.reset(sides);
    settle(sides, 1, state);
    return {state.ways[0].lengths, state.ways[1].lengths};
}

TEST(Settle, BothSidesTogetherGoAllTheWay) {
    const BoxOnFloor scene(0.05);
    for (const double stiffness : {0.0, 0.3, 1.0}) {
        const auto ways = settled(scene.sides(stiffness));
        BoxOnFloor after = scene;
        for (std::size_t v = 0; v < ways[0].size(); ++v) after.box.positions[v].y() += ways[0][v];
        for (std::size_t v = 0; v < ways[1].size(); ++v) after.floor.positions[v].y() -= ways[1][v];
        EXPECT_LT(measure_penetration(after.box, after.floor).depth, 1e-12) << stiffness;
        if (stiffness == 0) {
            EXPECT_EQ(ways[1], std::vector<double>(ways[1].size(), 0.0));
        }
        if (stiffness == 1) {
            EXPECT_EQ(ways[0], std::vector<double>(ways[0].size(), 0.0));
        }
    }
}

// What is known from the round before saves searches, and changes not a bit: against a closed ball
// and an open floor, half the way settled.
TEST(Settle, WhatIsKnownOfDistancesChangesNothing) {
    BoxOnFloor scene(0.05, make_sphere(0.2, 3));
    SettleState kept;
    kept.reset(scene.sides(0.3));
    settle(scene.sides(0.3), 1, kept);
    int known = 0;
    for (std::size_t v = 0; v < scene.box.positions.size(); ++v)
        known += kept.clearances[0].at_least(v) > 0;
    EXPECT_GT(known, 10);
    for (int s = 0; s < 2; ++s) {
        double farthest = 0;
        for (const int v : kept.ways[s].vertices) {
            const double way = 0.5 * kept.ways[s].lengths[v];
            (s == 0 ? scene.box : scene.floor).positions[v].y() += s == 0 ? way : -way;
            kept.clearances[s].moved(v, way);
            farthest = std::max(farthest, way);
        }
        kept.clearances[1 - s].other_moved(farthest);
    }
    scene.box_surface = make_surface(scene.box);
    scene.floor_surface = make_surface(scene.floor);
    settle(scene.sides(0.3), 1, kept);
    const std::array ways = {kept.ways[0].lengths, kept.ways[1].lengths};
    EXPECT_EQ(ways, settled(scene.sides(0.3)));
    EXPECT_GT(*std::max_element(ways[0].begin(), ways[0].end()), 0.001);
}

// A stiff grain in the middle of a soft plate pushes both of its walls, not first the one and then,
// a hair further on, the other.
TEST(Settle, WhatIsBetweenTwoWallsPushesBoth) {
    const auto pushed = [](double x) {
        TriangleMesh grain = make_box({0.002, 0.002, 0.002}, {1, 1, 1});
        const TriangleMesh plate = make_box({0.4, 2, 2}, {2, 8, 8});
        for (Vec3& p : grain.positions) p += Vec3(x, 0.07, 0.04);
        const auto grain_normals = vertex_normals(grain.positions, grain.faces),
                   plate_normals = vertex_normals(plate.positions, plate.faces);
        const Surface grain_surface = make_surface(grain), plate_surface = make_surface(plate);
        return settled({SettleSide{&grain_surface, grain_normals, Vec3::UnitX(), 1},
                        SettleSide{&plate_surface, plate_normals, -Vec3::UnitX(), 0}})[1];
    };
    const std::vector<double> before = pushed(-1e-6), after = pushed(1e-6);
    double farthest = 0, jump = 0;
    for (std::size_t v = 0; v < before.size(); ++v) {
        farthest = std::max(farthest, before[v]);
        jump = std::max(jump, std::abs(after[v] - before[v]));
    }
    EXPECT_GT(farthest, 0.15);
    EXPECT_LT(jump, 1e-4);
}

TEST(Settle, LeavesWhatIsToleratedAndWhatIsOutside) {
    const BoxOnFloor tolerated(0.05);
    std::array<SettleSide, 2> sides = tolerated.sides(0);
    sides[0].offset = -0.02;
    sides[1].offset = -0.03 - 1e-9;
    auto ways = settled(sides);
    EXPECT_EQ(ways[0], std::vector<double>(ways[0].size(), 0.0));
    const BoxOnFloor outside(-0.01);
    ways = settled(outside.sides(0.5));
    for (const auto& side : ways) EXPECT_EQ(side, std::vector<double>(side.size(), 0.0));
}

TEST(Settle, ABulgeHasItsPartOfTheFreeWay) {
    const BoxOnFloor scene(-0.05);
    const std::vector<Vec3> raise(scene.box.positions.size(), Vec3(0, -0.02, 0));
    std::vector<double> room(raise.size(), std::numeric_limits<double>::infinity());
    const std::array<SettleSide, 2> sides = scene.sides(0.25);
    Clearance clearance;
    clearance.reset(raise.size());
    limit_raise(sides[0], sides[1], raise, most_raise, clearance, room);
    for (std::size_t v = 0; v < room.size(); ++v) {
        const double height = scene.box.positions[v].y();
        if (height < 0.1) {
            EXPECT_NEAR(room[v] * 0.02, 0.75 * height, 1e-12);
        } else if (height > 0.13) {
            EXPECT_TRUE(std::isinf(room[v])) << "further than a bulge grows";
        }
    }
}

// Where more room is there than anybody asks for, it may stay unknown; where less, it is the same.
TEST(Settle, RoomIsFoundAsFarAsItIsAskedFor) {
    const BoxOnFloor scene(-0.01, make_sphere(0.2, 3));
    const std::array<SettleSide, 2> sides = scene.sides(0.25);
    std::vector<Vec3> raise;
    for (const Vec3& p : scene.box.positions) raise.push_back(Vec3(0.01 + 0.02 * p.x(), -0.02, 0));
    const auto room_for = [&](double asked) {
        std::vector<double> room(raise.size(), std::numeric_limits<double>::infinity());
        Clearance clearance;
        clearance.reset(raise.size());
        limit_raise(sides[0], sides[1], raise, asked, clearance, room);
        // And again, with what is known of distances.
        limit_raise(sides[0], sides[1], raise, asked, clearance, room);
        return room;
    };
    const std::vector<double> all = room_for(std::numeric_limits<double>::infinity());
    for (const double asked : {0.5, 1.0, 2.0}) {
        const std::vector<double> some = room_for(asked);
        int below = 0;
        for (std::size_t v = 0; v < all.size(); ++v) {
            if (all[v] < asked) {
                EXPECT_EQ(some[v], all[v]);
                ++below;
            } else {
                EXPECT_GE(some[v], asked);
            }
        }
        EXPECT_GT(below, 2);
    }
}

// What is behind the other side by more than bulges grow is as free as what is far in front of it.
TEST(Settle, ABulgeBehindTheOtherSideHasNoRoomUntilItIsFarBehind) {
    const BoxOnFloor scene(0.3);
    for (const double raise : {0.001, 0.02, 0.2}) {
        const std::vector<Vec3> raises(scene.box.positions.size(), Vec3(0, -raise, 0));
        std::vector<double> room(raises.size(), std::numeric_limits<double>::infinity());
        const std::array<SettleSide, 2> sides = scene.sides(0.25);
        Clearance clearance;
        clearance.reset(raises.size());
        limit_raise(sides[0], sides[1], raises, most_raise, clearance, room);
        for (std::size_t v = 0; v < room.size(); ++v) {
            const double depth = -scene.box.positions[v].y(), far = most_raise * raise;
            if (depth > 0 && depth < 0.5 * far) {
                EXPECT_EQ(room[v], 0);
            } else if (depth > 0.99 * far) {
                EXPECT_GT(room[v], 100);
            }
        }
    }
}

// A ball that is soft against a floor it almost touches with its bulge: no volume is lost, and
// nothing goes into the floor.
TEST(Settle, BulgesRiseWhereTheyHaveRoom) {
    Pair pair = ball_on_floor(0.5, 3, 30);
    pair.objects[1].rigid = true;
    pair.objects[0].bulge.profile.bulge_at = 0.1;
    const DeformResult result = pair.result();
    EXPECT_LT(depth_of(pair, result), 0.02);
    EXPECT_NEAR(signed_volume(result.objects[0].positions, pair.meshes[0].faces, Vec3::Zero()),
                signed_volume(pair.meshes[0].positions, pair.meshes[0].faces, Vec3::Zero()), 1e-9);
}

} // namespace
} // namespace knead
