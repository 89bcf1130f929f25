#include "knead/base/smoothstep.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/contact/mapping_direction.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

// One object pressed on a floor whose front is up, and the mapping region of one of them.
struct Pressed {
    TriangleMesh object, floor = make_grid({4, 4}, {50, 50});
    std::vector<Vec3> object_normals, floor_normals;
    Surface object_surface, floor_surface;
    Intersection intersection;

    Pressed(TriangleMesh mesh, double height) : object(std::move(mesh)) {
        for (Vec3& p : object.positions) p += Vec3(0.013, height, 0.007);
        object_normals = vertex_normals(object.positions, object.faces);
        floor_normals = vertex_normals(floor.positions, floor.faces);
        object_surface = make_surface(object);
        floor_surface = make_surface(floor);
        IntersectionWorkspace workspace;
        intersect(object_surface, floor_surface, intersection, workspace);
    }
    Mapping mapping_of(int side) const {
        const std::array<PairSide, 2> sides = {
            PairSide{&object_surface, object_normals, Vec3::UnitY(), 4},
            PairSide{&floor_surface, floor_normals, -Vec3::UnitY(), 4}};
        return map_side(sides[side], sides[1 - side], intersection.parts[side]);
    }
};

// Calls `visit(place, end, from)` for every end of the region on an edge, with what is there and
// at the vertex that it is reached from.
template <typename Visit>
int for_each_end(const Mapping& mapping, const Surface& surface, Visit visit) {
    const Topology& topology = surface.topology();
    int count = 0;
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        if (mapping.region.inside[ends[0]] == mapping.region.inside[ends[1]]) continue;
        const int in = mapping.region.inside[ends[0]] ? ends[0] : ends[1];
        const double t = mapping.region.cut[e];
        visit(Vec3((1 - t) * surface.positions[ends[0]] + t * surface.positions[ends[1]]),
              mapping.of_edge[e], mapping.of_vertex[in]);
        ++count;
    }
    return count;
}

TEST(RegionEnd, IsWhereTheMeshLeavesTheOther) {
    const Pressed scene(make_sphere(1, 4), 0.7);
    const int count =
        for_each_end(scene.mapping_of(0), scene.object_surface,
                     [&](const Vec3& place, const MappedPoint& end, const MappedPoint& from) {
                         EXPECT_NEAR(end.depth, 0, 1e-6);
                         // While a vertex goes through the border still moves there.
                         if (from.depth > 0.02) {
                             EXPECT_NEAR(place.y(), 0, 1e-5);
                         }
                     });
    EXPECT_GT(count, 20);
}

TEST(RegionEnd, IsOnTheContourOfWhatLooksAway) {
    const double height = -0.3;
    const Pressed scene(make_sphere(1, 4), height);
    const int count =
        for_each_end(scene.mapping_of(0), scene.object_surface,
                     [&](const Vec3& place, const MappedPoint& end, const MappedPoint& from) {
                         EXPECT_NEAR(end.depth, 0, 1e-6);
                         if (from.facing > 0.1) {
                             EXPECT_NEAR(place.y(), height, 1e-3);
                         }
                     });
    EXPECT_GT(count, 20);
}

TEST(RegionEnd, IsAtASideWallOfTheOtherWithAllItsDepth) {
    const Pressed scene(make_box({1, 1, 1}, {9, 9, 9}), 0.3);
    const int count =
        for_each_end(scene.mapping_of(1), scene.floor_surface,
                     [&](const Vec3& place, const MappedPoint& end, const MappedPoint&) {
                         const double across =
                             std::max(std::abs(place.x() - 0.013), std::abs(place.z() - 0.007));
                         EXPECT_NEAR(across, 0.5, 1e-9);
                         EXPECT_NEAR(end.gap, 0.2, 1e-9);
                     });
    EXPECT_GT(count, 20);
}

TEST(EaseBorder, BringsTheBorderToVerticesThatPassThrough) {
    TriangleMesh strip;
    strip.positions = {{0, -0.4, 0}, {0, 0.4, 0.01}, {1, -0.4, 0}, {1, 0.4, 0.01}};
    strip.faces = {{0, 2, 1}, {1, 2, 3}};
    const TriangleMesh floor = make_grid({8, 8}, {9, 9});
    const Surface floor_surface = make_surface(floor);
    CutSet part;
    part.inside = {1, 0, 1, 0};
    // The edge from vertex 0 to vertex 1, its ends so high above the floor.
    const auto eased = [&](double inner, double outer) {
        strip.positions[0].y() = inner;
        strip.positions[1].y() = outer;
        const Surface surface = make_surface(strip);
        part.cut.assign(surface.topology().edges.size(), 0.5);
        return ease_border(part, surface, floor_surface,
                           mean_edge_length(surface.positions, surface.topology()))
            .cut[surface.topology().find_edge(0, 1)];
    };
    const double all = 0.05 * mean_edge_length(strip.positions, make_surface(strip).topology());
    EXPECT_EQ(eased(-0.4, 0.4), 0.5);
    EXPECT_EQ(eased(0, 0.4), 0);
    EXPECT_EQ(eased(-0.4, 0), 1);
    // Half of `all` above, as far as a change of the mean edge leaves it.
    EXPECT_NEAR(eased(-0.5 * all, 0.4), 0.5 * smoothstep(0.5), 0.1);
    EXPECT_GT(eased(-0.75 * all, 0.4), eased(-0.5 * all, 0.4));
}

} // namespace
} // namespace knead
