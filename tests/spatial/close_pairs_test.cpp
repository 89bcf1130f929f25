#include "knead/base/parallel.hpp"
#include "knead/spatial/close_pairs.hpp"
#include "knead/spatial/collision_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "collision_scenes.hpp"

namespace knead {
namespace {

using testing::CollisionScene;
using testing::moved;
using testing::scene_of;
using Kind = PrimitivePair::Kind;

struct Contacts {
    std::vector<PrimitivePair> pairs;
    std::vector<NearestPoints> nearest;
};

Contacts contacts_of(const CollisionScene& scene, double distance) {
    Contacts contacts;
    MovingPairsWorkspace workspace;
    find_close_pairs(scene.mesh, scene.start, distance, contacts.pairs, contacts.nearest,
                     workspace);
    EXPECT_EQ(contacts.pairs.size(), contacts.nearest.size());
    EXPECT_TRUE(std::is_sorted(contacts.pairs.begin(), contacts.pairs.end()));
    return contacts;
}

NearestPoints nearest_of(const CollisionScene& scene, const PrimitivePair& pair) {
    const std::array<int, 4> v = vertices_of(scene.mesh, pair);
    return nearest_points(
        pair.kind, {scene.start[v[0]], scene.start[v[1]], scene.start[v[2]], scene.start[v[3]]});
}

// A body with one low vertex, at the origin.
TriangleMesh spike() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {0.3, 1, 0}, {-0.2, 1, 0.3}, {-0.2, 1, -0.3}};
    mesh.faces = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    return mesh;
}

// A roof along x, with its ridge at height 0.
TriangleMesh roof(int parts) {
    TriangleMesh mesh = make_grid({4, 4}, {parts, 2});
    for (Vec3& p : mesh.positions) p.y() = -0.5 * std::abs(p.z());
    return mesh;
}

TEST(ClosePairs, BoxOnAFinePlane) {
    const double delta = 0.05;
    for (const double cell : {0.02, 0.03, 0.2}) {
        const int cells = static_cast<int>(0.8 / cell);
        TriangleMesh plane = make_grid({0.8, 0.8}, {cells, cells});
        TriangleMesh box = make_box({0.5, 0.5, 0.5}, {4, 4, 4});
        double lowest = 1e300;
        for (const Vec3& p : box.positions) lowest = std::min(lowest, p.y());
        Affine3 placed = Affine3::Identity();
        placed.translate(Vec3(0.011, 0.7 * delta - lowest, 0.007));
        placed.rotate(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
        // Both ways round: the plane's vertices against the box, and the box's against the plane.
        for (const bool plane_first : {true, false}) {
            const TriangleMesh on_it = moved(box, placed);
            const CollisionScene scene =
                plane_first ? scene_of({plane, on_it}) : scene_of({on_it, plane});
            const Contacts contacts = contacts_of(scene, delta);
            int of_box_vertices = 0;
            for (std::size_t i = 0; i < contacts.pairs.size(); ++i) {
                const NearestPoints& nearest = contacts.nearest[i];
                EXPECT_NEAR(std::abs(nearest.difference.y()), nearest.distance, 1e-9 * delta);
                EXPECT_NEAR(nearest.distance, 0.7 * delta, 1e-9 * delta);
                of_box_vertices +=
                    contacts.pairs[i].kind == Kind::vertex_face &&
                    (scene.mesh.body_of_vertex[contacts.pairs[i].a] == 1) == plane_first;
            }
            // Those of the bottom, each once.
            EXPECT_EQ(of_box_vertices, 25);
        }
    }
}

TEST(ClosePairs, VertexAboveARidge) {
    // Above the inside of an edge of the ridge, its vertices, and the middle of a side.
    for (const double x : {0.1, 0.25, -0.3, 0.0, 0.5}) {
        const CollisionScene scene = scene_of({roof(8), moved(spike(), Vec3(x, 0.05, 0))});
        const Contacts contacts = contacts_of(scene, 0.06);
        ASSERT_EQ(contacts.pairs.size(), 1u) << x;
        EXPECT_NEAR(contacts.nearest[0].distance, 0.05, 1e-12);
        EXPECT_EQ(contacts.pairs[0].kind, Kind::vertex_face);
        EXPECT_EQ(std::abs(contacts.nearest[0].difference.y()), contacts.nearest[0].distance);
    }
}

TEST(ClosePairs, VertexAboveAValley) {
    // Both sides are contacts of their own, and the ridge between them is none.
    TriangleMesh valley = roof(8);
    for (Vec3& p : valley.positions) p.y() = -p.y();
    const CollisionScene scene = scene_of({valley, moved(spike(), Vec3(0.1, 0.05, 0))});
    const Contacts contacts = contacts_of(scene, 0.06);
    ASSERT_EQ(contacts.pairs.size(), 2u);
    for (const NearestPoints& nearest : contacts.nearest) {
        EXPECT_TRUE(nearest.inside);
        EXPECT_NEAR(nearest.distance, 0.05 * std::cos(std::atan(0.5)), 1e-12);
    }
}

TEST(ClosePairs, CrossedRidges) {
    Affine3 placed = Affine3::Identity();
    placed.translate(Vec3(0.03, 0.02, 0.06));
    placed.rotate(Eigen::AngleAxisd(1.2, Vec3::UnitY()));
    placed.rotate(Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()));
    const CollisionScene scene = scene_of({roof(7), moved(roof(7), placed)});
    const Contacts contacts = contacts_of(scene, 0.03);
    ASSERT_EQ(contacts.pairs.size(), 1u);
    EXPECT_EQ(contacts.pairs[0].kind, Kind::edge_edge);
    EXPECT_NEAR(contacts.nearest[0].distance, 0.02, 1e-12);
}

