#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/pseudonormal.hpp"

#include <gtest/gtest.h>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;

// The least distance by a search over the triangle that knows nothing of regions: points on
// segments from one corner to the opposite side, each by a clamped projection, bisected.
double sampled_distance(const Vec3& query, const std::array<Vec3, 3>& t) {
    const auto to_segment = [&](double s) {
        const Vec3 end = (1 - s) * t[1] + s * t[2], along = end - t[0];
        const double length = along.squaredNorm();
        const double w =
            length > 0 ? std::clamp((query - t[0]).dot(along) / length, 0.0, 1.0) : 0.0;
        return (query - t[0] - w * along).norm();
    };
    double low = 0, high = 1;
    for (int i = 0; i < 200; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (to_segment(a) < to_segment(b))
            high = b;
        else
            low = a;
    }
    return std::min({to_segment(low), to_segment(0), to_segment(1)});
}

TEST(ClosestPointOnTriangle, EveryRegion) {
    const std::array<Vec3, 3> t{Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(0, 4, 0)};
    const auto expect = [&](const Vec3& query, const Vec3& nearest, Feature feature, int element) {
        for (const double height : {0.0, 0.5, -2.0}) {
            const Vec3 lifted = query + Vec3(0, 0, height);
            const ClosestPoint closest = closest_point_on_triangle(lifted, t);
            EXPECT_LT((closest.position - nearest).norm(), 1e-15);
            EXPECT_NEAR(closest.squared_distance, (lifted - nearest).squaredNorm(), 1e-14);
            EXPECT_EQ(closest.feature, feature);
            EXPECT_EQ(closest.element, element);
            const Vec3& w = closest.point.barycentric;
            EXPECT_LT((w[0] * t[0] + w[1] * t[1] + w[2] * t[2] - nearest).norm(), 1e-15);
        }
    };
    expect({1, 1, 0}, {1, 1, 0}, Feature::face, 0);
    expect({1, -1, 0}, {1, 0, 0}, Feature::edge, 0);
    expect({3, 3, 0}, {2, 2, 0}, Feature::edge, 1);
    expect({-1, 3, 0}, {0, 3, 0}, Feature::edge, 2);
    expect({-1, -1, 0}, {0, 0, 0}, Feature::vertex, 0);
    expect({6, -1, 0}, {4, 0, 0}, Feature::vertex, 1);
    expect({-1, 7, 0}, {0, 4, 0}, Feature::vertex, 2);
    expect({4, 0, 0}, {4, 0, 0}, Feature::vertex, 1);
    expect({2, 2, 0}, {2, 2, 0}, Feature::edge, 1);
}

TEST(ClosestPointOnTriangle, ThinAndFlatTriangles) {
    Random random(31);
    for (int trial = 0; trial < 4000; ++trial) {
        const Vec3 a = random.in_cube(1), b = random.in_cube(1);
        const double height = std::pow(10.0, random.uniform(-14, 0));
        const std::array<Vec3, 3> t{a, b,
                                    Vec3(a + random.uniform(-0.5, 1.5) * (b - a) +
                                         (trial % 5 == 0 ? 0 : height) * random.direction())};
        const Vec3 query = random.in_cube(1.5);
        ASSERT_NEAR(std::sqrt(closest_point_on_triangle(query, t).squared_distance),
                    sampled_distance(query, t), 2e-9);
    }
    const Vec3 point(1, 2, 3);
    const ClosestPoint closest = closest_point_on_triangle(Vec3::Zero(), {point, point, point});
    EXPECT_EQ(closest.feature, Feature::vertex);
    EXPECT_DOUBLE_EQ(closest.squared_distance, 14);
}

TEST(ClosestPoint, AgreesWithBruteForce) {
    Random random(32);
    for (const TriangleMesh& shape : testing::shapes())
        for (int turn = 0; turn < 5; ++turn) {
            const testing::Pose pose = testing::random_pose(random);
            const TriangleMesh mesh = moved(shape, pose.transform);
            const Surface surface = make_surface(mesh);
            for (int trial = 0; trial < 100; ++trial) {
                const Vec3 query = pose.transform * random.in_cube(2);
                double expected = std::numeric_limits<double>::infinity();
                for (int f = 0; f < mesh.face_count(); ++f)
                    expected = std::min(
                        expected,
                        closest_point_on_triangle(query, surface.corners(f)).squared_distance);
                const auto closest = closest_point(surface, query);
                ASSERT_TRUE(closest);
                EXPECT_EQ(closest->squared_distance, expected);
                EXPECT_LT((interpolate<Vec3>(closest->point, surface.faces(), surface.positions) -
                           closest->position)
                              .norm(),
                          1e-12 * pose.scale);

                ClosestPointOptions options;
                options.first_face = random.index(mesh.face_count());
                EXPECT_EQ(closest_point(surface, query, options)->squared_distance, expected);
                options.max_squared_distance = 0.999 * expected;
                EXPECT_FALSE(closest_point(surface, query, options));
                options.max_squared_distance = expected;
                EXPECT_TRUE(closest_point(surface, query, options));
            }
        }
}

