#include "knead/base/parallel.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/winding.hpp"

#include <gtest/gtest.h>

#include <map>

#include "shapes.hpp"

namespace knead {
namespace {

using testing::moved;

struct Place {
    double t;
    Vec3 barycentric;
};
using Places = std::map<std::pair<int, int>, Place>;

// Every edge against every face, by plain arithmetic.
Places brute_force(const Surface& edges, const Surface& faces) {
    Places places;
    for (int e = 0; e < edges.topology().edge_count(); ++e)
        for (int f = 0; f < static_cast<int>(faces.faces().size()); ++f) {
            const Edge& edge = edges.topology().edges[e];
            const Vec3 &p = edges.positions[edge[0]], &q = edges.positions[edge[1]];
            const auto [a, b, c] = faces.corners(f);
            Mat3 system;
            system << p - q, b - a, c - a;
            const Vec3 x = system.fullPivLu().solve(p - a);
            const double w = 1 - x[1] - x[2];
            if (x[0] >= 0 && x[0] <= 1 && x[1] >= 0 && x[2] >= 0 && w >= 0)
                places[{e, f}] = {x[0], {w, x[1], x[2]}};
        }
    return places;
}

void expect_same(const std::vector<Crossing>& found, const Places& expected, const Surface& edges,
                 const Surface& faces, double scale) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Crossing& crossing = found[i];
        const auto place = expected.find({crossing.edge.edge, crossing.face.face});
        ASSERT_NE(place, expected.end());
        EXPECT_NEAR(crossing.edge.t, place->second.t, 1e-9);
        EXPECT_LT((crossing.face.barycentric - place->second.barycentric).norm(), 1e-9);
        EXPECT_LT((crossing.position -
                   interpolate<Vec3>(crossing.edge, edges.topology().edges, edges.positions))
                      .norm(),
                  1e-12 * scale);
        EXPECT_LT(
            (crossing.position - interpolate<Vec3>(crossing.face, faces.faces(), faces.positions))
                .norm(),
            1e-11 * scale);
        const auto [a, b, c] = faces.corners(crossing.face.face);
        const Edge& edge = edges.topology().edges[crossing.edge.edge];
        EXPECT_EQ(crossing.entering, (b - a).cross(c - a).dot(edges.positions[edge[1]] -
                                                              edges.positions[edge[0]]) < 0);
        if (i > 0) {
            const Crossing& before = found[i - 1];
            EXPECT_LE(std::pair(before.edge.edge, before.edge.t),
                      std::pair(crossing.edge.edge, crossing.edge.t));
        }
    }
}

bool same(const std::vector<Crossing>& a, const std::vector<Crossing>& b) {
    return std::equal(
        a.begin(), a.end(), b.begin(), b.end(), [](const Crossing& x, const Crossing& y) {
            return x.edge.edge == y.edge.edge && x.edge.t == y.edge.t &&
                   x.face.face == y.face.face && x.face.barycentric == y.face.barycentric &&
                   x.position == y.position && x.entering == y.entering;
        });
}

TEST(Crossings, AgreeWithBruteForceAtRandomPosesAndScales) {
    Random random(11);
    int crossing_pairs = 0;
    for (int trial = 0; trial < 30; ++trial) {
        const auto [a, b] = testing::random_pair(random);
        const testing::Pose pose = testing::random_pose(random);
        const TriangleMesh at_a = moved(a, pose.transform), at_b = moved(b, pose.transform);
        const Surface surface_a = make_surface(at_a), surface_b = make_surface(at_b);
        const Crossings crossings = find_crossings(surface_a, surface_b);
        crossing_pairs += !crossings.empty();
        expect_same(crossings.of_a, brute_force(surface_a, surface_b), surface_a, surface_b,
                    pose.scale);
        expect_same(crossings.of_b, brute_force(surface_b, surface_a), surface_b, surface_a,
                    pose.scale);
    }
    EXPECT_GT(crossing_pairs, 20);
}

TEST(Crossings, RefitFindsWhatANewTreeFinds) {
    Random random(12);
    const TriangleMesh a = make_sphere(1, 3), b = make_torus(1, 0.4, 24);
    Surface surface_a = make_surface(a), surface_b = make_surface(b);
    Crossings result;
    CrossingWorkspace workspace;
    for (int trial = 0; trial < 10; ++trial) {
        TriangleMesh bent = moved(b, Affine3(random.rotation()));
        for (Vec3& p : bent.positions) p += 0.1 * Vec3(std::sin(3 * p.y()), p.x() * p.z(), 0);
        move(surface_b, bent.positions);
        find_crossings(surface_a, surface_b, result, workspace);
        const Crossings rebuilt = find_crossings(make_surface(a), make_surface(bent));
        EXPECT_FALSE(rebuilt.empty());
        EXPECT_TRUE(same(result.of_a, rebuilt.of_a));
        EXPECT_TRUE(same(result.of_b, rebuilt.of_b));
    }
}

