#include "knead/bulge/bulge_patch.hpp"
#include "knead/bulge/pair_displacement.hpp"
#include "knead/bulge/radial_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "flat_disc.hpp"
#include "solved_distance.hpp"

namespace knead {
namespace {

struct PatchOfDisc {
    FlatDisc disc;
    std::shared_ptr<const SurfaceStructure> structure =
        make_structure(disc.mesh.positions, disc.mesh.faces);
    Surface surface = make_surface(structure, disc.mesh.positions);
    BulgePatches patches{structure};

    explicit PatchOfDisc(double radius, double size = 8) : disc(radius, 0.1, size) {}
};

double to_border(const ContactZone& zone, const Vec3& position) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const ZoneBorderPoint& point : zone.border)
        nearest = std::min(nearest, (point.position - position).norm());
    return nearest;
}

TEST(BulgePatch, CountsWhatIsNearTheBorderOfTheZone) {
    PatchOfDisc of(0.7);
    const Reach reach = reach_of(0.8, 0.1);
    const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.8, 0.1);
    EXPECT_LT(patch.mesh.vertices.size(), of.disc.mesh.positions.size() / 3);
    std::vector<double> weights(of.disc.mesh.positions.size(), 0);
    for (std::size_t i = 0; i < patch.weights.size(); ++i)
        weights[patch.mesh.vertices[i]] = patch.weights[i];
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const double distance = to_border(of.disc.zone, of.disc.mesh.positions[v]);
        const double t = std::clamp((reach.end - distance) / (reach.end - reach.full), 0.0, 1.0);
        const double expected = of.disc.zone.inside[v] ? 1 : t * t * (3 - 2 * t);
        EXPECT_NEAR(weights[v], expected, 1e-14) << v;
    }
}

TEST(BulgePatch, APaintedExtentCountsWhereItIsPainted) {
    PatchOfDisc of(0.7);
    std::vector<double> extents;
    for (const Vec3& p : of.disc.mesh.positions) extents.push_back(p.x() < 0 ? 0.4 : 0.8);
    const auto weights = [&](const VertexNumber& extent) {
        const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, extent, 0.1);
        std::vector<double> result(extents.size(), 0);
        for (std::size_t i = 0; i < patch.weights.size(); ++i)
            result[patch.mesh.vertices[i]] = patch.weights[i];
        return result;
    };
    const std::vector<double> painted = weights(extents), narrow = weights(0.4),
                              wide = weights(0.8);
    for (std::size_t v = 0; v < extents.size(); ++v)
        EXPECT_EQ(painted[v], (extents[v] == 0.4 ? narrow : wide)[v]) << v;
}

TEST(BulgePatch, HoldsAllOfAZoneThatIsWiderThanTheReach) {
    PatchOfDisc of(2.5);
    const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.2, 0.1);
    for (std::size_t v = 0; v < of.disc.zone.inside.size(); ++v)
        if (of.disc.zone.inside[v]) {
            EXPECT_TRUE(std::binary_search(patch.mesh.vertices.begin(), patch.mesh.vertices.end(),
                                           static_cast<int>(v)));
        }
    const ContactZone zone = zone_of_part(of.disc.zone, patch.mesh);
    EXPECT_EQ(zone.border.size(), of.disc.zone.border.size());
    for (const ZoneBorderPoint& point : zone.border) {
        const Edge& ends = patch.mesh.topology.edges[point.on_edge.edge];
        EXPECT_NE(zone.inside[ends[0]], zone.inside[ends[1]]);
    }
}

TEST(BulgePatch, WhatIsFarOverTheSurfaceDoesNotCount) {
    PatchOfDisc of(0.7);
    // The sheet is folded over at x = 1.5, so that its far half lies just below the zone.
    std::vector<Vec3> folded = of.disc.mesh.positions;
    for (Vec3& p : folded)
        if (p.x() > 1.5) p = Vec3(3 - p.x(), -0.2, p.z());
    move(of.surface, folded);
    const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.4, 0.1);
    int near = 0;
    for (std::size_t i = 0; i < patch.weights.size(); ++i) {
        if (of.disc.mesh.positions[patch.mesh.vertices[i]].x() <= 1.5) continue;
        near += to_border(of.disc.zone, folded[patch.mesh.vertices[i]]) < 0.4;
        EXPECT_EQ(patch.weights[i], 0);
    }
    EXPECT_GT(near, 20);
}

