#include "knead/base/parallel.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/ray.hpp"
#include "knead/spatial/surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "shapes.hpp"

namespace knead {
namespace {

// Triangles of all sizes, some of them thin, flat, or points.
TriangleMesh triangle_soup(int count, Random& random) {
    TriangleMesh mesh;
    for (int f = 0; f < count; ++f) {
        const Vec3 at = random.in_cube(1);
        const double size = std::pow(10.0, random.uniform(-4, -0.5));
        for (int corner = 0; corner < 3; ++corner)
            mesh.positions.push_back(at + random.in_cube(size));
        if (f % 7 == 0) mesh.positions.back() = mesh.positions[mesh.positions.size() - 2];
        if (f % 11 == 0) mesh.positions.back().y() = at.y();
        if (f % 13 == 0)
            for (int corner = 1; corner <= 3; ++corner)
                mesh.positions[mesh.positions.size() - corner] = at;
        mesh.faces.push_back({3 * f, 3 * f + 1, 3 * f + 2});
    }
    return mesh;
}

// Sizes and distances to the origin, in sizes.
struct Setting {
    double size, away;
};
const std::vector<Setting> settings{{1, 0},       {1e-12, 0},  {1e12, 0},  {1, 1e6},   {1, 1e12},
                                    {1e-12, 1e9}, {1e12, 1e9}, {1e-80, 0}, {1e80, 100}};

TriangleMesh placed(TriangleMesh mesh, const Setting& setting) {
    for (Vec3& p : mesh.positions) p = setting.size * (p + setting.away * Vec3(1, -0.7, 0.3));
    return mesh;
}

// Every face once, parents first, every box around what is below it, and all of it found by the
// nodes of the box tree.
void expect_sound(const Surface& surface) {
    const WideTree& tree = surface.tree();
    const BoxTree& narrow = surface.structure->tree;
    std::vector<int> found(surface.faces().size(), 0), times_below(tree.nodes.size(), 0);
    std::vector<Box> boxes(tree.nodes.size()); // of nodes, from their faces
    for (std::size_t n = tree.nodes.size(); n-- > 0;)
        for (int i = 0; i < 4; ++i) {
            const int child = tree.nodes[n][i];
            if (child == WideTree::none) continue;
            if (child >= 0) {
                ASSERT_GT(child, static_cast<int>(n));
                ASSERT_EQ(++times_below[child], 1);
                boxes[n].include(boxes[child]);
            } else {
                ++found[~child];
                boxes[n].include(surface.face_box(~child));
            }
        }
    for (const int times : found) ASSERT_EQ(times, 1);
    const double slack = 4 * surface.boxes.margin / surface.boxes.scale + surface.boxes.rounding;
    for (int n = static_cast<int>(narrow.nodes.size()); n-- > 0;) {
        Box box;
        std::function<void(int)> include = [&](int node) {
            if (narrow.nodes[node].count == 0)
                for (const int i : {0, 1}) include(narrow.nodes[node].first + i);
            else
                for (const int face : narrow.items_of(narrow.nodes[node]))
                    box.include(surface.face_box(face));
        };
        include(n);
        const Box around = surface.node_box(n);
        ASSERT_TRUE(around.contains(box.lower) && around.contains(box.upper));
        const Box most = grown(box, slack);
        ASSERT_TRUE(most.contains(around.lower) && most.contains(around.upper));
    }
}

TEST(WideTree, HoldsEveryFaceOnce) {
    Random random(41);
    for (const int count : {1, 2, 3, 4, 5, 6, 17, 300, 2000})
        for (const Setting& setting : settings) {
            const TriangleMesh mesh = placed(triangle_soup(count, random), setting);
            expect_sound(make_surface(mesh));
        }
}

TEST(WideTree, OfManyPiecesOfAFace) {
    // More triangles in a leaf than a node has children.
    const TriangleMesh whole = make_grid({2, 2}, {3, 3});
    TriangleMesh mesh;
    std::vector<int> faces;
    Random random(42);
    for (int f = 0; f < whole.face_count(); ++f)
        for (int piece = 0; piece < 1 + f * f % 23; ++piece) {
            faces.push_back(f);
            for (int corner = 0; corner < 3; ++corner) mesh.positions.push_back(random.in_cube(1));
            const int last = mesh.vertex_count();
            mesh.faces.push_back({last - 3, last - 2, last - 1});
        }
    const auto structure =
        part_structure(*make_structure(whole.positions, whole.faces), faces, mesh.faces,
                       build_topology(mesh.faces, mesh.vertex_count()));
    expect_sound(make_surface(structure, mesh.positions));
}

TEST(WideTree, OfFacesThatCrowdTowardsAPoint) {
    TriangleMesh mesh;
    for (int i = 0; i < 400; ++i) {
        const double at = std::ldexp(1.0, -i);
        mesh.positions.insert(mesh.positions.end(),
                              {{at, 0, 0}, {1.2 * at, 0.1 * at, 0}, {at, 0, 0.1 * at}});
        mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const Surface surface = make_surface(mesh);
    expect_sound(surface);
    for (int i = 0; i < 400; i += 7)
        EXPECT_EQ(closest_point(surface, mesh.positions[3 * i])->squared_distance, 0);
}

TEST(WideTree, FindsTheOverlapsOfBruteForce) {
    Random random(43);
    for (const Setting& setting : settings) {
        const TriangleMesh mesh = placed(triangle_soup(1500, random), setting);
        const Surface surface = make_surface(mesh);
        std::size_t expected = 0, visited = 0;
        for (int trial = 0; trial < 200; ++trial) {
            Box box;
            box.include(mesh.positions[random.index(mesh.vertex_count())]);
            if (trial % 2 == 0) box.include(mesh.positions[random.index(mesh.vertex_count())]);
            std::set<int> found;
            visit_overlaps(surface.tree(), surface.boxes, box,
                           [&](int face) { EXPECT_TRUE(found.insert(face).second); });
            visited += found.size();
            for (int f = 0; f < mesh.face_count(); ++f)
                if (box.overlaps(surface.face_box(f))) {
                    ++expected;
                    ASSERT_TRUE(found.contains(f));
                }
        }
        // Far away positions have few digits left, but boxes still rule most out.
        const std::size_t few = setting.away > 1e10 ? expected / 2 : expected / 1000 + 5;
        EXPECT_LE(visited, expected + few) << setting.size << " " << setting.away;
    }
}

TEST(WideTree, FindsThePairsOfBruteForce) {
    Random random(44);
    const TriangleMesh small = triangle_soup(400, random);
    for (const Setting& setting : settings)
        for (const double other_size : {1.0, 0.01, 300.0, 1e-7, 1e7}) {
            const TriangleMesh first = placed(small, setting);
            TriangleMesh second = triangle_soup(300, random);
            for (Vec3& p : second.positions)
                p = setting.size * (other_size * p + (setting.away + 0.1) * Vec3(1, -0.7, 0.3));
            const Surface a = make_surface(first), b = make_surface(second);
            std::set<std::pair<int, int>> found;
            visit_overlaps(a.tree(), a.boxes, b.tree(), b.boxes, [&](int i, int j) {
                EXPECT_TRUE(found.insert({i, j}).second);
            });
            std::size_t expected = 0;
            for (int i = 0; i < first.face_count(); ++i)
                for (int j = 0; j < second.face_count(); ++j)
                    if (a.face_box(i).overlaps(b.face_box(j))) {
                        ++expected;
                        ASSERT_TRUE(found.contains({i, j}));
                    }
            if (setting.away < 1e10 && other_size > 1e-3 && other_size < 1e3) {
                EXPECT_LE(found.size(), expected + expected / 100 + 5);
            }
        }
}

TEST(WideTree, OfNothingIsEmpty) {
    const TriangleMesh none, one = testing::tetrahedron();
    const Surface nothing = make_surface(none), something = make_surface(one);
    int visits = 0;
    visit_overlaps(nothing.tree(), nothing.boxes, Box{-Vec3::Ones(), Vec3::Ones()},
                   [&](int) { ++visits; });
    visit_overlaps(nothing.tree(), nothing.boxes, something.tree(), something.boxes,
                   [&](int, int) { ++visits; });
    visit_overlaps(something.tree(), something.boxes, nothing.tree(), nothing.boxes,
                   [&](int, int) { ++visits; });
    visit_overlaps(something.tree(), something.boxes, Box(), [&](int) { ++visits; });
    EXPECT_EQ(visits, 0);
    EXPECT_TRUE(nothing.box().empty());
}

TEST(WideTree, RefitDoesNotDependOnThreads) {
    Random random(45);
    const TriangleMesh mesh = triangle_soup(20000, random);
    std::vector<Surface> surfaces;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        surfaces.push_back(make_surface(mesh));
    }
    EXPECT_GT(surfaces[0].tree().branches.size(), 2u);
    EXPECT_FALSE(surfaces[0].tree().top.empty());
    for (const Surface& surface : surfaces) {
        ASSERT_EQ(surface.tree().nodes, surfaces[0].tree().nodes);
        for (std::size_t n = 0; n < surface.tree().nodes.size(); ++n)
            for (int side = 0; side < 6; ++side)
                for (int i = 0; i < 4; ++i)
                    ASSERT_EQ(surface.boxes.nodes[n].sides[side][i],
                              surfaces[0].boxes.nodes[n].sides[side][i]);
    }
    expect_sound(surfaces[0]);
}

TEST(WideTree, ACornerThatIsNotFiniteHidesNoOtherFace) {
    const TriangleMesh sphere = make_sphere(1, 3);
    const TriangleMesh other = testing::moved(sphere, Vec3(1.3, 0.2, 0.1));
    for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        std::vector<Vec3> positions = sphere.positions;
        positions[5].y() = bad;
        const Surface surface =
            make_surface(make_structure(sphere.positions, sphere.faces), positions);
        for (int v = 0; v < sphere.vertex_count(); v += 5) {
            const auto around = surface.topology().vertex_faces[v];
            if (std::any_of(around.begin(), around.end(), [&](int face) {
                    return std::ranges::find(sphere.faces[face], 5) != sphere.faces[face].end();
                }))
                continue;
            const auto nearest = closest_point(surface, sphere.positions[v]);
            ASSERT_TRUE(nearest);
            EXPECT_EQ(nearest->squared_distance, 0);
        }
        const auto count = [&](const Surface& a, const Surface& b) {
            int pairs = 0;
            visit_overlaps(a.tree(), a.boxes, b.tree(), b.boxes, [&](int i, int j) {
                ASSERT_LT(std::max(i, j), sphere.face_count());
                ++pairs;
            });
            return pairs;
        };
        EXPECT_GE(count(surface, make_surface(other)),
                  count(make_surface(sphere), make_surface(other)) - 100);
        EXPECT_FALSE(nearest_hit(surface, {Vec3::Constant(bad), Vec3(1, 0, 0)}));
        visit_overlaps(surface.tree(), surface.boxes, Box{Vec3::Constant(bad), Vec3::Ones()},
                       [&](int face) { ASSERT_LT(face, sphere.face_count()); });
    }
}

} // namespace
} // namespace knead
