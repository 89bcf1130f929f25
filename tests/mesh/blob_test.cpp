#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/blob.hpp"
#include "knead/mesh/blob_field.hpp"
#include "knead/mesh/measures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "input_error.hpp"
#include "mesh/shape.hpp"

namespace knead {
namespace {

using std::numbers::pi;

BlobSegment ball(const Vec3& centre, double radius) {
    return {.from = centre, .to = centre, .from_radius = radius, .to_radius = radius};
}

BlobSegment bone(const Vec3& from, double from_radius, const Vec3& to, double to_radius,
                 const std::string& part = "") {
    return {.from = from,
            .to = to,
            .from_radius = from_radius,
            .to_radius = to_radius,
            .group = part,
            .part = part};
}

// A palm, and four fingers of three bones side by side with narrow gaps between them.
BlobSettings hand(double edge) {
    BlobSettings settings;
    settings.blend = 0.25;
    settings.part_blend = 0.08;
    settings.edge = edge;
    for (int finger = 0; finger < 4; ++finger) {
        const double side = 0.26 * (finger - 1.5);
        const std::string name = "finger" + std::to_string(finger);
        Vec3 joint(side, 1, 0), direction = Vec3(0.35 * side, 1, 0).normalized();
        settings.segments.push_back(bone({0.4 * side, 0, 0}, 0.2, joint, 0.13, "palm"));
        double radius = 0.11;
        for (int i = 0; i < 3; ++i) {
            const Vec3 next = joint + (0.4 - 0.07 * i) * direction;
            settings.segments.push_back(bone(joint, radius, next, 0.92 * radius, name));
            joint = next;
            radius *= 0.92;
            direction = (direction + Vec3(0, 0, 0.2)).normalized();
        }
    }
    return settings;
}

// Three bones in two parts, with a pit: a little of everything.
BlobSettings paw() {
    BlobSettings settings;
    settings.blend = 0.2;
    settings.part_blend = 0.1;
    settings.edge = 0.08;
    settings.segments = {bone({0, 0, 0}, 0.4, {0, 1, 0}, 0.3, "leg"),
                         bone({0, 1, 0}, 0.3, {0.6, 1.5, 0}, 0.2, "leg"),
                         bone({0, 1, 0}, 0.3, {-0.5, 1.5, 0.2}, 0.2, "toe"),
                         ball({0, 0.3, 0.5}, 0.25)};
    settings.segments.back().carve = true;
    return settings;
}

void expect_on_surface(const TriangleMesh& mesh, const BlobSettings& settings) {
    const BlobField field(settings, settings.edge);
    for (const Vec3& p : mesh.positions) ASSERT_NEAR(field.at(p).value, 0, 1e-10 * field.size());
}

TEST(RoundedCone, DistanceEqualsThatOfItsBalls) {
    Random random(1);
    for (int trial = 0; trial < 100; ++trial) {
        const Vec3 from = random.in_cube(1), to = random.in_cube(1);
        const double r = random.uniform(0.1, 1), s = random.uniform(0.1, 1);
        const RoundedCone cone(from, r, to, s);
        for (int i = 0; i < 20; ++i) {
            const Vec3 p = random.in_cube(3);
            double smallest = 1e9;
            for (int k = 0; k <= 2000; ++k) {
                const double t = k / 2000.0;
                smallest =
                    std::min(smallest, (p - (1 - t) * from - t * to).norm() - (1 - t) * r - t * s);
            }
            // Sampling the axis can only miss the minimum from above, by the square of a step.
            EXPECT_LE(cone.distance(p), smallest + 1e-12);
            EXPECT_GE(cone.distance(p), smallest - 1e-3);
        }
    }
}

TEST(RoundedCone, DegenerateCasesAreBalls) {
    const RoundedCone point({1, 0, 0}, 0.5, {1, 0, 0}, 0.5);
    EXPECT_DOUBLE_EQ(point.distance({1, 2, 0}), 1.5);
    EXPECT_DOUBLE_EQ(point.distance({1, 0, 0}), -0.5);
    const RoundedCone swallowed({0, 0, 0}, 0.2, {0.1, 0, 0}, 1);
    EXPECT_DOUBLE_EQ(swallowed.distance({2.1, 0, 0}), 1);
    EXPECT_DOUBLE_EQ(swallowed.distance({-1.9, 0, 0}), 1);
    const RoundedCone touching({0, 0, 0}, 0.5, {0.5, 0, 0}, 1);
    EXPECT_DOUBLE_EQ(touching.distance({-0.5, 0, 0}), 0);
}

TEST(BlobField, GradientMatchesDifferences) {
    BlobSettings settings = hand(0.05);
    settings.segments.push_back(ball({0, 0.5, 0.3}, 0.2));
    settings.segments.back().carve = true;
    const BlobField field(settings, 0.05);
    Random random(2);
    const double h = 1e-6;
    for (int trial = 0; trial < 2000; ++trial) {
        const Vec3 p = random.in_cube(1) + Vec3(0, 1, 0);
        const BlobField::Sample sample = field.at(p);
        // On the axes, deep inside, distances have a kink.
        if (sample.value < -0.05) continue;
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3 step = h * Vec3::Unit(axis);
            EXPECT_NEAR((field.at(p + step).value - field.at(p - step).value) / (2 * h),
                        sample.gradient[axis], 1e-4);
        }
    }
}

TEST(BlobField, OrderDoesNotMatter) {
    const BlobSettings settings = hand(0.05);
    BlobSettings reversed = settings;
    std::reverse(reversed.segments.begin(), reversed.segments.end());
    const BlobField a(settings, 0.05), b(reversed, 0.05);
    Random random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Vec3 p = random.in_cube(1) + Vec3(0, 1, 0);
        EXPECT_NEAR(a.at(p).value, b.at(p).value, 1e-13);
    }
}

