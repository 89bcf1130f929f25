#include "knead/contact/intersection.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/mesh/measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace knead {
namespace {

constexpr double cell = 0.3;

// A sheet of rows along x, from z = first_row * cell on.
TriangleMesh make_sheet(int first_row, int rows, int columns, bool upward,
                        const std::function<Vec3(double x, double z)>& place) {
    TriangleMesh mesh;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            mesh.positions.push_back(place(c * cell, (first_row + r) * cell));
    for (int r = 0; r + 1 < rows; ++r)
        for (int c = 0; c + 1 < columns; ++c) {
            const int a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
            for (const Triangle& face : {Triangle{a, d, b}, Triangle{b, d, e}})
                mesh.faces.push_back(upward ? face : Triangle{face[0], face[2], face[1]});
        }
    return mesh;
}

// A plate with its front up, and a sheet that it shares its border x = 0 with: up to z = 0.9 the
// sheet is below the plate for 0 < x < 1 and above it from there on; further on it is below what
// would be the plate on the other side of its border.
struct Fold {
    TriangleMesh plate =
        make_sheet(-3, 14, 8, true, [](double x, double z) { return Vec3(x, 0, z); });
    TriangleMesh sheet = make_sheet(0, 7, 8, false, [](double x, double z) {
        const double y = -0.3 * x * (1 - x);
        return z < 1 ? Vec3(x, y, z) : Vec3(-0.5 * x, y, z);
    });
    Surface plate_surface = make_surface(plate), sheet_surface = make_surface(sheet);
    Intersection intersection;

    Fold() {
        IntersectionWorkspace workspace;
        intersect(sheet_surface, plate_surface, intersection, workspace, true);
    }
    const CutSet& part() const { return intersection.parts[0]; }
    bool is_shared(int vertex) const { return sheet.positions[vertex].x() == 0; }
    bool is_past_border(int vertex) const { return sheet.positions[vertex].x() < 0; }
};

TEST(SharedBorder, WhatIsBehindIsToldApartFromTheBorderAndFromWhatIsPastIt) {
    const Fold fold;
    for (int v = 0; v < fold.sheet.vertex_count(); ++v) {
        const Vec3& p = fold.sheet.positions[v];
        EXPECT_EQ(fold.part().inside[v] != 0, p.x() > 0 && p.x() < 1) << p.transpose();
    }
}

TEST(SharedBorder, CutsAreAtCrossingsAtTheSharedBorderAndWhereTheBorderIsNearer) {
    const Fold fold;
    const Topology& topology = fold.sheet_surface.topology();
    int crossing = 0, at_border = 0, past_border = 0;
    for (int e = 0; e < topology.edge_count(); ++e) {
        const Edge& ends = topology.edges[e];
        const CutSet& part = fold.part();
        if (part.inside[ends[0]] == part.inside[ends[1]]) continue;
        const int out = part.inside[ends[0]] ? 1 : 0;
        const Vec3 &a = fold.sheet.positions[ends[0]], &b = fold.sheet.positions[ends[1]];
        const Vec3 cut = a + part.cut[e] * (b - a);
        if (fold.is_shared(ends[out])) {
            EXPECT_EQ(part.cut[e], out);
            ++at_border;
        } else if (fold.is_past_border(ends[out]) && fold.sheet.positions[ends[out]].y() < 0) {
            // Below the plate its border is the nearest from x = 0 on.
            EXPECT_NEAR(cut.x(), 0, 1e-9);
            ++past_border;
        } else {
            EXPECT_NEAR(cut.y(), 0, 1e-12);
            ++crossing;
        }
    }
    EXPECT_GT(crossing, 3);
    EXPECT_GT(at_border, 3);
    EXPECT_GT(past_border, 2);
}

TEST(SharedBorder, AllThatFacesTheOtherSideIsMappedWhereverItIsLabelled) {
    const Fold fold;
    const std::vector<Vec3> normals = vertex_normals(fold.sheet.positions, fold.sheet.faces),
                            plate_normals = vertex_normals(fold.plate.positions, fold.plate.faces);
    const PairSide sheet{&fold.sheet_surface, normals, Vec3::UnitY(), 1},
        plate{&fold.plate_surface, plate_normals, -Vec3::UnitY(), 1};
    CutSet nothing = fold.part();
    nothing.inside.assign(nothing.inside.size(), 0);
    Mapping mapping = map_side(sheet, plate, nothing);
    EXPECT_TRUE(mapping.region.empty());
    mapping = map_side(sheet, plate, nothing, true);
    for (int v = 0; v < fold.sheet.vertex_count(); ++v) {
        const Vec3& p = fold.sheet.positions[v];
        if (!(p.x() > 0 && p.x() < 1)) continue;
        ASSERT_TRUE(mapping.region.inside[v]) << p.transpose();
        EXPECT_NEAR(mapping.of_vertex[v].gap, -p.y(), 1e-12);
    }
}

} // namespace
} // namespace knead
