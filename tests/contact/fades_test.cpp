#include "knead/contact/mapped_point.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/contact/zone_threshold.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace knead {
namespace {

// The largest change of a quantity from one of many small steps to the next.
template <typename Of>
double largest_change(double from, double to, Of of) {
    constexpr int steps = 1000;
    double largest = 0;
    auto before = of(from);
    for (int i = 1; i <= steps; ++i) {
        const auto now = of(from + (to - from) * i / steps);
        const auto change = now - before;
        if constexpr (std::is_same_v<decltype(now), const Vec3>)
            largest = std::max(largest, change.norm());
        else
            largest = std::max(largest, std::abs(change));
        before = now;
    }
    return largest;
}

TEST(Fades, AFlatSideThatComesInDoesNotTurnTheDirectionAtOnce) {
    const NormalStatistics round{Vec3::UnitY(), 0.9, 0.1, 1};
    const auto direction = [&](double area) {
        const NormalStatistics flat{Vec3::UnitX(), 1, 0, area};
        return mapping_direction(flat, round).value_or(Vec3::Zero()).eval();
    };
    EXPECT_GT((direction(0.2) - direction(0)).norm(), 0.5);
    EXPECT_LT(largest_change(0, 0.2, direction), 0.02);
}

TEST(Fades, AFlatContactGoesOverIntoOneThatIsNot) {
    const auto threshold = [](double deviation) { return zone_threshold({1, deviation, 1}, 0); };
    EXPECT_NEAR(threshold(0), 0.8, 1e-12);
    EXPECT_NEAR(threshold(0.5), 1, 1e-12);
    EXPECT_LT(largest_change(0, 0.6, threshold), 0.002);
}

TEST(Fades, DepthIsLostOnTheWayToAContour) {
    const TriangleMesh plate = make_grid({2, 2}, {2, 2});
    Surface surface;
    surface.structure = make_structure(plate.positions, plate.faces);
    move(surface, plate.positions);
    const std::vector<Vec3> normals(plate.positions.size(), Vec3::UnitY());
    const PairSide other{&surface, normals, -Vec3::UnitY()};
    const auto depth = [&](double degrees) {
        const double angle = degrees * std::numbers::pi / 180;
        SidePoint from;
        from.normal = {std::sin(angle), -std::cos(angle), 0};
        from.inward = Vec3::UnitY();
        return meet(other, from, {0, {1, 0, 0}}, from.inward, 1).depth;
    };
    EXPECT_GT(depth(60), 0.4);
    EXPECT_NEAR(depth(90), 0, 1e-9);
    EXPECT_LT(largest_change(60, 90, depth), 0.002);
}

} // namespace
} // namespace knead