TEST(Crossings, DoNotDependOnThreads) {
    const TriangleMesh a = make_sphere(1, 5), b = moved(make_sphere(1, 5), Vec3(0.1, 0.2, 0.05));
    const Surface surface_a = make_surface(a), surface_b = make_surface(b);
    std::vector<Crossings> results;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        results.push_back(find_crossings(surface_a, surface_b));
    }
    EXPECT_GT(results[0].of_a.size(), 100u);
    for (const Crossings& result : results) {
        EXPECT_TRUE(same(result.of_a, results[0].of_a));
        EXPECT_TRUE(same(result.of_b, results[0].of_b));
    }
}

int crossing_edges(const TriangleMesh& a, const TriangleMesh& b) {
    return count_crossing_edges(find_crossings(make_surface(a), make_surface(b)));
}

TEST(Crossings, TouchingIsNotCrossing) {
    for (const int n : {1, 2, 5}) {
        const TriangleMesh box = make_box({2, 2, 2}, {n, n, n});
        const auto expect_none = [&](const TriangleMesh& other) {
            EXPECT_EQ(crossing_edges(box, other), 0);
            EXPECT_EQ(crossing_edges(other, box), 0);
        };
        for (const Vec3& along : {Vec3(2, 0, 0), Vec3(0, -2, 0), Vec3(0, 2, 2), Vec3(2, 2, -2)})
            expect_none(moved(box, along));          // whole faces, whole edges, single corners
        expect_none(moved(box, Vec3(2, 0.5, 0.25))); // part of a face
        expect_none(moved(box, Vec3(2, 2, 0.75)));   // part of an edge
        expect_none(moved(testing::tetrahedron(), Vec3(0.25, 1, 0.125))); // coplanar on top
        // A tip on the middle of a face, on an edge, on a corner.
        for (const Vec3& tip : {Vec3(0.2, 1, 0.1), Vec3(1, 1, 0.25), Vec3(1, 1, 1)}) {
            TriangleMesh needle = testing::tetrahedron();
            needle.positions = {tip, tip + Vec3(1, 4, 0), tip + Vec3(0, 4, 1), tip + Vec3(0, 5, 0)};
            needle.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
            for (Triangle& face : needle.faces) std::swap(face[1], face[2]);
            ASSERT_TRUE(make_surface(needle).closed());
            expect_none(needle);
        }
        expect_none(box); // coincident
    }
}

TEST(Crossings, ThroughAnEdgeOrAVertexMeetExactlyOneFace) {
    // The axis of the needle goes through the middle, an edge and a vertex of a flat grid.
    const TriangleMesh grid = make_grid({4, 4}, {4, 4});
    const Surface floor = make_surface(grid);
    for (const Vec3& through :
         {Vec3(0.3, 0, 0.4), Vec3(0.5, 0, 0), Vec3(0, 0, 0.5), Vec3(0.5, 0, 0.5), Vec3(1, 0, -1)}) {
        TriangleMesh triangle;
        triangle.positions = {through + Vec3(0, 1, 0), through - Vec3(0, 1, 0),
                              through + Vec3(0.01, 1, 0.02)};
        triangle.faces = {{0, 1, 2}};
        const Crossings crossings = find_crossings(make_surface(triangle), floor);
        std::vector<Crossing> of_axis;
        for (const Crossing& crossing : crossings.of_a)
            if (crossing.edge.edge == 0) of_axis.push_back(crossing);
        ASSERT_EQ(of_axis.size(), 1u);
        EXPECT_EQ(of_axis[0].edge.t, 0.5);
        EXPECT_EQ(of_axis[0].position, through);
        EXPECT_LT(
            (interpolate<Vec3>(of_axis[0].face, floor.faces(), floor.positions) - through).norm(),
            1e-15);
        EXPECT_TRUE(of_axis[0].entering);
    }
}

