#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/motion_jumps.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

namespace knead {
namespace {

const std::vector<double> edges = {0.1, 0.5};

std::vector<double> whole_times(int count) {
    std::vector<double> times;
    for (int i = 0; i <= count; ++i) times.push_back(i);
    return times;
}

// Two objects of four vertices in smooth motion, a few edges a step, and one vertex that goes its
// own way besides.
Motion with(int object, int vertex, const std::function<Vec3(double)>& way) {
    return [=](double t) {
        std::vector<std::vector<Vec3>> pose(2, std::vector<Vec3>(4));
        for (int o = 0; o < 2; ++o)
            for (int v = 0; v < 4; ++v)
                pose[o][v] = Vec3(v, 0.4 * std::sin(t + v), o + 0.05 * t * t);
        pose[object][vertex] += way(t);
        return pose;
    };
}
Motion smooth() {
    return with(0, 0, [](double) { return Vec3(0, 0, 0); });
}
Motion with_step(int object, int vertex, double time, double size) {
    return with(object, vertex,
                [=](double t) { return t < time ? Vec3(0, 0, 0) : Vec3(0, 0, -size); });
}

TEST(MotionJumps, AJumpIsFoundWhereItIs) {
    const double time = 3.71828;
    for (const double size : {0.3, 0.01, 0.001}) {
        const MotionJumps found = find_jumps(with_step(1, 2, time, size), whole_times(6), edges);
        ASSERT_EQ(found.jumps.size(), 1u) << size;
        const MotionJump& jump = found.jumps[0];
        EXPECT_LE(jump.low, time);
        EXPECT_GE(jump.high, time);
        EXPECT_LE(jump.high - jump.low, 1e-6);
        EXPECT_EQ(jump.object, 1);
        EXPECT_EQ(jump.vertex, 2);
        EXPECT_NEAR(jump.size, size, 2e-6);
        EXPECT_DOUBLE_EQ(jump.edges, jump.size / 0.5);
        EXPECT_EQ(found.largest.high, jump.high);
    }
}

TEST(MotionJumps, AFiveHundredthOfAnEdgeIsNotHiddenByWhatMovesFast) {
    for (const double time : {0.03, 0.4999, 1.5, 2.97, 3.0}) {
        const MotionJumps found =
            find_jumps(with_step(0, 1, time, 0.1 / 500), whole_times(4), edges);
        ASSERT_EQ(found.jumps.size(), 1u) << time;
        EXPECT_NEAR(found.jumps[0].high, time, 1e-6);
        EXPECT_EQ(found.jumps[0].vertex, 1);
    }
}

TEST(MotionJumps, ASmoothFastMotionHasNone) {
    const MotionJumps found = find_jumps(smooth(), whole_times(8), edges);
    EXPECT_TRUE(found.jumps.empty());
    EXPECT_GE(found.largest.object, 0);
    EXPECT_LT(found.largest.edges, 1e-5);
}

// A root begins with infinite speed; what is left of it falls with the interval.
TEST(MotionJumps, ASteepBeginningIsNone) {
    const Motion root =
        with(0, 3, [](double t) { return Vec3(0.05 * std::sqrt(std::max(0.0, t - 2.345)), 0, 0); });
    const MotionJumps found = find_jumps(root, whole_times(4), edges);
    EXPECT_TRUE(found.jumps.empty());
    EXPECT_LE(found.largest.size, 0.05 * std::sqrt(jump_resolution));
}

TEST(MotionJumps, SeveralComeInOrderAndTheLargestIsKnown) {
    const Motion stairs =
        with(0, 2, [](double t) { return Vec3(0.01 * (t > 0.7) + 0.03 * (t > 2.2), 0, 0); });
    const MotionJumps found = find_jumps(stairs, whole_times(4), edges);
    ASSERT_EQ(found.jumps.size(), 2u);
    EXPECT_NEAR(found.jumps[0].high, 0.7, 1e-6);
    EXPECT_NEAR(found.jumps[1].high, 2.2, 1e-6);
    EXPECT_NEAR(found.largest.edges, 0.3, 1e-4);
}

// Twice as high as its neighbour, which makes it look like an even change of speed at first.
TEST(MotionJumps, OfAStepTheLargestCounts) {
    const Motion stairs =
        with(0, 2, [](double t) { return Vec3(0.02 * (t > 0.0826) + 0.01 * (t > 0.2248), 0, 0); });
    const MotionJumps found = find_jumps(stairs, whole_times(1), edges);
    ASSERT_EQ(found.jumps.size(), 1u);
    EXPECT_NEAR(found.jumps[0].size, 0.02, 1e-5);
}

TEST(MotionJumps, WhatStandsStillDoesNotJump) {
    const MotionJumps found =
        find_jumps([](double) { return std::vector<std::vector<Vec3>>(2, {Vec3(1, 2, 3)}); },
                   whole_times(2), edges);
    EXPECT_TRUE(found.jumps.empty());
    EXPECT_EQ(found.largest.object, -1);
    EXPECT_EQ(found.largest.edges, 0);
    EXPECT_TRUE(find_jumps(smooth(), whole_times(0), edges).jumps.empty());
}

// Every time somewhere else: the search still ends.
TEST(MotionJumps, NoiseEnds) {
    int calls = 0;
    const Motion noise = [&](double t) {
        ++calls;
        const double x = Random(std::bit_cast<std::uint64_t>(t)).uniform();
        return std::vector<std::vector<Vec3>>(2, {Vec3(x, 0, 0)});
    };
    const ThreadLimit one(1);
    EXPECT_EQ(find_jumps(noise, whole_times(2), edges).jumps.size(), 2u);
    EXPECT_LT(calls, 2 * 80);
}

TEST(MotionJumps, ThreadsChangeNothing) {
    const Motion stairs =
        with(0, 2, [](double t) { return Vec3(0.01 * std::floor(t * 0.61), 0, 0); });
    std::vector<MotionJumps> found;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        found.push_back(find_jumps(stairs, whole_times(9), edges));
    }
    for (const MotionJumps& other : found) {
        ASSERT_EQ(other.jumps.size(), 5u);
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(other.jumps[i].low, found[0].jumps[i].low);
            EXPECT_EQ(other.jumps[i].size, found[0].jumps[i].size);
        }
    }
}

TEST(MotionJumps, CanBeStoppedAndTellsHowFarItIs) {
    std::stop_source stop;
    std::vector<double> fractions;
    Progress progress{[&](double fraction) {
                          fractions.push_back(fraction);
                          if (fraction > 0.5) stop.request_stop();
                      },
                      stop.get_token()};
    const ThreadLimit one(1);
    EXPECT_THROW(find_jumps(smooth(), whole_times(4), edges, progress), Cancelled);
    EXPECT_EQ(fractions, (std::vector<double>{0.25, 0.5, 0.75}));
}

} // namespace
} // namespace knead