// Wherever two surfaces that do not cross are nearest to each other, there is a contact.
TEST(ClosePairs, TheNearestPairOfTwoBodiesIsAlwaysThere) {
    Random random(31);
    int near = 0;
    for (int trial = 0; trial < 20; ++trial) {
        CollisionScene scene = testing::random_scene(random, 0);
        for (int b = 0; b < scene.mesh.bodies; ++b) testing::forbid(scene.mesh, b, b);
        const double distance = 0.4;
        const Contacts contacts = contacts_of(scene, distance);
        for (int a = 0; a < scene.mesh.bodies; ++a)
            for (int b = 0; b < a; ++b) {
                if (!scene.mesh.bodies_touch(a, b)) continue;
                const auto of_both = [&](const PrimitivePair& pair) {
                    const std::array<int, 4> v = vertices_of(scene.mesh, pair);
                    const int first = scene.mesh.body_of_vertex[v[0]];
                    const int second = scene.mesh.body_of_vertex[v[3]];
                    return (first == a && second == b) || (first == b && second == a);
                };
                CollisionMesh both = scene.mesh;
                std::fill(both.may_touch.begin(), both.may_touch.end(), 0);
                both.may_touch[a * both.bodies + b] = both.may_touch[b * both.bodies + a] = 1;
                if (count_crossing_faces(both, scene.start) > 0) continue;
                double expected = distance, found = distance;
                for (const PrimitivePair& pair : testing::all_pairs(both))
                    expected = std::min(expected, nearest_of(scene, pair).distance);
                for (std::size_t i = 0; i < contacts.pairs.size(); ++i)
                    if (of_both(contacts.pairs[i]))
                        found = std::min(found, contacts.nearest[i].distance);
                EXPECT_NEAR(found, expected, 1e-12);
                near += expected < distance;
            }
        // And nothing is reported that is not so.
        for (std::size_t i = 0; i < contacts.pairs.size(); ++i) {
            const NearestPoints nearest = nearest_of(scene, contacts.pairs[i]);
            EXPECT_EQ(contacts.nearest[i].weights, nearest.weights);
            EXPECT_EQ(contacts.nearest[i].distance, nearest.distance);
            EXPECT_LT(nearest.distance, distance);
        }
    }
    EXPECT_GT(near, 25);
}

TEST(ClosePairs, TwoVerticesAreOneContact) {
    Affine3 upside_down = Affine3::Identity();
    upside_down.rotate(Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()));
    const CollisionScene scene =
        scene_of({moved(spike(), Vec3(0, 0.01, 0)), moved(spike(), upside_down)});
    const Contacts contacts = contacts_of(scene, 0.02);
    ASSERT_EQ(contacts.pairs.size(), 1u);
    EXPECT_NEAR(contacts.nearest[0].distance, 0.01, 1e-15);
    EXPECT_EQ(contacts.pairs[0].a, 0);
}

TEST(ClosePairs, SameWithAnyNumberOfThreads) {
    const TriangleMesh sphere = make_sphere(1, 4);
    const CollisionScene scene = scene_of({sphere, moved(sphere, Vec3(1.95, 0.05, 0))});
    Contacts expected;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const Contacts contacts = contacts_of(scene, 0.05);
        if (threads == 1) expected = contacts;
        EXPECT_GT(contacts.pairs.size(), 20u);
        EXPECT_EQ(contacts.pairs, expected.pairs);
        for (std::size_t i = 0; i < contacts.pairs.size(); ++i)
            EXPECT_EQ(contacts.nearest[i].weights, expected.nearest[i].weights);
    }
}

} // namespace
} // namespace knead
