#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/spatial/continuous_collision.hpp"
#include "knead/spatial/moving_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collision_scenes.hpp"

namespace knead {
namespace {

using testing::CollisionScene;
using testing::random_scene;
using testing::scene_of;
using Kind = PrimitivePair::Kind;
using PrimitivePairs = std::vector<PrimitivePair>;

PrimitivePairs moving_pairs(const CollisionScene& scene, double margin,
                            MovingPairsWorkspace& workspace) {
    PrimitivePairs pairs;
    find_moving_pairs(scene.mesh, scene.start, scene.end, margin, pairs, workspace);
    return pairs;
}

PrimitivePairs moving_pairs(const CollisionScene& scene, double margin) {
    MovingPairsWorkspace workspace;
    return moving_pairs(scene, margin, workspace);
}

// By looking at all pairs.
PrimitivePairs overlapping_pairs(const CollisionScene& scene, double margin) {
    PrimitivePairs pairs;
    for (const PrimitivePair& pair : testing::all_pairs(scene.mesh)) {
        const std::array<int, 4> v = vertices_of(scene.mesh, pair);
        Box first, second;
        for (int i = 0; i < 4; ++i) {
            Box& box = i < (pair.kind == Kind::vertex_face ? 1 : 2) ? first : second;
            box.include(scene.start[v[i]]);
            box.include(scene.end[v[i]]);
        }
        if (((first.lower - second.upper).array() <= margin).all() &&
            ((second.lower - first.upper).array() <= margin).all())
            pairs.push_back(pair);
    }
    return pairs;
}

std::vector<Impact> impacts_of(const CollisionScene& scene, double distance,
                               const PrimitivePairs& pairs) {
    std::vector<Impact> impacts;
    find_impacts(scene.mesh, scene.start, scene.end, distance, pairs, impacts);
    return impacts;
}

std::optional<double> impact_of(const CollisionScene& scene, double distance,
                                const PrimitivePair& pair) {
    const std::array<int, 4> v = vertices_of(scene.mesh, pair);
    std::array<LinearMotion, 4> p;
    for (int i = 0; i < 4; ++i) p[i] = {scene.start[v[i]], scene.end[v[i]]};
    return pair.kind == Kind::vertex_face ? vertex_face_impact(p[0], {p[1], p[2], p[3]}, distance)
                                          : edge_edge_impact({p[0], p[1]}, {p[2], p[3]}, distance);
}

void transform(CollisionScene& scene, double scale, const Vec3& by) {
    for (std::vector<Vec3>* positions : {&scene.start, &scene.end})
        for (Vec3& p : *positions) p = scale * p + by;
}

TEST(CollisionMesh, EveryPrimitiveBelongsToOneFace) {
    const CollisionScene scene = scene_of({make_sphere(1, 2), make_grid({1, 1}, {3, 4})});
    const CollisionMesh& mesh = scene.mesh;
    std::vector<int> vertex_owners(mesh.body_of_vertex.size(), 0);
    std::vector<int> edges;
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
        for (int i = 0; i < 3; ++i) {
            const int a = mesh.faces[f][i], b = mesh.faces[f][(i + 1) % 3];
            const int edge = mesh.face_edges[f][i];
            EXPECT_EQ(mesh.edges[edge], (Edge{std::min(a, b), std::max(a, b)}));
            const auto& both = mesh.edge_faces[edge];
            EXPECT_EQ(std::count(both.begin(), both.end(), static_cast<int>(f)), 1);
            vertex_owners[a] += mesh.owned[f] >> i & 1;
            if (mesh.owned[f] >> (3 + i) & 1) edges.push_back(edge);
            const auto around = mesh.vertex_faces[a];
            EXPECT_EQ(std::count(around.begin(), around.end(), static_cast<int>(f)), 1);
        }
    EXPECT_EQ(vertex_owners, std::vector<int>(mesh.body_of_vertex.size(), 1));
    // By the faces that they belong to, each once.
    ASSERT_EQ(edges.size(), mesh.edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) EXPECT_EQ(edges[e], static_cast<int>(e));
    int borders = 0;
    for (const auto& both : mesh.edge_faces) borders += both[1] < 0;
    EXPECT_EQ(borders, 14);
}

TEST(MovingPairs, AgreeWithAllPairs) {
    Random random(11);
    MovingPairsWorkspace workspace; // of many meshes, one after the other
    std::size_t vertex_face = 0, edge_edge = 0;
    for (int trial = 0; trial < 30; ++trial) {
        const CollisionScene scene = random_scene(random, random.uniform(0, 1.5));
        const double margin = trial % 3 == 0 ? 0 : random.uniform(0, 0.3);
        const PrimitivePairs pairs = moving_pairs(scene, margin, workspace);
        ASSERT_EQ(pairs, overlapping_pairs(scene, margin));
        for (const PrimitivePair& pair : pairs)
            ++(pair.kind == Kind::vertex_face ? vertex_face : edge_edge);
    }
    EXPECT_GT(vertex_face, 10000u);
    EXPECT_GT(edge_edge, 10000u);
}

TEST(MovingPairs, SameWithAnyNumberOfThreads) {
    // Large enough for several pieces.
    CollisionScene scene =
        scene_of({make_sphere(1, 4), make_sphere(1, 3), make_torus(0.7, 0.3, 40)});
    Random random(12);
    for (std::size_t v = 0; v < scene.start.size(); ++v) {
        scene.start[v] += 0.5 * scene.mesh.body_of_vertex[v] * Vec3(1, 0.2, 0.1);
        scene.end[v] = scene.start[v] + random.in_cube(0.05);
    }
    PrimitivePairs expected;
    std::vector<Impact> expected_impacts;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        MovingPairsWorkspace workspace;
        const PrimitivePairs pairs = moving_pairs(scene, 0.01, workspace);
        const std::vector<Impact> impacts = impacts_of(scene, 0.001, pairs);
        EXPECT_EQ(moving_pairs(scene, 0.01, workspace), pairs);
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        EXPECT_EQ(std::adjacent_find(pairs.begin(), pairs.end()), pairs.end());
        if (threads == 1) {
            expected = pairs;
            expected_impacts = impacts;
            EXPECT_GT(workspace.pieces.size(), 4u);
            EXPECT_GT(impacts.size(), 100u);
        }
        EXPECT_EQ(pairs, expected);
        ASSERT_EQ(impacts.size(), expected_impacts.size());
        for (std::size_t i = 0; i < impacts.size(); ++i) {
            EXPECT_EQ(impacts[i].pair, expected_impacts[i].pair);
            EXPECT_EQ(impacts[i].time, expected_impacts[i].time);
        }
    }
}

TEST(MovingPairs, CompleteWhenTheTreeIsWornOut) {
    // Many bodies that change places.
    Random random(13);
    const int count = 24;
    CollisionScene scene = scene_of(std::vector<TriangleMesh>(count, make_sphere(0.4, 0)));
    for (int b = 0; b < count; b += 3) testing::forbid(scene.mesh, b, b);
    const auto move = [&] {
        std::vector<Vec3> by(count);
        for (int b = 0; b < count; ++b) by[b] = random.in_cube(0.8);
        scene.start = scene.end;
        for (std::size_t v = 0; v < scene.end.size(); ++v)
            scene.end[v] += by[scene.mesh.body_of_vertex[v]];
    };
    move();
    MovingPairsWorkspace workspace;
    int built = 0;
    for (int step = 0; step < 12; ++step) {
        move();
        const std::vector<int> before = workspace.order;
        ASSERT_EQ(moving_pairs(scene, 0.02, workspace), overlapping_pairs(scene, 0.02));
        built += workspace.order != before;
    }
    EXPECT_GT(built, 1);
    EXPECT_LT(built, 12);

    // Nothing is near what it was near to.
    CollisionScene grids = scene_of({make_grid({4, 4}, {12, 12}), make_grid({4, 4}, {12, 12})});
    moving_pairs(grids, 0.1, workspace);
    for (std::size_t v = 0; v < grids.start.size(); ++v)
        grids.start[v] = grids.end[v] = random.in_cube(2);
    EXPECT_EQ(moving_pairs(grids, 0, workspace), overlapping_pairs(grids, 0));
}

TEST(MovingPairs, ScalesAndFarPlaces) {
    Random random(14);
    for (const double scale : {1e-6, 1.0, 1e6})
        for (const Vec3& by : {Vec3(0, 0, 0), Vec3(1e4, -2e5, 1e6)}) {
            CollisionScene scene = random_scene(random, 0.4);
            transform(scene, scale, scale * by);
            for (const double margin : {0.0, 0.05 * scale, 3 * scale}) {
                const PrimitivePairs expected = overlapping_pairs(scene, margin);
                EXPECT_EQ(moving_pairs(scene, margin), expected);
                EXPECT_GT(expected.size(), 100u);
            }
        }
}

TEST(MovingPairs, AreFoundAtExactlyTheMargin) {
    // 0.1 and 0.3 are not what they seem: the boxes are apart by as much as doubles say.
    TriangleMesh low = make_grid({1, 1}, {2, 2}), high = low;
    for (Vec3& p : high.positions) p.y() = 0.3;
    for (Vec3& p : low.positions) p.y() = 0.1;
    const CollisionScene scene = scene_of({low, high});
    const double apart = 0.3 - 0.1;
    const auto between = [&](double margin) {
        const PrimitivePairs pairs = moving_pairs(scene, margin);
        return std::count_if(pairs.begin(), pairs.end(), [&](const PrimitivePair& pair) {
            const std::array<int, 4> v = vertices_of(scene.mesh, pair);
            return scene.mesh.body_of_vertex[v[0]] != scene.mesh.body_of_vertex[v[3]];
        });
    };
    EXPECT_GT(between(apart), 0);
    EXPECT_EQ(between(std::nextafter(apart, 0)), 0);
}

TEST(MovingPairs, OfPointsAndEndlessMargins) {
    CollisionScene scene = scene_of({make_sphere(1, 1), make_grid({1, 1}, {3, 3})});
    const PrimitivePairs all = testing::all_pairs(scene.mesh);
    EXPECT_EQ(moving_pairs(scene, 1e300), all);
    EXPECT_EQ(moving_pairs(scene, std::numeric_limits<double>::infinity()), all);
    for (Vec3& p : scene.start) p = Vec3(1, 2, 3);
    scene.end = scene.start;
    EXPECT_EQ(moving_pairs(scene, 0), all);
}

TEST(MovingPairs, FewFaces) {
    CollisionScene none;
    EXPECT_TRUE(moving_pairs(none, 1).empty());
    complete(none.mesh);
    EXPECT_TRUE(moving_pairs(none, 1).empty());

    TriangleMesh face;
    face.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}};
    face.faces = {{0, 1, 2}};
    EXPECT_TRUE(moving_pairs(scene_of({face}), 1).empty());

    CollisionScene two = scene_of({face, testing::moved(face, Vec3(0, 0, 0.5))});
    EXPECT_EQ(moving_pairs(two, 1).size(), 3u + 3u + 9u);
    testing::forbid(two.mesh, 0, 1);
    EXPECT_TRUE(moving_pairs(two, 1).empty());
}

