#include <gtest/gtest.h>

#include "input_error.hpp"
#include "pair.hpp"

namespace knead {
namespace {

Pair soft_ball_on_rigid_floor(double depth = 0.3) {
    Pair pair = ball_on_floor(depth, 4);
    pair.objects[1].rigid = true;
    return pair;
}

double volume_of(const Pair& pair, const std::vector<Vec3>& positions) {
    return signed_volume(positions, pair.meshes[0].faces, Vec3::Zero());
}

TEST(Controls, WrinklesOfNoAmplitudeChangeNoBit) {
    Pair pair = soft_ball_on_rigid_floor();
    const DeformResult plain = pair.result();
    for (const double waves : {0.0, 4.0, 17.5}) {
        pair.objects[0].bulge.profile.wrinkles = {0, waves};
        EXPECT_EQ(pair.result().objects[0].positions, plain.objects[0].positions);
    }
}

TEST(Controls, WrinklesKeepTheVolumeAndTheZone) {
    Pair pair = soft_ball_on_rigid_floor();
    const DeformResult plain = pair.result();
    for (const double amplitude : {0.03, -0.03, 0.2, -0.2})
        for (const double waves : {0.5, 3.0, 4.7}) {
            pair.objects[0].bulge.profile.wrinkles = {amplitude, waves};
            const DeformResult result = pair.result();
            EXPECT_NEAR(volume_of(pair, result.objects[0].positions),
                        volume_of(pair, pair.meshes[0].positions), 1e-9);
            EXPECT_EQ(result.objects[0].zone, plain.objects[0].zone);
            for (std::size_t v = 0; v < result.objects[0].zone.size(); ++v)
                if (plain.objects[0].zone[v] == 1) {
                    EXPECT_NEAR(result.objects[0].positions[v].y(), 0, 1e-3);
                }
        }
}

// Against the smooth surface, a wave of three has its grooves and ridges at odd twelfths.
TEST(Controls, WrinklesStandWhereTheirWaveDoes) {
    Pair pair = ball_on_floor(0.3, 3, 120);
    pair.objects[0].rigid = true;
    const DeformResult plain = pair.result();
    pair.objects[1].bulge.profile.wrinkles = {0.05, 3};
    const DeformResult result = pair.result();
    int grooves = 0, ridges = 0;
    for (std::size_t v = 0; v < plain.objects[1].u.size(); ++v) {
        const double u = plain.objects[1].u[v];
        const double height = (result.objects[1].positions[v] - plain.objects[1].positions[v]).y();
        const bool groove = std::abs(u - 5.0 / 12) < 0.01, ridge = std::abs(u - 7.0 / 12) < 0.01;
        if (groove || ridge) {
            EXPECT_NEAR(height, groove ? -0.05 : 0.05, 0.01) << u;
        }
        grooves += groove;
        ridges += ridge;
    }
    EXPECT_GT(grooves, 10);
    EXPECT_GT(ridges, 10);
}

TEST(Controls, WrinklesThatAreNotNumbersAreNamed) {
    Pair pair = soft_ball_on_rigid_floor();
    pair.objects[0].bulge.profile.wrinkles = {0.1, -1};
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 0, wrinkles' waves is -1, expected 0 or more");
    pair.objects[0].bulge.profile.wrinkles = {std::nan(""), 1};
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 0, wrinkles' amplitude is nan, expected a number");
}

} // namespace
} // namespace knead
