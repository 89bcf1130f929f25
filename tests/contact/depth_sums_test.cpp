#include "knead/base/random.hpp"
#include "knead/base/smoothstep.hpp"
#include "knead/contact/depth_sums.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

// Against the plain sum over all samples, with circles from a part of a cell to more than all of
// them, and again in the memory of other samples.
TEST(DepthSums, AreThoseOfAllSamplesByTheirDistance) {
    Random random(7);
    DepthSums sums;
    for (const int count : {0, 1, 5, 700}) {
        const Vec3 normal = random.direction();
        std::vector<DepthSums::Sample> samples;
        for (int i = 0; i < count; ++i) {
            const Vec3 place(random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-1, 1));
            samples.push_back({place - normal.dot(place) * normal, random.uniform(0, 1),
                               random.uniform(0, 1), random.uniform(0, 1)});
        }
        for (const double far : {0.05, 0.5, 2.0, 20.0}) {
            const double near = 0.6 * far;
            sums.rebuild(samples, normal, near, far);
            for (int i = 0; i < 50; ++i) {
                const Vec3 at(random.uniform(-4, 4), random.uniform(-2, 2), random.uniform(-2, 2));
                const DepthSums::Sums found = sums.about(at);
                DepthSums::Sums expected;
                for (const auto& [position, area, depth, squares] : samples) {
                    const Vec3 way = position - (at - normal.dot(at) * normal);
                    const double weight =
                        smoothstep((far * far - way.squaredNorm()) / (far * far - near * near));
                    expected.area += weight * area;
                    expected.depth += weight * area * depth;
                    expected.squares += weight * area * squares;
                }
                EXPECT_NEAR(found.area, expected.area, 1e-11 * count);
                EXPECT_NEAR(found.depth, expected.depth, 1e-11 * count);
                EXPECT_NEAR(found.squares, expected.squares, 1e-11 * count);
            }
        }
    }
}

} // namespace
} // namespace knead