TEST(MovingPairs, ManyFacesAtOneEdge) {
    // Non-manifold: an edge belongs to the first face only.
    TriangleMesh fan;
    fan.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}, {0.1, 0, -1}};
    fan.faces = {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}, {0, 1, 5}, {0, 1, 5}};
    const CollisionScene scene = scene_of({fan, testing::moved(fan, Vec3(0.1, 0.2, 0.3))});
    EXPECT_EQ(scene.mesh.edges.size(), 2u * 9u);
    EXPECT_EQ(moving_pairs(scene, 0.2), overlapping_pairs(scene, 0.2));
}

TEST(Impacts, AgreeWithAllPairs) {
    Random random(15);
    std::size_t total = 0;
    for (int trial = 0; trial < 20; ++trial) {
        CollisionScene scene = random_scene(random, random.uniform(0.05, 0.8));
        const double scale = std::pow(10.0, random.uniform(-6, 6));
        transform(scene, scale, scale * random.in_cube(10));
        const double distance = scale * (trial % 2 == 0 ? 0.001 : 0.05);
        const std::vector<Impact> impacts =
            impacts_of(scene, distance, moving_pairs(scene, distance));
        std::size_t next = 0;
        for (const PrimitivePair& pair : testing::all_pairs(scene.mesh)) {
            const std::optional<double> time = impact_of(scene, distance, pair);
            if (!time) continue;
            ASSERT_LT(next, impacts.size());
            ASSERT_EQ(impacts[next].pair, pair);
            EXPECT_EQ(impacts[next++].time, *time);
        }
        EXPECT_EQ(next, impacts.size());
        total += next;
    }
    EXPECT_GT(total, 2000u);
}