// On a sheet that is folded, against what is known of each vertex and its neighbours, again and
// again until nothing changes.
TEST(BulgePatch, AVertexCountsNoMoreThanTheBestWayToIt) {
    PatchOfDisc of(0.7);
    std::vector<Vec3> folded = of.disc.mesh.positions;
    for (Vec3& p : folded)
        if (p.x() > 1.4) p = Vec3(2.8 - p.x(), -0.15, p.z());
    move(of.surface, folded);
    const Reach reach = reach_of(0.5, 0.1);
    std::vector<double> own(folded.size()), expected(folded.size(), 0);
    for (std::size_t v = 0; v < folded.size(); ++v) {
        const double distance = to_border(of.disc.zone, folded[v]);
        const double t = std::clamp((reach.end - distance) / (reach.end - reach.full), 0.0, 1.0);
        own[v] = of.disc.zone.inside[v] ? 1 : t * t * (3 - 2 * t);
        if (of.disc.zone.inside[v]) expected[v] = 1;
    }
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < of.disc.topology.vertex_count; ++v)
            for (const int next : of.disc.topology.vertex_vertices[v])
                if (const double by = std::min(own[v], expected[next]); by > expected[v]) {
                    expected[v] = by;
                    more = true;
                }
    }
    const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.5, 0.1);
    int limited = 0;
    for (std::size_t i = 0; i < patch.weights.size(); ++i) {
        const int v = patch.mesh.vertices[i];
        EXPECT_NEAR(patch.weights[i], expected[v], 1e-14) << v;
        limited += expected[v] > 0 && expected[v] < own[v];
    }
    EXPECT_GT(limited, 3);
}

TEST(BulgePatch, AZoneThatHasJustComeInReachesNowhere) {
    PatchOfDisc of(0.7);
    ContactZone zone = of.disc.zone;
    const auto weight_beside = [&](double fade) {
        zone.vertex_fade.assign(zone.inside.size(), fade);
        const BulgePatch& patch = of.patches.about(zone, of.surface, 0.8, 0.1);
        double most = 0;
        for (std::size_t i = 0; i < patch.weights.size(); ++i)
            if (!zone.inside[patch.mesh.vertices[i]]) most = std::max(most, patch.weights[i]);
        return most;
    };
    EXPECT_EQ(weight_beside(1), 1);
    EXPECT_GT(weight_beside(0.06), 0.1);
    EXPECT_LT(weight_beside(0.06), 0.9);
    EXPECT_LT(weight_beside(1e-4), 1e-6);
    EXPECT_EQ(weight_beside(0), 0);
}

TEST(BulgePatch, AZoneThatHasJustComeInBelowAnotherReachesNowhere) {
    PatchOfDisc of(0.7);
    std::vector<Vec3> folded = of.disc.mesh.positions;
    for (Vec3& p : folded)
        if (p.x() > 1.5) p = Vec3(3 - p.x(), -0.2, p.z());
    move(of.surface, folded);
    // Near the first zone through the air, far from it over the sheet.
    ContactZone zone = of.disc.zone;
    zone.vertex_fade.assign(zone.inside.size(), 1);
    for (std::size_t v = 0; v < zone.inside.size(); ++v)
        if ((of.disc.mesh.positions[v] - Vec3(3, 0, 0)).norm() < 0.15) {
            zone.inside[v] = 1;
            zone.vertex_fade[v] = 1e-6;
        }
    const BulgePatch& patch = of.patches.about(zone, of.surface, 0.4, 0.1);
    int below = 0;
    for (std::size_t i = 0; i < patch.weights.size(); ++i) {
        if (of.disc.mesh.positions[patch.mesh.vertices[i]].x() <= 1.5) continue;
        below += zone.inside[patch.mesh.vertices[i]];
        EXPECT_LT(patch.weights[i], 1e-12);
    }
    EXPECT_GT(below, 2);
}