TEST(Crossings, FromAVertexOnTheSurfaceInwardsCross) {
    // A tip exactly on the surface is outside; the edges from there into the solid pass through.
    const TriangleMesh box = make_box({2, 2, 2}, {2, 2, 2});
    for (const Vec3& tip : {Vec3(0.3, 1, 0.1), Vec3(0, 1, 0.4), Vec3(0, 1, 0)}) {
        TriangleMesh wedge;
        wedge.positions = {tip, tip + Vec3(0.1, -1, 0), tip + Vec3(0, -1, 0.2)};
        wedge.faces = {{0, 1, 2}};
        const Crossings crossings = find_crossings(make_surface(wedge), make_surface(box));
        ASSERT_EQ(crossings.of_a.size(), 2u);
        for (const Crossing& crossing : crossings.of_a) {
            EXPECT_EQ(crossing.edge.t, 0);
            EXPECT_EQ(crossing.position, tip);
            EXPECT_TRUE(crossing.entering);
        }
    }
}

TEST(Crossings, OfDegenerateContactAreConsistent) {
    // Boxes, tori and tetrahedra on one lattice: coplanar faces, collinear edges and coincident
    // vertices everywhere. Going around any face of one mesh, entries and exits must balance, and
    // vertices strictly inside or outside a box are known.
    Random random(13);
    int degenerate = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const auto lattice_box = [&](Box& extent) {
            const Vec3 size(1 + random.index(3), 1 + random.index(3), 1 + random.index(3));
            const Vec3 at(random.index(4), random.index(4), random.index(4));
            const std::array<int, 3> cells{static_cast<int>(size.x()), static_cast<int>(size.y()),
                                           static_cast<int>(size.z())};
            extent = {at, at + size};
            return moved(make_box(size, cells), Vec3(at + 0.5 * size));
        };
        Box extent_a, extent_b;
        const TriangleMesh a = lattice_box(extent_a), b = lattice_box(extent_b);
        const Surface surface_a = make_surface(a), surface_b = make_surface(b);
        const Crossings crossings = find_crossings(surface_a, surface_b);
        const WindingNumbers winding = vertex_winding_numbers(surface_a, surface_b, crossings);

        const auto check = [&](const Surface& surface, const std::vector<Crossing>& along,
                               const std::vector<int>& numbers, const Box& other) {
            std::vector<int> change(surface.topology().edges.size(), 0);
            for (const Crossing& crossing : along) {
                change[crossing.edge.edge] += crossing.entering ? 1 : -1;
                degenerate += crossing.edge.t == 0 || crossing.edge.t == 1;
                ASSERT_TRUE(crossing.position.allFinite());
            }
            for (int e = 0; e < surface.topology().edge_count(); ++e) {
                const Edge& edge = surface.topology().edges[e];
                ASSERT_EQ(numbers[edge[1]] - numbers[edge[0]], change[e]);
            }
            for (std::size_t v = 0; v < numbers.size(); ++v) {
                const Vec3& p = surface.positions[v];
                const double depth =
                    std::min((p - other.lower).minCoeff(), (other.upper - p).minCoeff());
                if (depth > 0.1) {
                    ASSERT_EQ(numbers[v], 1);
                }
                if (depth < -0.1) {
                    ASSERT_EQ(numbers[v], 0);
                }
            }
        };
        check(surface_a, crossings.of_a, winding.of_a, extent_b);
        check(surface_b, crossings.of_b, winding.of_b, extent_a);
    }
    EXPECT_GT(degenerate, 500);
}

TEST(Crossings, CurvesOfDegenerateContactAreClosed) {
    // Each pair of faces that cross has exactly two ends of a common segment.
    Random random(14);
    int segments = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const TriangleMesh a = make_box({2, 2, 2}, {2, 2, 2});
        const TriangleMesh b =
            moved(trial % 2 ? a : make_sphere(1, 0),
                  Vec3(random.index(3) - 1, random.index(3) - 1, random.index(3)));
        const Surface surface_a = make_surface(a), surface_b = make_surface(b);
        const Crossings crossings = find_crossings(surface_a, surface_b);
        std::map<std::pair<int, int>, int> ends;
        for (const Crossing& c : crossings.of_a)
            for (const int face : surface_a.topology().edge_faces[c.edge.edge])
                ++ends[{face, c.face.face}];
        for (const Crossing& c : crossings.of_b)
            for (const int face : surface_b.topology().edge_faces[c.edge.edge])
                ++ends[{c.face.face, face}];
        for (const auto& [faces, count] : ends) EXPECT_EQ(count, 2);
        segments += static_cast<int>(ends.size());
    }
    EXPECT_GT(segments, 1000);
}

