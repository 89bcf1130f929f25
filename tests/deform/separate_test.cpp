#include "knead/base/parallel.hpp"
#include "knead/deform/separate/separate.hpp"
#include "knead/mesh/blob.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "jump_of.hpp"

namespace knead {
namespace {

std::array<TriangleMesh, 2> separated(const Pair& pair, const DeformResult& result) {
    std::array<TriangleMesh, 2> meshes = pair.meshes;
    for (int i = 0; i < 2; ++i) meshes[i].positions = result.objects[i].positions;
    return meshes;
}

int crossings_of(const std::array<TriangleMesh, 2>& meshes) {
    return measure_penetration(meshes[0], meshes[1]).crossings;
}

// Against what is in the other before.
double added_volume(const Pair& pair, const DeformResult& result, int object) {
    const TriangleMesh& mesh = pair.meshes[object];
    const Vec3 origin = bounding_box(mesh.positions).center();
    return signed_volume(result.objects[object].positions, mesh.faces, origin) -
           signed_volume(mesh.positions, mesh.faces, origin);
}

TriangleMesh turned_to(TriangleMesh mesh, const Vec3& at, std::mt19937& random) {
    std::normal_distribution<double> normal;
    const Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
    Affine3 place = Affine3::Identity();
    place.translate(at).rotate(turn.normalized());
    transform(mesh, place);
    return mesh;
}

// Until its lowest point is `depth` below the highest one of the other, near the middle of it.
void press(Pair& pair, double depth) {
    const Box upper = bounding_box(pair.meshes[0].positions),
              lower = bounding_box(pair.meshes[1].positions);
    for (Vec3& p : pair.meshes[0].positions) p.y() += lower.upper.y() - upper.lower.y() - depth;
}

void expect_apart(const Pair& pair, const char* what, bool was_crossing = true) {
    SCOPED_TRACE(what);
    Pair without = pair;
    without.contact.crossing_free = false;
    if (was_crossing) {
        EXPECT_GT(crossings_of(separated(pair, without.result())), 0);
    }
    const DeformResult result = pair.result();
    EXPECT_EQ(crossings_of(separated(pair, result)), 0);
    EXPECT_EQ(depth_of(pair, result), 0);
    EXPECT_EQ(result.contacts[0].note, "");
    for (int i = 0; i < 2; ++i) {
        if (pair.objects[i].rigid) {
            EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions);
        } else if (result.objects[i].contact_vertices > 2 && // less has hardly a bulge to rise
                   is_closed(build_topology(pair.meshes[i].faces, pair.meshes[i].vertex_count()))) {
            EXPECT_NEAR(added_volume(pair, result, i), 0, 1e-11);
        }
    }
}

TEST(Separate, BallsAreApart) {
    expect_apart(two_balls(0.2), "equal");
    expect_apart(two_balls(0.2, 2), "the second twice as large");
    Pair pair = two_balls(0.2, 0.6);
    pair.objects[0].stiffness = 4;
    expect_apart(pair, "a stiffer one");
    pair.objects[0].rigid = true;
    expect_apart(pair, "a rigid one");
    pair = two_balls(0.25, 1, 2);
    pair.meshes[1] = make_sphere(1, 4);
    for (Vec3& p : pair.meshes[1].positions) p += Vec3(0.05, -1, 0.03);
    expect_apart(pair, "a coarse and a fine one");
}

// A ball on a block, which has an inside.
Pair ball_on_block(double depth, int subdivisions, int cells) {
    Pair pair = ball_on_floor(depth, subdivisions);
    pair.meshes[1] = make_box({5, 1, 5}, {cells, 4, cells});
    for (Vec3& p : pair.meshes[1].positions) p.y() -= 0.5;
    return pair;
}

TEST(Separate, BallLiesOnFloor) {
    Pair pair = ball_on_block(0.3, 3, 30);
    pair.objects[1].rigid = true;
    expect_apart(pair, "a rigid floor", false);
    const double edge = std::min(mean_edge(pair.meshes[0]), mean_edge(pair.meshes[1]));
    const DeformResult result = pair.result();
    double lowest = 1;
    for (const Vec3& p : result.objects[0].positions) lowest = std::min(lowest, p.y());
    // Where the gap is that the pass leaves.
    EXPECT_NEAR(lowest, 0.005 * edge, 1e-4 * edge);
    pair.objects[1].rigid = false;
    expect_apart(pair, "a soft floor");
}

TEST(Separate, SharpRimsAreApart) {
    std::mt19937 random(7);
    for (int i = 0; i < 6; ++i) {
        Pair pair;
        pair.meshes = {turned_to(make_box({0.7, 0.5, 0.6}, {7, 5, 6}), {0.03, 0, 0.02}, random),
                       make_box({3, 1.2, 3}, {24 + i, 9, 25})};
        press(pair, 0.1 + 0.02 * i);
        pair.objects[0].rigid = i % 2 == 0;
        expect_apart(pair, fmt::format("box {}", i).c_str());
    }
}

TEST(Separate, ShapesInAnyPoseAreApart) {
    std::mt19937 random(20);
    std::uniform_real_distribution<double> part(0, 1);
    for (int i = 0; i < 12; ++i) {
        const auto shape = [&](int kind) {
            BlobSettings blob;
            blob.edge = 0.12 + 0.05 * part(random);
            blob.blend = 0.3;
            for (int k = 0; k < 3; ++k)
                blob.segments.push_back(
                    {Vec3(part(random), part(random), part(random)) - Vec3::Constant(0.5),
                     Vec3(part(random), part(random), part(random)) - Vec3::Constant(0.5),
                     0.35 + 0.2 * part(random), 0.3 + 0.2 * part(random)});
            return kind == 0   ? make_blob(blob)
                   : kind == 1 ? make_torus(0.8, 0.3, 40)
                   : kind == 2 ? make_capsule(0.5, 1, 24)
                               : make_box({1.2, 0.8, 1}, {9, 6, 8});
        };
        Pair pair;
        pair.meshes = {turned_to(shape(i % 4), {0.02, 0, 0.01}, random),
                       turned_to(shape((i + i / 4) % 4), {0, 0, 0}, random)};
        press(pair, 0.1 + 0.1 * part(random));
        pair.objects[0].stiffness = 0.5 + part(random);
        expect_apart(pair, fmt::format("pair {}", i).c_str(), false);
    }
}

TEST(Separate, NothingMovesWhereNothingTouches) {
    for (const double gap : {1e-3, 1e-6}) {
        const Pair pair = two_balls(-gap - 0.002);
        const DeformResult result = pair.result();
        for (int i = 0; i < 2; ++i)
            EXPECT_EQ(result.objects[i].positions, pair.meshes[i].positions) << gap;
    }
}

TEST(Separate, OffLeavesCrossingsAndWhatIsFarAway) {
    Pair pair = two_balls(0.2);
    const DeformResult with = pair.result();
    pair.contact.crossing_free = false;
    const DeformResult without = pair.result();
    EXPECT_GT(crossings_of(separated(pair, without)), 0);
    EXPECT_EQ(without.milliseconds.separate, 0);
    const double edge = mean_edge(pair.meshes[0]);
    for (int i = 0; i < 2; ++i) {
        int same = 0;
        for (std::size_t v = 0; v < pair.meshes[i].positions.size(); ++v) {
            const double way =
                (with.objects[i].positions[v] - without.objects[i].positions[v]).norm();
            EXPECT_LT(way, 0.05 * edge);
            same += way == 0;
            if (without.objects[i].u[v] == 1) {
                EXPECT_EQ(way, 0) << v;
            }
        }
        EXPECT_GT(same, pair.meshes[i].vertex_count() / 3);
    }
}

TEST(Separate, SameBitsWithAnyNumberOfThreads) {
    const Pair pair = two_balls(0.25, 0.8);
    std::array<DeformResult, 3> results;
    for (int i = 0; i < 3; ++i) {
        const ThreadLimit limit(std::array{1, 2, 8}[i]);
        results[i] = pair.result();
    }
    for (int i = 1; i < 3; ++i)
        for (int object = 0; object < 2; ++object)
            EXPECT_EQ(results[i].objects[object].positions, results[0].objects[object].positions);
}

TEST(Separate, SwappedObjectsDoTheSame) {
    Pair pair = two_balls(0.25, 0.7);
    pair.objects[1].stiffness = 2;
    const DeformResult result = pair.result();
    Pair swapped = pair;
    std::swap(swapped.meshes[0], swapped.meshes[1]);
    std::swap(swapped.objects[0], swapped.objects[1]);
    const DeformResult other = swapped.result();
    for (int i = 0; i < 2; ++i)
        for (std::size_t v = 0; v < pair.meshes[i].positions.size(); ++v)
            EXPECT_LT((result.objects[i].positions[v] - other.objects[1 - i].positions[v]).norm(),
                      1e-9);
}

TEST(Separate, NothingJumps) {
    EXPECT_LT(jump_of(two_balls(-0.02, 0.8, 2)), 1.0 / 500);
    Pair pair = ball_on_block(-0.02, 2, 18);
    pair.objects[1].stiffness = 3;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
    pair = ball_on_floor(-0.02, 2, 18);
    pair.objects[1].stiffness = 3;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Separate, BulgeGivesBackItsPartOfTheVolume) {
    Pair pair = two_balls(0.2);
    for (DeformSettings& settings : pair.objects) settings.bulge.bulge = 0.5;
    const DeformResult with = pair.result();
    pair.contact.crossing_free = false;
    const DeformResult without = pair.result();
    for (DeformSettings& settings : pair.objects) settings.bulge.bulge = 0;
    pair.contact.crossing_free = true;
    const DeformResult flat = pair.result();
    EXPECT_EQ(crossings_of(separated(pair, with)), 0);
    EXPECT_EQ(crossings_of(separated(pair, flat)), 0);
    for (int i = 0; i < 2; ++i) {
        // What a bulge of a half leaves is the half.
        EXPECT_NEAR(added_volume(pair, with, i), added_volume(pair, without, i),
                    0.02 * std::abs(added_volume(pair, without, i)));
        EXPECT_LT(added_volume(pair, flat, i), added_volume(pair, with, i));
    }
}

TEST(Separate, OverlapThatIsAskedForStays) {
    Pair pair = two_balls(0.2);
    for (DeformSettings& settings : pair.objects) settings.offset = -0.02;
    const DeformResult result = pair.result();
    EXPECT_NEAR(depth_of(pair, result), 0.04, 0.01);
    EXPECT_EQ(result.contacts[0].note, "crossings left: an offset below 0 asks for them");
}

// Two balls in one mesh overlap, and one that is inside out is beside them.
TriangleMesh self_crossing_balls() {
    TriangleMesh mesh;
    for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.9, 0, 0), Vec3(5, 0, 0)}) {
        TriangleMesh ball = make_sphere(1, 3);
        const int first = mesh.vertex_count();
        for (const Vec3& p : ball.positions) mesh.positions.push_back(p + at);
        for (Triangle face : ball.faces) {
            if (at.x() > 4) std::swap(face[0], face[1]);
            mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
        }
    }
    return mesh;
}

