#include "knead/spatial/close_pairs.hpp"
#include "knead/spatial/collision_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collision_scenes.hpp"

namespace knead {
namespace {

using testing::CollisionScene;
using testing::forbid;
using testing::moved;
using testing::scene_of;

constexpr double far_away = std::numeric_limits<double>::infinity();

TEST(CrossingFaces, OfBodiesThatMayTouch) {
    const TriangleMesh sphere = make_sphere(1, 2);
    CollisionScene scene =
        scene_of({sphere, moved(sphere, Vec3(1.5, 0.1, 0.2)), moved(sphere, Vec3(9, 0, 0))});
    const int crossing = count_crossing_faces(scene.mesh, scene.start);
    EXPECT_GT(crossing, 20);
    // The third is pushed into the second only.
    for (std::size_t v = 0; v < scene.end.size(); ++v)
        if (scene.mesh.body_of_vertex[v] == 2) scene.end[v].x() -= 9 - 3;
    const int more = count_crossing_faces(scene.mesh, scene.end);
    EXPECT_GT(more, crossing);
    forbid(scene.mesh, 0, 1);
    EXPECT_EQ(count_crossing_faces(scene.mesh, scene.start), 0);
    EXPECT_EQ(count_crossing_faces(scene.mesh, scene.end), more - crossing);
    forbid(scene.mesh, 1, 2);
    EXPECT_EQ(count_crossing_faces(scene.mesh, scene.end), 0);
}

TEST(CrossingFaces, OfABodyWithItself) {
    // A strip that is folded through itself.
    TriangleMesh strip = make_grid({6, 1}, {30, 4});
    for (Vec3& p : strip.positions) {
        const double angle = 1.2 * p.x();
        p = Vec3(std::sin(angle), std::sin(2 * angle) / 2 + 0.02 * p.z(), p.z());
    }
    CollisionScene scene = scene_of({strip});
    EXPECT_GT(count_crossing_faces(scene.mesh, scene.start), 0);
    forbid(scene.mesh, 0, 0);
    EXPECT_EQ(count_crossing_faces(scene.mesh, scene.start), 0);
    EXPECT_EQ(count_crossing_faces({}, {}), 0);
}

TEST(SmallestDistance, OfTwoSpheres) {
    const TriangleMesh sphere = make_sphere(1, 2);
    const auto top = std::max_element(sphere.positions.begin(), sphere.positions.end(),
                                      [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
    CollisionScene scene = scene_of({sphere, moved(sphere, Vec3(2 * top->x() + 0.01, 0, 0))});
    // The faces of one are further apart than the spheres.
    EXPECT_NEAR(smallest_distance(scene.mesh, scene.start, 0.1), 0.01, 1e-12);
    EXPECT_EQ(smallest_distance(scene.mesh, scene.start, 0.0099), far_away);
    forbid(scene.mesh, 0, 1);
    EXPECT_EQ(smallest_distance(scene.mesh, scene.start, 0.1), far_away);
    EXPECT_EQ(smallest_distance({}, {}, 1), far_away);
}

TEST(SmallestDistance, AgreesWithAllPairs) {
    Random random(21);
    for (int trial = 0; trial < 10; ++trial) {
        const CollisionScene scene = testing::random_scene(random, 0.5);
        double least = far_away;
        for (const PrimitivePair& pair : testing::all_pairs(scene.mesh)) {
            const std::array<int, 4> v = vertices_of(scene.mesh, pair);
            least = std::min(least, nearest_points(pair.kind, {scene.end[v[0]], scene.end[v[1]],
                                                               scene.end[v[2]], scene.end[v[3]]})
                                        .distance);
        }
        // Which of two edges is the first, and which way round, is a matter of rounding.
        EXPECT_NEAR(smallest_distance(scene.mesh, scene.end, 0.5), least, 1e-13);
    }
}

} // namespace
} // namespace knead
