#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/ray.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "input_error.hpp"
#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

// From `left` at x = -1.5 to `right` at x = 1.5, level outside.
std::vector<double> along_x(const TriangleMesh& mesh, double left, double right) {
    std::vector<double> values;
    for (const Vec3& p : mesh.positions)
        values.push_back(left + (right - left) * std::clamp(p.x() / 3 + 0.5, 0.0, 1.0));
    return values;
}

double largest_difference(const DeformResult& a, const DeformResult& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.objects.size(); ++i)
        for (std::size_t v = 0; v < a.objects[i].positions.size(); ++v)
            largest =
                std::max(largest, (a.objects[i].positions[v] - b.objects[i].positions[v]).norm());
    return largest;
}

TEST(Painted, AConstantMapIsTheConstant) {
    const std::vector<std::pair<double, std::function<void(DeformSettings&, VertexNumber)>>>
        numbers = {{0.37, [](DeformSettings& o, VertexNumber n) { o.stiffness = n; }},
                   {1.3, [](DeformSettings& o, VertexNumber n) { o.extent = n; }},
                   {0.7, [](DeformSettings& o, VertexNumber n) { o.envelope = n; }},
                   {0.02, [](DeformSettings& o, VertexNumber n) { o.offset = n; }},
                   {-0.02, [](DeformSettings& o, VertexNumber n) { o.offset = n; }},
                   {1.9, [](DeformSettings& o, VertexNumber n) { o.bulge.bulge = n; }},
                   {0.3, [](DeformSettings& o, VertexNumber n) { o.bulge.profile.bulge_at = n; }},
                   {0.7, [](DeformSettings& o, VertexNumber n) { o.bulge.profile.end_at = n; }},
                   {0.03, [](DeformSettings& o,
                             VertexNumber n) { o.bulge.profile.wrinkles.amplitude = n; }},
                   {3,
                    [](DeformSettings& o, VertexNumber n) {
                        o.bulge.profile.wrinkles = {0.02, n};
                    }},
                   {1.1,
                    [](DeformSettings& o, VertexNumber n) {
                        o.bulge.map.anisotropic = true;
                        o.bulge.map.omega = n;
                    }},
                   {0.2, [](DeformSettings& o, VertexNumber n) {
                        o.bulge.map.anisotropic = true;
                        o.bulge.map.psi = n;
                    }}};
    for (const bool rigid : {false, true})
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto& [value, set] = numbers[i];
            Pair pair = two_balls(0.3, 0.8);
            pair.objects[1].rigid = rigid;
            const DeformResult without = pair.result();
            set(pair.objects[0], value);
            const DeformResult constant = pair.result();
            const std::vector<double> map(pair.meshes[0].positions.size(), value);
            set(pair.objects[0], map);
            EXPECT_LT(largest_difference(pair.result(), constant), 1e-12) << i;
            if (rigid && i == 0) continue;
            EXPECT_GT(largest_difference(constant, without), 1e-3) << i;
        }
}

// With stiffness painted on both, the contact surface is where it would be for the two values that
// meet, and both lie on it.
TEST(Painted, StiffnessCountsWhereTheTwoMeet) {
    Pair pair = ball_on_floor(0.3, 4, 60);
    const std::vector<double> ball = along_x(pair.meshes[0], 3, 1),
                              floor = along_x(pair.meshes[1], 0.5, 4);
    pair.objects[0].stiffness = ball;
    pair.objects[1].stiffness = floor;
    const DeformResult result = pair.result();
    EXPECT_LT(depth_of(pair, result), 0.05 * 0.3 + 0.5 * std::pow(mean_edge(pair.meshes[1]), 2));
    const Vec3 inward = result.contacts[0].direction;
    const Surface before = make_surface(pair.meshes[1]);
    TriangleMesh moved = pair.meshes[1];
    moved.positions = result.objects[1].positions;
    const Surface after = make_surface(moved);
    double least = 1, most = 0;
    int count = 0;
    for (std::size_t v = 0; v < ball.size(); ++v) {
        if (result.objects[0].zone[v] != 1) continue;
        const Vec3& from = pair.meshes[0].positions[v];
        const auto hit = nearest_hit(before, {from, inward, 0, 1});
        ASSERT_TRUE(hit.has_value());
        const Vec3 met = from + hit->t * inward;
        const double others = 0.5 + 3.5 * (met.x() / 3 + 0.5);
        const double part = others / (ball[v] + others);
        const Vec3& to = result.objects[0].positions[v];
        EXPECT_LT((to - (from + part * hit->t * inward)).norm(), 2e-3);
        const auto nearest = closest_point(after, to);
        ASSERT_TRUE(nearest.has_value());
        EXPECT_LT(std::sqrt(nearest->squared_distance), 0.5 * std::pow(0.1, 2));
        least = std::min(least, part);
        most = std::max(most, part);
        ++count;
    }
    EXPECT_GT(count, 50);
    EXPECT_LT(least, 0.45);
    EXPECT_GT(most, 0.6);
}