TEST(Crossings, CountEdgesOnce) {
    // One long edge through both walls of a box.
    TriangleMesh blade;
    blade.positions = {{-5, 0.1, 0.2}, {5, 0.1, 0.2}, {0, 9, 0.2}};
    blade.faces = {{0, 1, 2}};
    const TriangleMesh box = make_box({2, 2, 2}, {1, 1, 1});
    const Crossings crossings = find_crossings(make_surface(blade), make_surface(box));
    ASSERT_EQ(crossings.of_a.size(), 2u);
    EXPECT_NEAR(crossings.of_a[0].edge.t, 0.4, 1e-15);
    EXPECT_NEAR(crossings.of_a[1].edge.t, 0.6, 1e-15);
    EXPECT_TRUE(crossings.of_a[0].entering);
    EXPECT_FALSE(crossings.of_a[1].entering);
    EXPECT_EQ(count_crossing_edges(crossings), 1 + static_cast<int>(crossings.of_b.size()));
}

TEST(Crossings, SurvivePositionsThatAreNotFinite) {
    // Animation may bring them after the structure was made; nothing is promised but an end.
    const TriangleMesh a = make_sphere(1, 3), b = moved(a, Vec3(0.5, 0, 0));
    const Surface surface_b = make_surface(b);
    Surface surface = make_surface(a);
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
        TriangleMesh broken = a;
        for (std::size_t v = 0; v < broken.positions.size(); v += 7)
            broken.positions[v][static_cast<int>(v % 3)] = value;
        move(surface, broken.positions);
        for (const Crossing& crossing : find_crossings(surface, surface_b).of_a) {
            EXPECT_GE(crossing.edge.t, 0);
            EXPECT_LE(crossing.edge.t, 1);
        }
    }
}

TEST(Crossings, OfEmptyAndFlatMeshes) {
    const TriangleMesh none, box = make_box({1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(crossing_edges(none, box), 0);
    EXPECT_EQ(crossing_edges(box, none), 0);
    EXPECT_EQ(crossing_edges(none, none), 0);
    // Faces without area, as a point and as a line through the box.
    TriangleMesh flat;
    flat.positions = {
        {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}, {0.1, 3, 0.3}, {0.1, -3, 0.3}};
    flat.faces = {{0, 1, 2}, {0, 3, 4}};
    const Crossings crossings = find_crossings(make_surface(flat), make_surface(box));
    EXPECT_EQ(count_crossing_edges(crossings), 3);
}

TEST(Crossings, WhatSharesABorderCrossesOnlyAwayFromIt) {
    // A sheet folded on itself, cut along the fold: its two halves share the points there.
    const TriangleMesh sheet = make_grid({2, 2}, {12, 11});
    TriangleMesh halves[2];
    for (const Triangle& face : sheet.faces) {
        double x = 0;
        for (const int v : face) x += sheet.positions[v].x();
        halves[x > 0].faces.push_back(face);
    }
    for (int h = 0; h < 2; ++h)
        for (const Vec3& p : sheet.positions) {
            const double bend = p.x() > 1e-9 ? 0.3 * p.x() * std::sin(5 * p.x() + 2 * p.z()) : 0;
            halves[h].positions.push_back(Vec3(-std::abs(p.x()), bend, p.z()));
        }
    const Surface a = make_surface(halves[0]), b = make_surface(halves[1]);
    Crossings all, some;
    CrossingWorkspace workspace;
    find_crossings(a, b, all, workspace);
    find_crossings(a, b, some, workspace, true);
    const auto touches = [](const Surface& surface, const Surface& other,
                            const Crossing& crossing) {
        for (const int end : surface.topology().edges[crossing.edge.edge])
            for (const Vec3& corner : other.corners(crossing.face.face))
                if (surface.positions[end] == corner) return true;
        return false;
    };
    std::erase_if(all.of_a, [&](const Crossing& c) { return touches(a, b, c); });
    std::erase_if(all.of_b, [&](const Crossing& c) { return touches(b, a, c); });
    EXPECT_GT(some.of_a.size() + some.of_b.size(), 10u);
    const auto expect_same = [](const std::vector<Crossing>& x, const std::vector<Crossing>& y) {
        ASSERT_EQ(x.size(), y.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(x[i].edge.edge, y[i].edge.edge);
            EXPECT_EQ(x[i].face.face, y[i].face.face);
            EXPECT_EQ(x[i].position, y[i].position);
            EXPECT_EQ(x[i].entering, y[i].entering);
        }
    };
    expect_same(all.of_a, some.of_a);
    expect_same(all.of_b, some.of_b);
}

} // namespace
} // namespace knead
