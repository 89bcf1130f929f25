#include "knead/bulge/border_guides.hpp"
#include "knead/bulge/pair_displacement.hpp"
#include "knead/bulge/restore_volume.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "flat_disc.hpp"

namespace knead {
namespace {

TEST(PairDisplacement, AFlatPressHasConstantGuidesAndKeepsTheVolume) {
    const FlatDisc disc(0.7, 0.1);
    const BulgeMesh mesh = disc.bulge_mesh();
    std::vector<double> amplitude(disc.zone.border.size()), slope(disc.zone.border.size());
    border_guides(disc.zone, mesh, 1, mean_edge_length(mesh.positions, *mesh.topology),
                  DirectionMethod::blended, {amplitude, slope});
    for (const double at_border : amplitude) EXPECT_NEAR(at_border, 0.1, 1e-14);
    for (const double at_border : slope) EXPECT_NEAR(at_border, 0, 1e-14);
    BulgeWorkspace workspace = make_bulge_workspace(disc.topology);
    PairDisplacement pair;
    pair_displacement(disc.zone, mesh, {}, 1, {}, workspace, pair);
    for (int v = 0; v < disc.mesh.vertex_count(); ++v)
        if (!disc.zone.inside[v]) {
            EXPECT_NEAR(pair.amplitude[v], 0.1, 1e-12);
        }
    std::vector<Vec3> displaced;
    const std::vector<double> room(mesh.positions.size(), std::numeric_limits<double>::infinity());
    restore_volume(combine_displacements(std::span(&pair, 1), mesh), room, mesh, 1, displaced);
    const Vec3 origin(0, -1, 0);
    EXPECT_NEAR(signed_volume(displaced, disc.mesh.faces, origin),
                signed_volume(disc.mesh.positions, disc.mesh.faces, origin), 1e-12);
}

// What pairs do to a sheet, by two zones of different places.
struct TwoPairs {
    FlatDisc first{0.7, 0.1}, second{0.4, 0.2};
    BulgeMesh mesh = first.bulge_mesh();
    std::vector<PairDisplacement> pairs{2};

    TwoPairs() {
        BulgeWorkspace workspace = make_bulge_workspace(first.topology);
        pair_displacement(first.zone, mesh, {}, 0.8, {}, workspace, pairs[0]);
        pair_displacement(second.zone, mesh, {}, 0.3, {}, workspace, pairs[1]);
    }
    std::vector<Vec3> restored(std::span<const PairDisplacement> of, CombinedDisplacement& combined,
                               CombinedWorkspace& workspace, double room) const {
        combine_displacements(of, mesh, workspace, combined);
        std::vector<Vec3> displaced;
        restore_volume(combined, std::vector<double>(mesh.positions.size(), room), mesh, 1,
                       workspace, displaced);
        return displaced;
    }
};

TEST(PairDisplacement, MemoryThatIsUsedAgainChangesNoBit) {
    const TwoPairs of;
    CombinedDisplacement used;
    CombinedWorkspace used_workspace;
    const std::span<const PairDisplacement> all(of.pairs);
    for (const auto& [pairs, room] : {std::pair(all, 2.0),
                                      {all.first(1), 0.4},
                                      {all.last(1), 2.0},
                                      {all.first(0), 1.0},
                                      {all, 0.5}}) {
        CombinedDisplacement fresh;
        CombinedWorkspace fresh_workspace;
        EXPECT_EQ(of.restored(pairs, used, used_workspace, room),
                  of.restored(pairs, fresh, fresh_workspace, room));
        EXPECT_EQ(used.base, fresh.base);
        EXPECT_EQ(used.raise, fresh.raise);
    }
    BulgeWorkspace workspace = make_bulge_workspace(of.first.topology);
    for (const int i : {0, 1, 0}) {
        PairDisplacement again;
        pair_displacement(i == 0 ? of.first.zone : of.second.zone, of.mesh, {}, i == 0 ? 0.8 : 0.3,
                          {}, workspace, again);
        EXPECT_EQ(again.base, of.pairs[i].base);
        EXPECT_EQ(again.raise, of.pairs[i].raise);
        EXPECT_EQ(again.height, of.pairs[i].height);
    }
}

} // namespace
} // namespace knead