TEST(ClosestPoint, FindsAllFacesThatAreNear) {
    Random random(33);
    std::vector<ClosestPoint> found;
    for (const TriangleMesh& shape : testing::shapes()) {
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh mesh = moved(shape, pose.transform);
        const Surface surface = make_surface(mesh);
        for (int trial = 0; trial < 50; ++trial) {
            const Vec3 query = pose.transform * random.in_cube(1.2);
            const double distance = pose.scale * random.uniform(0, 1);
            find_near_faces(surface, query, distance, found);
            std::vector<char> near(mesh.face_count(), 0);
            for (const ClosestPoint& point : found) {
                EXPECT_FALSE(near[point.point.face]);
                near[point.point.face] = 1;
                const ClosestPoint expected =
                    closest_point_on_triangle(query, surface.corners(point.point.face));
                EXPECT_EQ(point.squared_distance, expected.squared_distance);
                EXPECT_EQ(point.position, expected.position);
            }
            for (int f = 0; f < mesh.face_count(); ++f)
                EXPECT_EQ(near[f] != 0,
                          closest_point_on_triangle(query, surface.corners(f)).squared_distance <=
                              distance * distance);
        }
    }
    const TriangleMesh nothing;
    find_near_faces(make_surface(nothing), Vec3::Zero(), 1, found);
    EXPECT_TRUE(found.empty());
}

// What `closest_point` finds is what looking at all faces in turn finds, to the last bit, wherever
// it starts, however large the surface is and wherever it lies.
void expect_as_without_boxes(const Surface& surface, const Vec3& query, Random& random) {
    ClosestPoint expected;
    for (int f = 0; f < static_cast<int>(surface.faces().size()); ++f) {
        const ClosestPoint candidate = closest_point_on_triangle(query, surface.corners(f));
        if (!(candidate.squared_distance < expected.squared_distance)) continue;
        expected = candidate;
        expected.point.face = f;
    }
    for (const int first : {-1, random.index(static_cast<int>(surface.faces().size()))}) {
        ClosestPointOptions options;
        options.first_face = first;
        const auto found = closest_point(surface, query, options);
        ASSERT_TRUE(found);
        ASSERT_EQ(found->squared_distance, expected.squared_distance);
        ASSERT_EQ(found->point.face, expected.point.face);
        ASSERT_EQ(found->point.barycentric, expected.point.barycentric);
        ASSERT_EQ(found->position, expected.position);
        ASSERT_EQ(found->feature, expected.feature);
    }
}

TEST(ClosestPoint, IsThatOfALookAtAllFaces) {
    Random random(34);
    std::vector<TriangleMesh> meshes = testing::shapes();
    // Faces that lie on one another, thin ones, and some that are edges or points.
    TriangleMesh bad = make_torus(0.7, 0.3, 12);
    const int count = bad.face_count();
    for (int f = 0; f < count; f += 3) bad.faces.push_back(bad.faces[f]);
    for (int v = 0; v < bad.vertex_count(); v += 4) bad.positions[v] = bad.positions[v + 1];
    for (int v = 0; v < bad.vertex_count(); v += 7)
        bad.positions[v] = 0.5 * (bad.positions[v + 1] + bad.positions[v / 2]);
    meshes.push_back(bad);
    for (const TriangleMesh& shape : meshes)
        for (const double size : {1.0, 1e-12, 1e12, 1e-60, 1e60})
            for (const double away : {0.0, 3.0, 1e5, 1e11}) {
                TriangleMesh mesh = shape;
                for (Vec3& p : mesh.positions) p = size * (p + away * Vec3(0.3, 1, -0.6));
                const Surface surface = make_surface(mesh);
                for (int trial = 0; trial < 60; ++trial) {
                    // Near and far; on vertices, above edges and above the middles of cells, where
                    // faces tie.
                    Vec3 query = random.in_cube(trial % 3 == 0 ? 1 : 3);
                    if (trial % 5 == 0) query *= 1e4;
                    if (trial % 4 == 0) query = shape.positions[random.index(shape.vertex_count())];
                    if (trial % 4 == 1) {
                        const Triangle& f = shape.faces[random.index(shape.face_count())];
                        query = 0.5 * (shape.positions[f[0]] + shape.positions[f[1]]);
                    }
                    if (trial % 8 > 3) query.y() += 0.25;
                    query = size * (query + away * Vec3(0.3, 1, -0.6));
                    ASSERT_NO_FATAL_FAILURE(expect_as_without_boxes(surface, query, random))
                        << size << " " << away << " " << trial;
                }
            }
}

