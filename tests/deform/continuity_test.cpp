#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "pair.hpp"

namespace knead {
namespace {

using Frame = std::vector<Vec3>;

double largest_move(const Frame& a, const Frame& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
    return largest;
}

// The largest jump of a motion: every step is halved towards the side that moves more until it is a
// millionth of itself; what still moves then has jumped.
double largest_jump(const std::function<Frame(double)>& motion, int steps) {
    double largest = 0;
    Frame before = motion(0);
    for (int i = 0; i < steps; ++i) {
        double low = double(i) / steps, high = double(i + 1) / steps;
        Frame at_low = before, at_high = motion(high);
        before = at_high;
        double move = largest_move(at_low, at_high);
        for (int halving = 0; halving < 20 && move > 1e-7; ++halving) {
            const double middle = 0.5 * (low + high);
            const Frame at_middle = motion(middle);
            const double first = largest_move(at_low, at_middle),
                         second = largest_move(at_middle, at_high);
            move = std::max(first, second);
            if (first >= second) {
                high = middle;
                at_high = at_middle;
            } else {
                low = middle;
                at_low = at_middle;
            }
        }
        largest = std::max(largest, move);
    }
    return largest;
}

// In from above the first touch, sideways and out of a vertex's way.
double jump_of(Pair pair) {
    const Frame start = pair.meshes[0].positions;
    return largest_jump(
        [&](double t) {
            for (std::size_t v = 0; v < start.size(); ++v)
                pair.meshes[0].positions[v] = start[v] + Vec3(0.05 * t, -0.3 * t, 0.02 * t);
            const DeformResult result = pair.result();
            Frame frame = result.objects[0].positions;
            frame.insert(frame.end(), result.objects[1].positions.begin(),
                         result.objects[1].positions.end());
            return frame;
        },
        24);
}

TEST(Continuity, ABallOnARigidFloorDoesNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 16);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), mean_edge(pair.meshes[0]) / 500);
}

TEST(Continuity, ABallOnASoftFloorDoesNotJump) {
    const Pair pair = ball_on_floor(-0.01, 2, 24);
    EXPECT_LT(jump_of(pair), mean_edge(pair.meshes[1]) / 500);
}

TEST(Continuity, TwoBallsDoNotJump) {
    const Pair pair = two_balls(-0.01, 1, 2);
    EXPECT_LT(jump_of(pair), mean_edge(pair.meshes[0]) / 500);
}

} // namespace
} // namespace knead