TEST(BlobField, BlocksDoNotMatter) {
    BlobSettings settings = hand(0.05);
    settings.segments.push_back(ball({0, 0.5, 0.3}, 0.2));
    settings.segments.back().carve = true;
    const BlobField fine(settings, 0.01), coarse(settings, 1);
    Random random(4);
    for (int trial = 0; trial < 5000; ++trial) {
        const Vec3 p = random.in_cube(1) + Vec3(0, 1, 0);
        ASSERT_EQ(fine.at(p).value, coarse.at(p).value);
    }
}

TEST(BlobField, TwoEqualDistancesMeetAtTheKnownDepth) {
    BlobSettings settings;
    settings.segments = {ball({-1, 0, 0}, 0.5), ball({1, 0, 0}, 0.5)};
    settings.blend = 0.4;
    settings.edge = 0.1;
    const BlobField field(settings, 0.1);
    // Both terms are 1/2: 1 - (d - v) / k is the cube root of 1/2.
    EXPECT_NEAR(field.at({0, 0, 0}).value, 0.5 - 0.4 * (1 - std::cbrt(0.5)), 1e-14);
    // Farther than the blend from each other's distance, nothing changes.
    EXPECT_EQ(field.at({0.5, 0, 0}).value, 0);
}

TEST(BlobField, LimbsDoNotSwellAtTheirJoints) {
    BlobSettings whole, divided;
    whole.blend = divided.blend = 0.3;
    whole.segments = {bone({0, 0, 0}, 0.4, {0, 2, 0}, 0.2)};
    for (int i = 0; i < 8; ++i)
        divided.segments.push_back(
            bone({0, i / 4.0, 0}, 0.4 - 0.025 * i, {0, (i + 1) / 4.0, 0}, 0.375 - 0.025 * i));
    const BlobField a(whole, 0.1), b(divided, 0.1);
    Random random(5);
    for (int trial = 0; trial < 2000; ++trial) {
        const Vec3 p = random.in_cube(1) + Vec3(0, 1, 0);
        EXPECT_NEAR(a.at(p).value, b.at(p).value, 1e-12);
    }
}

TEST(BlobField, PartsStayApart) {
    BlobSettings settings;
    settings.blend = 0.5;
    settings.edge = 0.04;
    settings.segments = {bone({-0.3, 0, 0}, 0.25, {-0.3, 2, 0}, 0.25, "left"),
                         bone({0.3, 0, 0}, 0.25, {0.3, 2, 0}, 0.25, "right")};
    EXPECT_GT(BlobField(settings, 0.05).at({0, 1, 0}).value, 0);
    EXPECT_EQ(expect_well_formed(make_blob(settings)).components, 2);
    for (BlobSegment& segment : settings.segments) segment.part = "both";
    EXPECT_LT(BlobField(settings, 0.05).at({0, 1, 0}).value, 0);
    EXPECT_EQ(expect_well_formed(make_blob(settings)).components, 1);
}