TEST(ClosestPoint, KnowsTheBorder) {
    const TriangleMesh grid = make_grid({2, 2}, {4, 4});
    const Surface surface = make_surface(grid);
    const auto border = [&](const Vec3& query) {
        return on_border(surface, *closest_point(surface, query));
    };
    EXPECT_FALSE(border({0.2, -1, 0.1}));   // face
    EXPECT_FALSE(border({0.5, -1, 0.1}));   // inner edge
    EXPECT_FALSE(border({0.5, -1, 0.5}));   // inner vertex
    EXPECT_FALSE(border({0.999, -1, 0.1})); // face at the border
    EXPECT_TRUE(border({1.001, -1, 0.1}));  // border edge
    EXPECT_TRUE(border({1, -1, 0.1}));      // exactly below it
    EXPECT_TRUE(border({1.5, -1, 0.5}));    // border vertex
    EXPECT_TRUE(border({1.5, -1, 1.5}));    // corner
}

TEST(ClosestPoint, SideOfFacesEdgesAndVertices) {
    // Beside a sharp ridge the nearest face alone gives the wrong side; the pseudonormal does not.
    Random random(33);
    const TriangleMesh shape = testing::tetrahedron();
    for (int trial = 0; trial < 2000; ++trial) {
        Affine3 squeezed = testing::random_pose(random).transform;
        squeezed.scale(Vec3(1, 1, random.uniform(0.05, 3)));
        const TriangleMesh mesh = moved(shape, squeezed);
        const Surface surface = make_surface(mesh);
        const Vec3 local = random.in_cube(1.2);
        const bool inside = local.minCoeff() > 0 && local.sum() < 1;
        const Vec3 query = squeezed * local;
        const auto nearest = closest_point(surface, query);
        EXPECT_EQ(side_of(surface, query, *nearest), inside ? -1 : 1);
    }
    const Surface surface = make_surface(shape);
    for (const Vec3& on : {Vec3(0.2, 0.2, 0), Vec3(0.5, 0, 0), Vec3(0, 0, 1)})
        EXPECT_EQ(side_of(surface, on, *closest_point(surface, on)), 0);
}

TEST(ClosestPoint, SideIsThatOfThePseudonormal) {
    Random random(35);
    int on_edges = 0, on_vertices = 0, both_ways = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        // Folded over itself and with faces without area, so that faces around a point disagree.
        TriangleMesh mesh = trial % 2 ? testing::tetrahedron() : make_grid({2, 2}, {3, 3});
        for (Vec3& p : mesh.positions) p += random.in_cube(trial % 3 == 0 ? 1 : 0.1);
        if (trial % 5 == 0) mesh.positions[0] = mesh.positions[1];
        const Surface surface = make_surface(mesh);
        const Vec3 query = random.in_cube(2);
        const auto nearest = closest_point(surface, query);
        if (nearest->feature == Feature::face) continue;
        const bool edge = nearest->feature == Feature::edge;
        ++(edge ? on_edges : on_vertices);
        const Vec3 normal = edge ? edge_pseudonormal(surface, nearest->element)
                                 : vertex_pseudonormal(surface, nearest->element);
        const double product = (query - nearest->position).dot(normal);
        ASSERT_EQ(side_of(surface, query, *nearest), product > 0 ? 1 : product < 0 ? -1 : 0);
        bool front = false, back = false;
        for (const int face : edge ? surface.topology().edge_faces[nearest->element]
                                   : surface.topology().vertex_faces[nearest->element])
            (face_pseudonormal(surface, face).dot(query - nearest->position) > 0 ? front : back) =
                true;
        both_ways += front && back;
    }
    EXPECT_GT(on_edges, 300);
    EXPECT_GT(on_vertices, 300);
    EXPECT_GT(both_ways, 100);
}

TEST(ClosestPoint, OfNothing) {
    const TriangleMesh none;
    const Surface nothing = make_surface(none);
    EXPECT_FALSE(closest_point(nothing, Vec3::Zero()));
}

} // namespace
} // namespace knead