TEST(Painted, ExtentIsHowFarEachSideReaches) {
    Pair pair = ball_on_floor(0.08, 4, 100); // shallow: the gap needs less than any of them
    pair.objects[0].rigid = true;
    const std::vector<double> extent = along_x(pair.meshes[1], 0.9, 1.8);
    pair.objects[1].extent = extent;
    const DeformResult result = pair.result();
    double left = 0, right = 0;
    for (std::size_t v = 0; v < extent.size(); ++v) {
        const Vec3& p = pair.meshes[1].positions[v];
        if (std::abs(p.z()) > 0.05 || result.objects[1].u[v] == 1) continue;
        left = std::min(left, p.x());
        right = std::max(right, p.x());
    }
    // From the border of the zone at r on, u is 1 where the way from there is the extent.
    double zone = 0;
    for (std::size_t v = 0; v < extent.size(); ++v)
        if (result.objects[1].zone[v] == 1) zone = std::max(zone, pair.meshes[1].positions[v].x());
    const auto extent_at = [](double x) { return 0.9 + 0.9 * std::clamp(x / 3 + 0.5, 0.0, 1.0); };
    EXPECT_NEAR(right - zone, extent_at(right), 0.1);
    EXPECT_NEAR(-left - zone, extent_at(left), 0.1);
    EXPECT_GT(right + left, 0.4);
}

TEST(Painted, BulgeIsHowHighEachSideRises) {
    Pair pair = ball_on_floor(0.3, 4, 80);
    pair.objects[0].rigid = true;
    // Which adds to bulges, and looks for room beside them.
    pair.contact.crossing_free = false;
    const DeformResult plain = pair.result();
    const std::vector<double> bulge = along_x(pair.meshes[1], 0, 2);
    pair.objects[1].bulge.bulge = 0;
    const DeformResult without = pair.result();
    pair.objects[1].bulge.bulge = bulge;
    const DeformResult painted = pair.result();
    for (std::size_t v = 0; v < bulge.size(); ++v) {
        const Vec3 raise = plain.objects[1].positions[v] - without.objects[1].positions[v];
        const Vec3 found = painted.objects[1].positions[v] - without.objects[1].positions[v];
        // Where there is no room, no map makes some.
        if (std::hypot(pair.meshes[1].positions[v].x(), pair.meshes[1].positions[v].z()) < 1)
            continue;
        EXPECT_LT((found - bulge[v] * raise).norm(), 1e-9);
    }
}

TEST(Painted, BulgeAtIsWhereEachSideIsHighest) {
    Pair pair = ball_on_floor(0.3, 4, 120);
    pair.objects[0].rigid = true;
    pair.objects[1].extent = 1.4;
    const std::vector<double> bulge_at = along_x(pair.meshes[1], 0.2, 0.75);
    pair.objects[1].bulge.profile.bulge_at = bulge_at;
    const DeformResult result = pair.result();
    const auto highest_u = [&](double side) {
        double height = 0, u = 0;
        for (std::size_t v = 0; v < bulge_at.size(); ++v) {
            const Vec3& p = result.objects[1].positions[v];
            if (std::abs(p.z()) > 0.1 || p.x() * side < 0 || p.y() <= height) continue;
            height = p.y();
            u = result.objects[1].u[v];
        }
        return u;
    };
    EXPECT_GT(highest_u(1), highest_u(-1) + 0.1);
}