TEST(Blob, BallIsRoundAndEven) {
    BlobSettings settings;
    settings.segments = {ball({1, 2, 3}, 1)};
    settings.edge = 0.1;
    const TriangleMesh mesh = make_blob(settings);
    const Shape shape = expect_well_formed(mesh);
    EXPECT_EQ(shape.euler, 2);
    EXPECT_NEAR(shape.mean_edge, 0.1, 0.01);
    EXPECT_GT(shape.smallest_angle, 30);
    for (const Vec3& p : mesh.positions) EXPECT_NEAR((p - Vec3(1, 2, 3)).norm(), 1, 1e-12);
    const double volume = signed_volume(mesh.positions, mesh.faces, Vec3(1, 2, 3));
    EXPECT_NEAR(volume / (4.0 / 3 * pi), 1, 5e-3);
    EXPECT_TRUE(mesh.groups.empty());
}

TEST(Blob, HandHasWellShapedTriangles) {
    for (const double edge : {0.04, 0.07}) {
        const BlobSettings settings = hand(edge);
        const TriangleMesh mesh = make_blob(settings);
        const Shape shape = expect_well_formed(mesh);
        EXPECT_EQ(shape.components, 1);
        EXPECT_EQ(shape.euler, 2);
        EXPECT_GT(shape.smallest_angle, 25);
        EXPECT_NEAR(shape.mean_edge / edge, 1, 0.05);
        EXPECT_LT(shape.edge_deviation / edge, 0.1);
        EXPECT_LT(shape.longest_edge / edge, 1.5);
        EXPECT_GT(shape.shortest_edge / edge, 0.5);
        EXPECT_GT(shape.regular_share, 0.98);
        expect_on_surface(mesh, settings);
    }
}

TEST(Blob, VerticesJoinTheGroupOfTheNearestSegment) {
    BlobSettings settings = hand(0.04);
    settings.segments[0].group = "";
    const TriangleMesh mesh = make_blob(settings);
    std::vector<int> seen(mesh.positions.size(), 0);
    for (const auto& [name, members] : mesh.groups) {
        EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
        for (const int v : members) {
            ++seen[v];
            double nearest = 1e9;
            std::string group;
            for (const BlobSegment& s : settings.segments) {
                const double d = RoundedCone(s.from, s.from_radius, s.to, s.to_radius)
                                     .distance(mesh.positions[v]);
                if (d < nearest) {
                    nearest = d;
                    group = s.group;
                }
            }
            EXPECT_EQ(group, name);
        }
    }
    EXPECT_EQ(mesh.groups.size(), 5u);
    EXPECT_EQ(*std::max_element(seen.begin(), seen.end()), 1);
    EXPECT_EQ(*std::min_element(seen.begin(), seen.end()), 0);
}

TEST(Blob, PlainUnionOfCrossingBonesKeepsItsCreaseWithinAnEdge) {
    BlobSettings settings;
    settings.segments = {bone({-1, 0, 0}, 0.5, {1, 0, 0}, 0.5),
                         bone({0, -1, 0}, 0.4, {0, 1, 0}, 0.3)};
    settings.edge = 0.05;
    const TriangleMesh mesh = make_blob(settings);
    EXPECT_GT(expect_well_formed(mesh).smallest_angle, 25);
    for (const Vec3& p : mesh.positions) {
        double nearest = 1e9;
        for (const BlobSegment& s : settings.segments)
            nearest = std::min(nearest,
                               RoundedCone(s.from, s.from_radius, s.to, s.to_radius).distance(p));
        EXPECT_GT(nearest, -1e-12);
        EXPECT_LT(nearest, 0.2 * settings.edge);
    }
}

