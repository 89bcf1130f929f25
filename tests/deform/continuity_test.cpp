#include <gtest/gtest.h>

#include "jump_of.hpp"
#include "pair.hpp"

namespace knead {
namespace {

TEST(Continuity, ABallOnARigidFloorDoesNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 16);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, ABallOnASoftFloorDoesNotJump) {
    const Pair pair = ball_on_floor(-0.01, 2, 24);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

TEST(Continuity, TwoBallsDoNotJump) {
    const Pair pair = two_balls(-0.01, 1, 2);
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

// Two bumps of one mesh touch a floor one after the other, their zones grow, and merge.
TEST(Continuity, ZonesThatAppearAndMergeDoNotJump) {
    Pair pair = ball_on_floor(-0.01, 2, 40);
    TriangleMesh second = make_sphere(0.9, 2);
    for (Vec3& p : second.positions) p += Vec3(1.1, 0.98, 0.2);
    append(pair.meshes[0], second);
    pair.objects[1].rigid = true;
    EXPECT_LT(jump_of(pair), 1.0 / 500);
}

// The experiment of [Bru21] figure 7.27: a second ball lands on a sheet that bulges around the
// first.
TEST(Continuity, ASecondContactOnASheetDoesNotJump) {
    const Pair pair = ball_on_floor(0.3, 2, 30);
    TriangleMesh second = make_sphere(0.8, 2);
    const std::vector<TriangleMesh> meshes = {pair.meshes[0], pair.meshes[1], second};
    std::vector<double> times, edges;
    for (int i = 0; i <= 16; ++i) times.push_back(i / 16.0);
    for (const TriangleMesh& mesh : meshes) edges.push_back(mean_edge(mesh));
    const auto resolve = [&](double t) {
        std::vector<TriangleMesh> moved = meshes;
        for (Vec3& p : moved[2].positions) p += Vec3(1.55, 0.95 - 0.3 * t, 0.04 * t);
        std::vector<std::shared_ptr<const SurfaceStructure>> structures;
        std::vector<DeformObject> objects(3);
        for (int i = 0; i < 3; ++i) {
            structures.push_back(make_structure(moved[i].positions, moved[i].faces));
            objects[i].positions = moved[i].positions;
        }
        std::vector<DeformContact> contacts(2);
        contacts[1].first = 2;
        DeformResult result = Deformer(structures).deform(objects, contacts);
        std::vector<std::vector<Vec3>> positions;
        for (ObjectOutcome& object : result.objects)
            positions.push_back(std::move(object.positions));
        return positions;
    };
    EXPECT_LT(find_jumps(resolve, times, edges).largest.edges, 1.0 / 500);
    // What the combined fields leave: both balls are resolved, the sheet is between them.
    std::vector<std::vector<Vec3>> positions = resolve(1);
    std::vector<TriangleMesh> after = meshes;
    for (int i = 0; i < 3; ++i) after[i].positions = positions[i];
    EXPECT_LT(measure_penetration(after[0], after[1]).depth, 0.02 * 0.3);
    EXPECT_LT(measure_penetration(after[2], after[1]).depth, 0.05 * 0.15);
}

} // namespace
} // namespace knead