TEST(Painted, EnvelopeIsHowMuchIsAppliedAtEachVertex) {
    Pair pair = two_balls(0.3);
    const DeformResult full = pair.result();
    const std::vector<double> envelope = along_x(pair.meshes[0], 0, 1);
    pair.objects[0].envelope = envelope;
    const DeformResult part = pair.result();
    for (std::size_t v = 0; v < envelope.size(); ++v) {
        const Vec3& before = pair.meshes[0].positions[v];
        const Vec3 expected = before + envelope[v] * (full.objects[0].positions[v] - before);
        EXPECT_LT((part.objects[0].positions[v] - expected).norm(), 1e-15);
    }
}

// Painted on the soft ball, and on the rigid floor, whose gap the ball keeps.
TEST(Painted, OffsetIsTheGapWhereItIsPainted) {
    for (const int painted : {0, 1}) {
        Pair pair = ball_on_floor(0.3, 4, 40);
        pair.objects[1].rigid = true;
        const std::vector<double> offset = along_x(pair.meshes[painted], 0, 0.1);
        pair.objects[painted].offset = offset;
        const DeformResult result = pair.result();
        int count = 0;
        for (std::size_t v = 0; v < result.objects[0].zone.size(); ++v) {
            if (result.objects[0].zone[v] != 1) continue;
            const Vec3& p = result.objects[0].positions[v];
            EXPECT_NEAR(p.y(), 0.1 * (pair.meshes[0].positions[v].x() / 3 + 0.5), 2e-3);
            ++count;
        }
        EXPECT_GT(count, 50);
    }
}

// Turned into the flow of the contact from the side, one side looks ahead more strictly.
TEST(Painted, OmegaIsHowMuchDirectionCountsAtEachVertex) {
    Pair pair = ball_on_floor(0.3, 4, 40);
    pair.objects[0].rigid = true;
    pair.contact.direction = Vec3(-1, 1.2, 0);
    pair.objects[1].bulge.map.anisotropic = true;
    pair.objects[1].bulge.map.omega = 1;
    const std::vector<double> low = pair.result().objects[1].eta;
    pair.objects[1].bulge.map.omega = 3;
    const std::vector<double> high = pair.result().objects[1].eta;
    std::vector<double> map;
    for (const Vec3& p : pair.meshes[1].positions) map.push_back(p.z() < 0 ? 1 : 3);
    pair.objects[1].bulge.map.omega = map;
    const std::vector<double> mixed = pair.result().objects[1].eta;
    // Each half is in proportion to what it would be alone.
    double ratio[2] = {0, 0};
    for (std::size_t v = 0; v < map.size(); ++v) {
        const double alone = map[v] == 1 ? low[v] : high[v];
        if (!(alone > 0.05)) continue;
        double& first = ratio[map[v] == 1 ? 0 : 1];
        if (first == 0) first = mixed[v] / alone;
        EXPECT_NEAR(mixed[v] / alone / first, 1, 1e-9);
    }
    EXPECT_GT(ratio[0], 0);
    EXPECT_GT(ratio[1], 0);
}

