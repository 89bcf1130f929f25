#include "knead/base/error.hpp"
#include "knead/spatial/surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "shapes.hpp"

namespace knead {
namespace {

TEST(Surface, KnowsWhetherItBoundsASolid) {
    const auto closed = [](const TriangleMesh& mesh) {
        return make_structure(mesh.positions, mesh.faces)->closed;
    };
    EXPECT_TRUE(closed(make_sphere(1, 1)));
    EXPECT_TRUE(closed(testing::tetrahedron()));
    EXPECT_FALSE(closed(make_grid({1, 1}, {2, 2})));
    EXPECT_FALSE(closed(TriangleMesh()));
    TriangleMesh half_turned = testing::tetrahedron();
    std::swap(half_turned.faces[0][0], half_turned.faces[0][1]);
    EXPECT_FALSE(closed(half_turned));
    // Two solids that share an edge: four faces there, yet a solid.
    TriangleMesh pair = testing::tetrahedron();
    pair.positions.insert(pair.positions.end(), {{0.5, 0.5, -3}, {3, 3, -3}});
    for (const Triangle& face : {Triangle{1, 2, 4}, {2, 1, 5}, {1, 4, 5}, {2, 5, 4}})
        pair.faces.push_back(face);
    EXPECT_TRUE(closed(pair));
}

TEST(Surface, GivesEachEdgeToOneFace) {
    for (const TriangleMesh& mesh : testing::shapes()) {
        const auto structure = make_structure(mesh.positions, mesh.faces);
        std::vector<int> owners(structure->topology.edges.size(), 0);
        for (int f = 0; f < mesh.face_count(); ++f)
            for (int i = 0; i < 3; ++i)
                owners[structure->topology.face_edges[f][i]] += structure->own_edges[f] >> i & 1;
        EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
    }
}

TEST(Surface, RefusesPositionsThatAreNotFinite) {
    TriangleMesh mesh = testing::tetrahedron();
    mesh.positions[3].y() = std::nan("");
    try {
        make_surface(mesh);
        FAIL() << "expected an error";
    } catch (const GeometryError& error) {
        EXPECT_STREQ(error.what(),
                     "face 1: its vertex 3 is at (0, nan, 1), expected finite numbers");
    }
}

TEST(Surface, APartHasATreeOfItsOwnThatFollowsTheWhole) {
    const TriangleMesh sphere = make_sphere(1, 3);
    const auto whole = make_structure(sphere.positions, sphere.faces);
    std::vector<int> faces;
    std::vector<Triangle> triangles;
    for (int f = 0; f < sphere.face_count(); ++f)
        if (sphere.positions[sphere.faces[f][0]].y() > 0.2) {
            faces.push_back(f);
            triangles.push_back(sphere.faces[f]);
        }
    const auto part =
        part_structure(*whole, faces, triangles, build_topology(triangles, sphere.vertex_count()));
    std::vector<int> items = part->tree.items;
    std::sort(items.begin(), items.end());
    ASSERT_EQ(items.size(), faces.size());
    for (std::size_t i = 0; i < items.size(); ++i) EXPECT_EQ(items[i], static_cast<int>(i));
    EXPECT_FALSE(part->closed);
    // Leaves are about as small as those of a tree that is made for the positions.
    const auto size_of_leaves = [&](const SurfaceStructure& structure) {
        double sum = 0;
        const Surface surface =
            make_surface(std::make_shared<const SurfaceStructure>(structure), sphere.positions);
        for (std::size_t n = 0; n < structure.tree.nodes.size(); ++n)
            if (structure.tree.nodes[n].count > 0)
                sum += surface.node_box(static_cast<int>(n)).diagonal();
        return sum;
    };
    EXPECT_LT(size_of_leaves(*part),
              1.3 * size_of_leaves(*make_structure(sphere.positions, triangles)));
}

TEST(Surface, MovesInPlace) {
    const TriangleMesh sphere = make_sphere(1, 3);
    const TriangleMesh other = testing::moved(sphere, Vec3(5, 0, 0));
    Surface surface = make_surface(sphere);
    const FourBoxes* boxes = surface.boxes.nodes.data();
    const Float4* points = surface.boxes.points.data();
    move(surface, other.positions);
    EXPECT_EQ(surface.boxes.nodes.data(), boxes);
    EXPECT_EQ(surface.boxes.points.data(), points);
    EXPECT_EQ(surface.box().lower, bounding_box(other.positions).lower);
    EXPECT_EQ(surface.box().upper, bounding_box(other.positions).upper);
}

TEST(Surface, VerticesWithoutFacesAreNotInItsBox) {
    TriangleMesh mesh = make_sphere(1, 2);
    const Box box = bounding_box(mesh.positions);
    mesh.positions.push_back({100, std::nan(""), 0});
    const Surface surface = make_surface(mesh);
    EXPECT_EQ(surface.box().lower, box.lower);
    EXPECT_EQ(surface.box().upper, box.upper);
}

} // namespace
} // namespace knead
