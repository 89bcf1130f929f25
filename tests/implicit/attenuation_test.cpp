#include "knead/base/random.hpp"
#include "knead/implicit/attenuation.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

TEST(Attenuation, meets_its_conditions_and_never_overshoots) {
    Random random(3);
    for (int i = 0; i < 200; ++i) {
        const double k = random.uniform(0.01, 10), a0 = random.uniform(1e-6, 2),
                     given = random.uniform(0.01, 3);
        const Attenuation a(k, a0, given);
        const double w = a.width();
        EXPECT_LE(w, given);
        EXPECT_LE(w * k, 6 * a0 * (1 + 1e-12));
        EXPECT_EQ(a.value(0), 0);
        EXPECT_NEAR(a.slope(0), k, 1e-12 * k);
        EXPECT_NEAR(a.value(0.5 * w * (1 - 1e-12)), a0, 1e-9 * a0);
        EXPECT_NEAR(a.value(0.5 * w), a0, 1e-9 * a0);
        EXPECT_NEAR(a.slope(0.5 * w * (1 - 1e-12)), 0, 1e-9 * (k + a0 / w));
        EXPECT_NEAR(a.slope(0.5 * w), 0, 1e-9 * (k + a0 / w));
        EXPECT_NEAR(a.value(w * (1 - 1e-9)), 0, 1e-12 * a0);
        EXPECT_NEAR(a.slope(w * (1 - 1e-9)), 0, 1e-7 * a0 / w);
        EXPECT_EQ(a.value(w), 0);
        for (int j = 1; j < 400; ++j) {
            const double r = w * j / 400;
            EXPECT_LE(a.value(r), a0 * (1 + 1e-12));
            EXPECT_GE(a.value(r), 0);
            const double step = 1e-6 * w;
            EXPECT_NEAR(a.slope(r), (a.value(r + step) - a.value(r - step)) / (2 * step),
                        1e-4 * (k + a0 / w));
        }
    }
}

// At first touch the height is 0 and the slope is not: the printed width would make a bulge of
// slope times width.
TEST(Attenuation, grows_from_nothing) {
    double last = 1;
    for (const double a0 : {1e-1, 1e-3, 1e-6, 0.0}) {
        const Attenuation a(2, a0, 0.5);
        double largest = 0;
        for (int j = 0; j <= 1000; ++j) largest = std::max(largest, a.value(0.5 * j / 1000));
        EXPECT_LE(largest, a0 * (1 + 1e-12));
        EXPECT_LE(largest, 0.1001 * last);
        last = largest;
    }
}

} // namespace
} // namespace knead
