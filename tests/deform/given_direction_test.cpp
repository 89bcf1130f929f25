#include <gtest/gtest.h>

#include <numbers>

#include "jump_of.hpp"

namespace knead {
namespace {

// A long body, lying on a rigid floor.
Pair body_on_floor(double depth, double knobs = 0.12) {
    Pair pair = ball_on_floor(0, 4, 40);
    for (Vec3& p : pair.meshes[0].positions) {
        p.y() -= 1;
        p *= 1 + knobs * std::sin(6 * p.x()) * std::cos(5 * p.z());
        p.x() *= 1.9;
        p.y() *= 0.8;
    }
    double lowest = 0;
    for (const Vec3& p : pair.meshes[0].positions) lowest = std::min(lowest, p.y());
    for (Vec3& p : pair.meshes[0].positions) p.y() -= lowest + depth;
    pair.objects[1].rigid = true;
    return pair;
}

Vec3 tilted_by(double degrees) {
    const double angle = degrees * std::numbers::pi / 180;
    return {std::sin(angle), std::cos(angle), 0};
}

double farthest_way(const Pair& pair, const DeformResult& result) {
    double farthest = 0;
    for (std::size_t v = 0; v < pair.meshes[0].positions.size(); ++v)
        farthest = std::max(farthest,
                            (result.objects[0].positions[v] - pair.meshes[0].positions[v]).norm());
    return farthest;
}

TEST(GivenDirection, OneThatLooksAlongTheFloorThrowsNoVertex) {
    for (const double depth : {0.05, 0.2, 0.5})
        for (const double degrees : {85.0, 90.0, 120.0, 180.0}) {
            Pair pair = body_on_floor(depth);
            const double before = measure_penetration(pair.meshes[0], pair.meshes[1]).depth;
            pair.contact.direction = tilted_by(degrees);
            const DeformResult result = pair.result();
            EXPECT_LT(depth_of(pair, result), 0.05 * before) << depth << " " << degrees;
            EXPECT_LT(farthest_way(pair, result), 2 * before) << depth << " " << degrees;
            EXPECT_NE(result.contacts[0].note.find("given direction does not fit"),
                      std::string::npos)
                << depth << " " << degrees << " " << result.contacts[0].note;
        }
}

TEST(GivenDirection, AnObliqueOneIsTakenAtItsWord) {
    for (const double degrees : {0.0, 30.0, 55.0}) {
        Pair pair = body_on_floor(0.2);
        pair.contact.direction = tilted_by(degrees);
        const DeformResult result = pair.result();
        EXPECT_EQ(result.contacts[0].direction, tilted_by(degrees).normalized());
        EXPECT_EQ(result.contacts[0].note, "");
    }
}

TEST(GivenDirection, GoesOverToTheOneThatIsFoundWithoutAJump) {
    std::vector<double> times;
    for (int i = 0; i <= 40; ++i) times.push_back(50 + i);
    const Pair pair = body_on_floor(0.2, 0);
    const Motion motion = [&](double degrees) {
        Pair turned = pair;
        turned.contact.direction = tilted_by(degrees);
        turned.contact.crossing_free = false;
        return std::vector<std::vector<Vec3>>{turned.result().objects[0].positions};
    };
    const std::vector<double> edges{mean_edge(pair.meshes[0])};
    const MotionJumps found = find_jumps(motion, times, edges);
    EXPECT_LT(found.largest.edges, 0.02);
}

TEST(GivenDirection, AcrossAStemARingFindsItsOwn) {
    Pair pair;
    pair.meshes = {make_capsule(0.5, 2, 40), make_torus(0.58, 0.14, 40)};
    for (Vec3& p : pair.meshes[1].positions) p += Vec3(0.011, 0.07, -0.006);
    const double before = measure_penetration(pair.meshes[0], pair.meshes[1]).depth;
    for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0.2, 1, 0.1)}) {
        pair.contact.direction = direction;
        const DeformResult result = pair.result();
        EXPECT_LT(depth_of(pair, result), 0.05 * before);
        EXPECT_LT(farthest_way(pair, result), 2 * before);
        EXPECT_NE(result.contacts[0].note.find("given direction does not fit"), std::string::npos);
    }
}

} // namespace
} // namespace knead