TEST(Painted, APartOfAnObjectHasItsPartOfTheMaps) {
    Pair pair = ball_on_floor(0.3, 3, 40);
    const TriangleMesh& floor = pair.meshes[1];
    const std::vector<double> stiffness = along_x(floor, 0.5, 2), bulge = along_x(floor, 0, 2),
                              offset = along_x(floor, 0, 0.05), extent = along_x(floor, 1, 1.4);
    DeformSettings& object = pair.objects[1];
    object.stiffness = stiffness;
    object.bulge.bulge = bulge;
    object.offset = offset;
    object.extent = extent;
    const DeformResult whole = pair.result();
    std::vector<int> vertices(floor.positions.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    Deformer deformer({make_structure(pair.meshes[0].positions, pair.meshes[0].faces),
                       make_structure(floor.positions, floor.faces)},
                      {{1, vertices}});
    pair.contact.second_part = 0;
    const DeformResult part = deformer.deform(pair.posed(), std::span(&pair.contact, 1));
    EXPECT_EQ(largest_difference(whole, part), 0);
}

TEST(Painted, MapsDoNotMakeItJump) {
    Pair pair = ball_on_floor(-0.01, 2, 24);
    const std::vector<double> ball = along_x(pair.meshes[0], 3, 0.3),
                              stiffness = along_x(pair.meshes[1], 0.2, 4),
                              offset = along_x(pair.meshes[1], 0, 0.03),
                              extent = along_x(pair.meshes[1], 1, 2),
                              bulge_at = along_x(pair.meshes[1], 0.25, 0.6);
    pair.objects[0].stiffness = ball;
    pair.objects[1].stiffness = stiffness;
    pair.objects[1].offset = offset;
    pair.objects[1].extent = extent;
    pair.objects[1].bulge.profile.bulge_at = bulge_at;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Painted, MapsThatAreWrongAreNamed) {
    Pair pair = ball_on_floor(0.1, 2, 10);
    const std::vector<double> few(3, 1.0), none;
    std::vector<double> broken(121, 0.5), negative = broken, late = broken;
    broken[7] = std::nan("");
    negative[120] = -0.5;
    late[3] = 0.9;
    DeformSettings& floor = pair.objects[1];
    const DeformSettings fine = floor;
    const auto error = [&](const auto& set) {
        floor = fine;
        set();
        return input_error([&] { pair.result(); });
    };
    EXPECT_EQ(error([&] { floor.stiffness = few; }),
              "deform: object 1, the stiffness map has 3 values, expected 121");
    EXPECT_EQ(error([&] { floor.stiffness = none; }),
              "deform: object 1, the stiffness map has 0 values, expected 121");
    EXPECT_EQ(error([&] { floor.stiffness = broken; }),
              "deform: object 1, stiffness is nan at vertex 7, expected a number of at least 0");
    EXPECT_EQ(error([&] { floor.stiffness = negative; }),
              "deform: object 1, stiffness is -0.5 at vertex 120, expected a number of at least 0");
    EXPECT_EQ(error([&] { floor.extent = few; }),
              "deform: object 1, the extent map has 3 values, expected 121");
    EXPECT_EQ(error([&] { floor.extent = negative; }),
              "deform: object 1, extent is -0.5 at vertex 120, expected a positive number");
    EXPECT_EQ(error([&] { floor.bulge.bulge = broken; }),
              "deform: object 1, bulge is nan at vertex 7, expected a number of at least 0");
    EXPECT_EQ(error([&] { floor.envelope = negative; }),
              "deform: object 1, envelope is -0.5 at vertex 120, expected a number from 0 to 1");
    EXPECT_EQ(error([&] { floor.offset = broken; }),
              "deform: object 1, offset is nan at vertex 7, expected a number");
    EXPECT_EQ(error([&] { floor.bulge.profile.bulge_at = few; }),
              "deform: object 1, the profile.bulge_at map has 3 values, expected 121");
    EXPECT_EQ(
        error([&] {
            floor.bulge.profile.bulge_at = late;
            floor.bulge.profile.end_at = 0.8;
        }),
        "deform: object 1, profile.bulge_at is 0.9 at vertex 3, expected at most end_at, 0.8");
    EXPECT_EQ(error([&] { floor.bulge.profile.end_at = negative; }),
              "deform: object 1, profile.end_at is -0.5 at vertex 120, expected a number between 0 "
              "and 1");
    EXPECT_EQ(error([&] { floor.bulge.map.omega = negative; }),
              "deform: object 1, anisotropy.omega is -0.5 at vertex 120, expected a number of at "
              "least 0");
    EXPECT_EQ(error([&] { floor.bulge.map.psi = broken; }),
              "deform: object 1, anisotropy.psi is nan at vertex 7, expected a number");
}

} // namespace
} // namespace knead
