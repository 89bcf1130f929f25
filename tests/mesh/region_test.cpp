#include "knead/base/error.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/region.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

void expect_maps_agree(const Region& region, const TriangleMesh& mesh) {
    ASSERT_EQ(region.of_mesh_vertex.size(), mesh.positions.size());
    ASSERT_EQ(region.of_mesh_face.size(), mesh.faces.size());
    ASSERT_EQ(region.triangles.size(), region.faces.size());
    for (int v = 0; v < region.vertex_count(); ++v)
        EXPECT_EQ(region.of_mesh_vertex[region.vertices[v]], v);
    for (int f = 0; f < region.face_count(); ++f) {
        EXPECT_EQ(region.of_mesh_face[region.faces[f]], f);
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(region.vertices[region.triangles[f][i]], mesh.faces[region.faces[f]][i]);
    }
    int vertices = 0, faces = 0;
    for (const int v : region.of_mesh_vertex) vertices += v >= 0 ? 1 : 0;
    for (const int f : region.of_mesh_face) faces += f >= 0 ? 1 : 0;
    EXPECT_EQ(vertices, region.vertex_count());
    EXPECT_EQ(faces, region.face_count());
}

TEST(Region, OfVerticesTakesTheFacesBetweenThem) {
    const TriangleMesh grid = make_grid({2, 2}, {2, 2});
    // Out of order and repeated; the lower two rows.
    const Region region = region_of_vertices(grid, std::vector{5, 4, 3, 0, 1, 2, 2});
    EXPECT_EQ(region.vertices, (std::vector{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(region.faces, (std::vector{0, 1, 2, 3}));
    expect_maps_agree(region, grid);
    const Region lone = region_of_vertices(grid, std::vector{0, 8});
    EXPECT_EQ(lone.vertex_count(), 2);
    EXPECT_EQ(lone.face_count(), 0);
    expect_maps_agree(lone, grid);
}

TEST(Region, WholeAndEmpty) {
    const TriangleMesh sphere = make_sphere(1, 2);
    const Region whole = whole_mesh(sphere);
    EXPECT_EQ(whole.triangles, sphere.faces);
    EXPECT_EQ(whole.vertex_count(), sphere.vertex_count());
    expect_maps_agree(whole, sphere);
    const Region none = region_of_vertices(sphere, {});
    EXPECT_EQ(none.vertex_count(), 0);
    expect_maps_agree(none, sphere);
}

TEST(Region, GatherAndScatterAreInverse) {
    const TriangleMesh grid = make_grid({2, 2}, {2, 2});
    const Region region = region_of_vertices(grid, std::vector{1, 3, 8});
    std::vector<double> values{0, 1, 2, 3, 4, 5, 6, 7, 8};
    std::vector<double> seen = gather(region, values);
    EXPECT_EQ(seen, (std::vector<double>{1, 3, 8}));
    for (double& value : seen) value *= 10;
    scatter(region, seen, values);
    EXPECT_EQ(values, (std::vector<double>{0, 10, 2, 30, 4, 5, 6, 7, 80}));
}

TEST(Region, BadIndicesAreNamed) {
    const auto message = [](auto make) -> std::string {
        try {
            make();
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    const TriangleMesh grid = make_grid({2, 2}, {2, 2});
    EXPECT_EQ(message([&] {
                  region_of_vertices(grid, std::vector{1, 9});
              }),
              "region: vertex 9 is not in the mesh, expected 0 to 8");
}

} // namespace
} // namespace knead