// A small ball that is at `at`.
std::vector<SeparatePlace> places_of_ball(const Vec3& at) {
    TriangleMesh ball = make_sphere(0.2, 2);
    for (Vec3& p : ball.positions) p += at;
    const TriangleMesh balls = self_crossing_balls();
    const Surface side = make_surface(ball), other = make_surface(balls);
    CrossingPlacesWorkspace workspace;
    std::vector<SeparatePlace> places;
    find_crossing_places({&side, 1, 0}, {&other, 1, 0}, find_crossings(side, other).of_a, 0,
                         workspace, places);
    return places;
}

TEST(Separate, WhatIsInsideASelfCrossingSurfaceIsNotTakenForOutside) {
    // Across the wall of the first ball that is inside the second: all of it is inside.
    int vertices = 0;
    for (const SeparatePlace& place : places_of_ball({1, 0.1, 0.05})) {
        vertices += place.ends[0] == place.ends[1];
        EXPECT_LT(place.way, 1);
    }
    EXPECT_EQ(vertices, make_sphere(0.2, 2).vertex_count());
    // Nothing is inside of what is inside out: its outside must not be pushed.
    EXPECT_TRUE(places_of_ball({4, 0.1, 0.05}).empty());
    // From outside into the second ball: only what is deep is pushed, and by its depth.
    const std::vector<SeparatePlace> of_wall = places_of_ball({1.95, 0.1, 0.05});
    EXPECT_FALSE(of_wall.empty());
    for (const SeparatePlace& place : of_wall) EXPECT_LT(place.way, 0.26);
}

