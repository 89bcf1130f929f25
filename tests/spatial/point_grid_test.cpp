#include "knead/base/random.hpp"
#include "knead/spatial/point_grid.hpp"

#include <gtest/gtest.h>

#include <set>

namespace knead {
namespace {

TEST(PointGrid, FindsEveryPointWithinTheRadiusOnce) {
    Random random(7);
    std::vector<Vec3> points;
    for (int i = 0; i < 400; ++i)
        points.push_back({random.uniform(-3, 5), random.uniform(-1, 1), random.uniform(0, 9)});
    for (const double radius : {0.05, 0.7, 20.0}) {
        const PointGrid grid(points, radius);
        for (int query = 0; query < 100; ++query) {
            const Vec3 center(random.uniform(-4, 6), random.uniform(-2, 2), random.uniform(-1, 10));
            std::multiset<int> found;
            grid.for_each_near(center, [&](int i) { found.insert(i); });
            for (int i = 0; i < 400; ++i) {
                EXPECT_LE(found.count(i), 1u);
                if ((points[i] - center).norm() <= radius) {
                    EXPECT_EQ(found.count(i), 1u);
                }
            }
        }
    }
}

TEST(PointGrid, TakesNoPointsAndPointsAtOnePlace) {
    int found = 0;
    PointGrid({}, 1).for_each_near(Vec3::Zero(), [&](int) { ++found; });
    EXPECT_EQ(found, 0);
    const std::vector<Vec3> same(3, Vec3(1, 2, 3));
    PointGrid(same, 0).for_each_near(Vec3(1, 2, 3), [&](int) { ++found; });
    EXPECT_EQ(found, 3);
}

} // namespace
} // namespace knead