TEST(Blob, CarvingLeavesAPit) {
    BlobSettings settings;
    settings.segments = {ball({0, 0, 0}, 1), ball({0, 1, 0}, 0.5)};
    settings.segments[0].group = "body";
    settings.segments[1].group = "pit";
    settings.segments[1].carve = true;
    settings.edge = 0.05;
    const TriangleMesh mesh = make_blob(settings);
    EXPECT_GT(expect_well_formed(mesh).smallest_angle, 25);
    // The lens that two balls share, by its two caps.
    const auto cap = [](double radius, double height) {
        return pi * height * height * (3 * radius - height) / 3;
    };
    const double rim = 1 - 0.25 / 2; // the height at which they meet
    const double lens = cap(1, 1 - rim) + cap(0.5, 0.5 - (1 - rim));
    const double volume = signed_volume(mesh.positions, mesh.faces, Vec3::Zero());
    EXPECT_NEAR(volume, 4.0 / 3 * pi - lens, 0.01);
    for (const int v : mesh.groups.at("pit"))
        EXPECT_LT((mesh.positions[v] - Vec3(0, 1, 0)).norm(), 0.51);
    EXPECT_EQ(mesh.groups.at("pit").size() + mesh.groups.at("body").size(), mesh.positions.size());
}

TEST(Blob, RingKeepsItsHole) {
    BlobSettings settings;
    const auto at = [](int i) {
        const double angle = 2 * pi * (i % 16) / 16;
        return Vec3(std::cos(angle), 0, std::sin(angle));
    };
    for (int i = 0; i < 16; ++i) settings.segments.push_back(bone(at(i), 0.2, at(i + 1), 0.2));
    settings.blend = 0.2;
    settings.edge = 0.06;
    const TriangleMesh mesh = make_blob(settings);
    EXPECT_EQ(expect_well_formed(mesh).euler, 0);
    for (const Vec3& p : mesh.positions)
        EXPECT_NEAR(std::hypot(std::hypot(p.x(), p.z()) - 1, p.y()), 0.2, 0.025);
}

TEST(Blob, NarrowGapsAreNotBridged) {
    BlobSettings settings;
    settings.segments = {ball({0, 0, 0}, 0.5), ball({1.05, 0, 0}, 0.5)};
    settings.segments[1].part = "other";
    settings.edge = 0.1;
    const Shape shape = expect_well_formed(make_blob(settings));
    EXPECT_EQ(shape.components, 2);
    EXPECT_EQ(shape.euler, 4);
}

TEST(Blob, BallsOfTheSizeOfAnEdgeDoNotVanish) {
    for (const double radius : {0.05, 0.06, 0.08, 0.1, 0.15, 0.2}) {
        BlobSettings settings;
        settings.segments = {ball({0, 0, 0}, radius)};
        settings.edge = 0.1;
        const Shape shape = expect_well_formed(make_blob(settings));
        EXPECT_EQ(shape.euler, 2);
        EXPECT_GT(shape.smallest_angle, 30);
        EXPECT_NEAR(shape.mean_edge, 0.1, 0.03);
    }
}

TEST(Blob, RandomTreesAreWellFormed) {
    Random random(6);
    for (int trial = 0; trial < 8; ++trial) {
        BlobSettings settings;
        settings.edge = 0.07;
        settings.blend = random.uniform(0, 0.4);
        std::vector<Vec3> joints{Vec3::Zero()};
        for (int i = 0; i < 6; ++i) {
            const Vec3 from = joints[random.index(static_cast<int>(joints.size()))];
            joints.push_back(from + random.in_cube(0.8));
            settings.segments.push_back(
                bone(from, random.uniform(0.1, 0.3), joints.back(), random.uniform(0.1, 0.3)));
        }
        const TriangleMesh mesh = make_blob(settings);
        const Shape shape = expect_well_formed(mesh);
        EXPECT_GT(shape.smallest_angle, 15) << trial;
        EXPECT_NEAR(shape.mean_edge / settings.edge, 1, 0.1);
        expect_on_surface(mesh, settings);
    }
}

TEST(Blob, ThreadsAndRepeatsGiveTheSameBits) {
    const BlobSettings settings = paw();
    const TriangleMesh expected = make_blob(settings);
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const TriangleMesh mesh = make_blob(settings);
        EXPECT_EQ(mesh.faces, expected.faces);
        EXPECT_EQ(mesh.positions, expected.positions);
    }
}