// The same ball twice, of which neither crosses the other until a floor presses both flat.
TEST(Separate, BallsAtTheSamePlaceThatAFloorPressesFlatStayFinite) {
    std::vector<TriangleMesh> meshes(2, make_sphere(1, 2));
    for (TriangleMesh& ball : meshes)
        for (Vec3& p : ball.positions) p.y() -= 0.5;
    meshes.push_back(make_grid({6, 6}, {20, 20}));
    std::vector<DeformObject> objects;
    for (const TriangleMesh& mesh : meshes) objects.push_back({.positions = mesh.positions});
    objects[2].settings.rigid = true;
    const std::array contacts{DeformContact{.first = 0, .second = 1},
                              DeformContact{.first = 0, .second = 2},
                              DeformContact{.first = 1, .second = 2}};
    const DeformResult result = Deformer(meshes).deform(objects, contacts);
    for (const ObjectOutcome& object : result.objects)
        for (const Vec3& p : object.positions) ASSERT_TRUE(p.allFinite());
}

TEST(Separate, BallLiesOnASheet) {
    Pair pair = ball_on_floor(0.3);
    expect_apart(pair, "a soft sheet");
    pair.objects[1].rigid = true;
    pair.meshes[0] = make_capsule(0.5, 1, 20);
    for (Vec3& p : pair.meshes[0].positions) p += Vec3(0.02, 0.9, 0.01);
    expect_apart(pair, "a rigid one", false);
    pair.objects[1].rigid = false;
    pair.meshes[0] = make_box({1, 0.8, 1.2}, {7, 6, 9});
    press(pair, 0.15);
    pair.objects[0].rigid = true;
    expect_apart(pair, "under a box with sharp edges");
}