TEST(BulgePatch, ADisplacementOnItIsNearlyThatOfTheWholeMesh) {
    PatchOfDisc of(0.7);
    const BulgeMesh mesh = of.disc.bulge_mesh();
    BulgeWorkspace workspace = make_bulge_workspace(of.disc.topology);
    PairDisplacement whole, part;
    pair_displacement(of.disc.zone, mesh, {}, 1, {}, workspace, whole);

    BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 1, 0.1);
    const std::vector<Vec3> positions = patch.mesh.gather(mesh.positions);
    const std::vector<Vec3> normals = patch.mesh.gather(mesh.normals);
    const std::vector<char> border = patch.mesh.gather(mesh.border);
    pair_displacement(
        zone_of_part(of.disc.zone, patch.mesh),
        {positions, normals, patch.mesh.triangles, &patch.mesh.topology, border, patch.weights}, {},
        1, {}, patch.workspace, part);
    ASSERT_LT(part.vertices.size(), whole.vertices.size() / 2);
    std::vector<Vec3> difference = whole.base;
    for (std::size_t i = 0; i < part.vertices.size(); ++i)
        difference[patch.mesh.vertices[i]] -= part.base[i];
    for (const Vec3& way : difference) EXPECT_LT(way.norm(), 2e-4);
    EXPECT_NEAR(part.height, whole.height, 0.01 * whole.height);
}

TEST(BulgePatch, AZoneSeenFromAPartLeavesNothingOfTheOneBefore) {
    PatchOfDisc of(0.7), other(1.1);
    const BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.8, 0.1);
    ContactZone before = other.disc.zone;
    const std::size_t n = before.inside.size();
    before.fade.assign(n, 0.5);
    before.vertex_fade.assign(n, 0.5);
    before.face_fade.assign(of.structure->faces.size(), 0.5);
    before.outwards.assign(n, Vec3::UnitX());
    before.bulge_room.assign(n, 0.5);
    ContactZone used;
    zone_of_part(before, patch.mesh, used);
    zone_of_part(of.disc.zone, patch.mesh, used);
    const ContactZone fresh = zone_of_part(of.disc.zone, patch.mesh);
    EXPECT_EQ(used.inside, fresh.inside);
    EXPECT_EQ(used.target, fresh.target);
    EXPECT_EQ(used.border_of_edge, fresh.border_of_edge);
    ASSERT_EQ(used.border.size(), fresh.border.size());
    for (std::size_t b = 0; b < used.border.size(); ++b)
        EXPECT_EQ(used.border[b].position, fresh.border[b].position);
    EXPECT_TRUE(used.fade.empty() && used.vertex_fade.empty() && used.face_fade.empty() &&
                used.outwards.empty() && used.bulge_room.empty());
}

TEST(BulgePatch, WhatWasAskedBeforeChangesNoBit) {
    PatchOfDisc fresh(0.7), used(0.7);
    for (double extent = 0.3; extent < 2; extent += 0.1)
        used.patches.about(used.disc.zone, used.surface, extent, 0.1);
    const auto distances = [](PatchOfDisc& of) {
        BulgePatch& patch = of.patches.about(of.disc.zone, of.surface, 0.8, 0.1);
        const ContactZone zone = zone_of_part(of.disc.zone, patch.mesh);
        const std::vector<Vec3> positions =
            patch.mesh.gather<Vec3>(std::span(of.disc.mesh.positions));
        const CutRegion region =
            cut_region(zone, positions, patch.mesh.triangles, patch.mesh.topology, patch.weights);
        const std::vector<char> border(positions.size(), 0);
        return solved_distance(prepare_radial_field, region, zone, positions, patch.mesh.triangles,
                               border, patch.workspace);
    };
    EXPECT_EQ(distances(fresh), distances(used));
}

} // namespace
} // namespace knead
