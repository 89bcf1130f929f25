#include "knead/spatial/ray.hpp"

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

TEST(Controls, AnOffsetIsTheGapOverTheZone) {
    for (const int soft : {0, 1})
        for (const double offset : {0.05, -0.05}) {
            Pair pair = ball_on_floor(0.3, 4, 40);
            pair.objects[1 - soft].rigid = true;
            pair.objects[soft].offset = offset;
            const DeformResult result = pair.result();
            const Surface other = make_surface(pair.meshes[1 - soft]);
            const Vec3 outward =
                soft == 0 ? Vec3(-result.contacts[0].direction) : result.contacts[0].direction;
            // An overlap is kept to the vertices of both, and the ball's are not the floor's.
            const double tolerance = soft == 1 && offset < 0 ? 0.01 : 1e-9;
            int count = 0;
            for (std::size_t v = 0; v < result.objects[soft].zone.size(); ++v) {
                if (result.objects[soft].zone[v] != 1) continue;
                // Along the direction of the contact, in which the other surface was found.
                const Vec3& from = result.objects[soft].positions[v];
                const auto hit = nearest_hit(other, {from - outward, outward, 0, 3});
                ASSERT_TRUE(hit.has_value());
                EXPECT_NEAR(hit->t - 1, offset, tolerance);
                ++count;
            }
            EXPECT_GT(count, 20);
        }
}

TEST(Controls, OffsetsOfBothSidesAddUp) {
    Pair pair = two_balls(0.3);
    pair.objects[0].offset = 0.03;
    pair.objects[1].offset = 0.02;
    const DeformResult result = pair.result();
    const Vec3 direction = result.contacts[0].direction;
    const auto mean_height = [&](int object) {
        double sum = 0;
        int count = 0;
        for (std::size_t v = 0; v < result.objects[object].zone.size(); ++v)
            if (result.objects[object].zone[v] == 1) {
                sum += direction.dot(result.objects[object].positions[v]);
                ++count;
            }
        return sum / count;
    };
    EXPECT_NEAR(mean_height(0) - mean_height(1), 0.05, 0.005);
}

TEST(Controls, TheEnvelopeIsHowMuchIsApplied) {
    Pair pair = two_balls(0.3);
    const DeformResult full = pair.result();
    for (const double envelope : {0.0, 0.5}) {
        pair.objects[0].envelope = envelope;
        const DeformResult part = pair.result();
        for (std::size_t v = 0; v < pair.meshes[0].positions.size(); ++v) {
            const Vec3& before = pair.meshes[0].positions[v];
            EXPECT_EQ(part.objects[0].positions[v],
                      Vec3(before + envelope * (full.objects[0].positions[v] - before)));
        }
        // The other object is what it was.
        EXPECT_EQ(part.objects[1].positions, full.objects[1].positions);
    }
    pair.objects[0].envelope = 0;
    EXPECT_EQ(pair.result().objects[0].positions, pair.meshes[0].positions);
}

TEST(Controls, TwoRigidObjectsAreLeftAlone) {
    Pair pair = two_balls(0.3);
    for (DeformSettings& object : pair.objects) object.rigid = true;
    const DeformResult result = pair.result();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions);
    EXPECT_EQ(result.contacts[0].note, "");
    EXPECT_EQ(result.contacts[0].zone_area[0], 0);
}

TEST(Controls, SettingsOutOfRangeAreNamed) {
    const double nan = std::nan(""), infinite = HUGE_VAL;
    const auto error = [](const auto& set) {
        Pair pair = ball_on_floor(0.1, 2, 10);
        set(pair);
        return input_error([&] { pair.result(); });
    };
    const auto of_object = [&](const auto& set) {
        return error([&](Pair& pair) { set(pair.objects[1]); });
    };
    const auto of_bulge = [&](const auto& set) {
        return error([&](Pair& pair) { set(pair.objects[1].bulge); });
    };
    EXPECT_EQ(of_object([&](DeformSettings& o) { o.stiffness = -1; }),
              "deform: object 1, stiffness is -1, expected a number of at least 0");
    EXPECT_EQ(of_object([&](DeformSettings& o) { o.extent = 0; }),
              "deform: object 1, extent is 0, expected a positive number");
    EXPECT_EQ(of_object([&](DeformSettings& o) { o.envelope = 1.5; }),
              "deform: object 1, envelope is 1.5, expected a number from 0 to 1");
    EXPECT_EQ(of_object([&](DeformSettings& o) { o.offset = infinite; }),
              "deform: object 1, offset is inf, expected a number");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.bulge = nan; }),
              "deform: object 1, bulge is nan, expected a number of at least 0");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.bulge = -0.1; }),
              "deform: object 1, bulge is -0.1, expected a number of at least 0");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.profile.end_at = 1; }),
              "deform: object 1, profile.end_at is 1, expected a number between 0 and 1");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) {
                  b.profile = {0.7, 0.6, {}};
              }),
              "deform: object 1, profile.bulge_at is 0.7, expected at most end_at, 0.6");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.map.omega = -1; }),
              "deform: object 1, anisotropy.omega is -1, expected a number of at least 0");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.map.psi = nan; }),
              "deform: object 1, anisotropy.psi is nan, expected a number");
    const std::vector<double> few = {1, 2}, broken(121, nan);
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.map.painted = few; }),
              "deform: object 1, the bulge_map map has 2 values, expected 121");
    EXPECT_EQ(of_bulge([&](BulgeSettings& b) { b.map.painted = broken; }),
              "deform: object 1, bulge_map is nan at vertex 0, expected a number");
    EXPECT_EQ(error([&](Pair& pair) { pair.contact.zone.apparent_stiffness = nan; }),
              "deform: contact 0, apparent_stiffness is nan, expected a number");
    EXPECT_EQ(error([&](Pair& pair) { pair.contact.direction = Vec3(0, infinite, 0); }),
              "deform: contact 0 has the direction (0, inf, 0), expected one that is finite and "
              "not zero");
}

TEST(Controls, WrinklesThatAreNotNumbersAreNamed) {
    Pair pair = soft_ball_on_rigid_floor();
    pair.objects[0].bulge.profile.wrinkles = {0.1, -1};
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 0, profile.wrinkles.waves is -1, expected a number of at least 0");
    pair.objects[0].bulge.profile.wrinkles = {std::nan(""), 1};
    EXPECT_EQ(input_error([&] { pair.result(); }),
              "deform: object 0, profile.wrinkles.amplitude is nan, expected a number");
}

} // namespace
} // namespace knead