TEST(Separate, WhatIsFarBehindASheetStaysThere) {
    // Two balls, one below the sheet, which has its upper side to the front.
    Pair pair = ball_on_floor(0.3);
    TriangleMesh& balls = pair.meshes[0];
    const int above = balls.vertex_count();
    const TriangleMesh below = make_sphere(0.5, 2);
    for (const Vec3& p : below.positions) balls.positions.push_back(p + Vec3(0, -2, 0));
    for (const Triangle& face : below.faces)
        balls.faces.push_back({face[0] + above, face[1] + above, face[2] + above});
    const DeformResult result = pair.result();
    for (std::size_t v = static_cast<std::size_t>(above); v < balls.positions.size(); ++v)
        EXPECT_EQ(result.objects[0].positions[v], balls.positions[v]);
    EXPECT_EQ(crossings_of(separated(pair, result)), 0);
}

// The edges of a sheet may be entered and left by what it cuts in any order of their ends.
TEST(Separate, AnEdgeOfASheetIsPushedWhicheverOfItsEndsIsInside) {
    TriangleMesh ball = make_sphere(0.5, 2);
    const TriangleMesh sheet = make_grid({4, 4}, {6, 6});
    for (Vec3& p : ball.positions) p += Vec3(0.11, 0.4, 0.07);
    const auto count = [&] {
        const Surface side = make_surface(ball), other = make_surface(sheet);
        CrossingPlacesWorkspace workspace;
        std::vector<SeparatePlace> places;
        find_crossing_places({&side, 1, 0}, {&other, 1, 0, 1}, find_crossings(side, other).of_a, 0,
                             workspace, places);
        return places.size();
    };
    const std::size_t found = count();
    EXPECT_GT(found, 10u);
    // The same ball with its vertices in reverse order.
    std::reverse(ball.positions.begin(), ball.positions.end());
    for (Triangle& face : ball.faces)
        for (int& v : face) v = ball.vertex_count() - 1 - v;
    EXPECT_EQ(count(), found);
}

} // namespace
} // namespace knead
