#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/solve/elimination_plan.hpp"
#include "knead/spatial/tree_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace knead {
namespace {

TEST(TreeOrder, FillsLittleMoreThanNestedDissection) {
    for (const TriangleMesh& mesh : {make_sphere(1, 5), make_torus(1, 0.35, 150)}) {
        const auto structure = make_structure(mesh.positions, mesh.faces);
        const std::vector<int> order = tree_elimination_order(*structure);
        std::vector<int> sorted = order;
        std::sort(sorted.begin(), sorted.end());
        ASSERT_EQ(sorted.size(), mesh.positions.size());
        for (std::size_t v = 0; v < sorted.size(); ++v) ASSERT_EQ(sorted[v], static_cast<int>(v));

        const SparseMatrix matrix = laplacian_pattern(structure->topology).structure;
        const auto by_tree = plan_elimination(matrix, order), by_graph = plan_elimination(matrix);
        const double fill = static_cast<double>(by_tree->panel_values) /
                            static_cast<double>(by_graph->panel_values);
        RecordProperty("fill", std::to_string(fill));
        EXPECT_LT(fill, 1.5);
    }
}

TEST(TreeOrder, VerticesWithoutFacesAreInItToo) {
    TriangleMesh mesh = make_sphere(1, 1);
    mesh.positions.push_back(Vec3(5, 5, 5));
    const std::vector<int> order =
        tree_elimination_order(*make_structure(mesh.positions, mesh.faces));
    EXPECT_EQ(order.size(), mesh.positions.size());
    EXPECT_EQ(order.front(), mesh.vertex_count() - 1);
}

} // namespace
} // namespace knead