TEST(Blob, SizeOnlyScales) {
    BlobSettings settings = paw();
    const TriangleMesh expected = make_blob(settings);
    for (const double scale : {0x1p-20, 0x1p20}) {
        BlobSettings scaled = settings;
        scaled.blend *= scale;
        scaled.part_blend *= scale;
        scaled.edge *= scale;
        for (BlobSegment& s : scaled.segments) {
            s.from *= scale;
            s.to *= scale;
            s.from_radius *= scale;
            s.to_radius *= scale;
        }
        const TriangleMesh mesh = make_blob(scaled);
        EXPECT_EQ(mesh.faces, expected.faces);
        for (std::size_t v = 0; v < mesh.positions.size(); ++v)
            ASSERT_LT((mesh.positions[v] / scale - expected.positions[v]).norm(), 1e-9);
    }
}

TEST(Blob, BadArgumentsAreNamed) {
    const auto message = [](const auto& change) -> std::string {
        BlobSettings settings;
        settings.segments = {ball({0, 0, 0}, 1), bone({0, 0, 0}, 1, {2, 0, 0}, 0.5)};
        change(settings);
        try {
            make_blob(settings);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message([](BlobSettings& s) { s.edge = 0; }),
              "blob: edge is 0, expected a positive number");
    EXPECT_EQ(message([&](BlobSettings& s) { s.edge = nan; }),
              "blob: edge is nan, expected a positive number");
    EXPECT_EQ(message([](BlobSettings& s) { s.blend = -1; }),
              "blob: blend is -1, expected zero or more");
    EXPECT_EQ(message([](BlobSettings& s) { s.part_blend = HUGE_VAL; }),
              "blob: part_blend is inf, expected zero or more");
    EXPECT_EQ(message([&](BlobSettings& s) { s.segments[1].to.y() = nan; }),
              "blob: segment 1: to is (2, nan, 0), expected finite numbers");
    EXPECT_EQ(message([](BlobSettings& s) { s.segments[1].to_radius = 0; }),
              "blob: segment 1: to_radius is 0, expected a positive number");
    EXPECT_EQ(message([&](BlobSettings& s) { s.segments[0].from_radius = nan; }),
              "blob: segment 0: from_radius is nan, expected a positive number");
    EXPECT_EQ(message([](BlobSettings& s) { s.edge = 2.5; }),
              "blob: segment 0: its radius is 1, expected at least half the edge, 1.25");
    EXPECT_EQ(message([](BlobSettings& s) { s.segments.clear(); }),
              "blob: it has no segments, expected one that does not carve");
    EXPECT_EQ(message([](BlobSettings& s) {
                  for (BlobSegment& segment : s.segments) segment.carve = true;
              }),
              "blob: it has no segments, expected one that does not carve");
    EXPECT_EQ(message([](BlobSettings& s) { s.segments.resize(10001); }),
              "blob: it has 10001 segments, expected at most 10000");
    EXPECT_EQ(message([](BlobSettings& s) { s.edge = 1e-4; }),
              "blob: it would have 4.35e+09 vertices, expected at most 2e+06");
    EXPECT_EQ(message([](BlobSettings& s) { s.segments[0].from.x() = -1e9; }),
              "blob: it would be 1e+10 edges long, expected at most 5e+04");
    EXPECT_EQ(message([](BlobSettings& s) {
                  s.edge = 0.4;
                  s.segments.push_back(ball({0, 0, 0}, 9));
                  s.segments.back().carve = true;
              }),
              "blob: carving leaves nothing of it");
}

// The surface itself would be small; where it might be is not.
TEST(Blob, ABlendOfManyEdgesIsRefusedBeforeItFillsTheMemory) {
    BlobSettings settings;
    settings.segments = {{{0, 0, 0}, {1, 0, 0}, 0.2, 0.2}, {{0, 0, 3}, {1, 0, 3}, 0.2, 0.2}};
    settings.edge = 0.05;
    settings.blend = 200;
    EXPECT_EQ(input_error([&] { make_blob(settings); }),
              "blob: with a blend of 200 and a part_blend of 0.025 its surface may be in more than "
              "1000000 blocks of 8^3 cells of 0.075, or near too many segments in each; expected "
              "less blend, a longer edge or fewer segments");
}

} // namespace
} // namespace knead