template <typename Error, typename Call>
std::string message_of(const Call& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST(CollisionMesh, BadInputGetsASentence) {
    TriangleMesh face;
    face.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    face.faces = {{0, 1, 2}};
    const CollisionScene good = scene_of({face, face});
    const auto completing = [&](const auto& spoil) {
        CollisionMesh mesh = good.mesh;
        spoil(mesh);
        return message_of<InputError>([&] { complete(mesh); });
    };
    EXPECT_EQ(completing([](CollisionMesh& m) { m.faces[1][2] = 6; }),
              "collision mesh: face 1 refers to vertex 6, expected 0 to 5");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.faces[1][0] = -1; }),
              "collision mesh: face 1 refers to vertex -1, expected 0 to 5");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.faces[0][1] = 2; }),
              "collision mesh: face 0 has vertex 2 twice");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.faces[0][1] = 4; }),
              "collision mesh: face 0 has vertices of bodies 0 and 1, expected one body");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.body_of_vertex[3] = 2; }),
              "collision mesh: vertex 3 is of body 2, expected 0 to 1");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.may_touch.pop_back(); }),
              "collision mesh: may_touch has 3 entries, expected 4 for 2 bodies");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.may_touch[1] = 0; }),
              "collision mesh: may_touch must be symmetric, but bodies 0 and 1 are told both");
    EXPECT_EQ(completing([](CollisionMesh& m) { m.bodies = -1; }),
              "collision mesh: expected 0 or more bodies, found -1");

    CollisionScene scene = good;
    scene.mesh.owned.clear();
    EXPECT_EQ(message_of<InputError>([&] { moving_pairs(scene, 0); }),
              "collision mesh: its edges are missing or of another mesh, expected a mesh that was "
              "completed");
    scene = good;
    scene.end.pop_back();
    EXPECT_EQ(message_of<InputError>([&] { moving_pairs(scene, 0); }),
              "collision mesh: found 5 end positions, expected one for each of 6 vertices");
    scene = good;
    scene.start[4].y() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(message_of<GeometryError>([&] { moving_pairs(scene, 0); }),
              "the start position of vertex 4 is (1, nan, 0), expected finite numbers");
    EXPECT_EQ(message_of<InputError>([&] { moving_pairs(good, -1); }),
              "moving pairs: expected a margin of 0 or more, found -1");
}

} // namespace
} // namespace knead
