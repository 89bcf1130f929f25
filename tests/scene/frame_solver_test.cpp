#include "knead/scene/frame_solver.hpp"

#include <gtest/gtest.h>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class FrameSolverTest : public SceneFolder {
protected:
    // Two balls that are one object, half-sunk into a rigid floor, with more keys of that object.
    static std::string two_feet(std::string_view keys = "") {
        return fmt::format("{{'name': 'feet', 'mesh': ["
                           "{{'sphere': {{'subdivisions': 3}}, 'group': 'left', 'at': "
                           "{{'translate': [-2, 0.71, 0]}}}}, "
                           "{{'sphere': {{'subdivisions': 3}}, 'group': 'right', 'at': "
                           "{{'translate': [2, 0.72, 0]}}}}] {}}}, "
                           "{{'name': 'floor', 'mesh': {{'grid': {{'size': [8, 4], 'cells': [64, "
                           "32]}}}}, 'rigid': true}}",
                           keys);
    }
    static SolvedFrame solve(const LoadedScene& scene) { return FrameSolver(scene).solve(1); }

    static bool moved(const LoadedScene& scene, const SolvedFrame& solved,
                      const std::string& group) {
        for (const int v : scene.objects[0].source.mesh.groups.at(group))
            if (solved.after[0][v] != solved.before[0][v]) return true;
        return false;
    }
};

TEST_F(FrameSolverTest, AGroupOfAContactIsResolvedAlone) {
    for (const char* which : {"left", "right"}) {
        const std::string other = which == std::string("left") ? "right" : "left";
        const LoadedScene scene = load(
            two_feet(), fmt::format("'contacts': [{{'between': ['feet:{}', 'floor']}}],", which));
        const SolvedFrame solved = solve(scene);
        EXPECT_TRUE(moved(scene, solved, which));
        EXPECT_FALSE(moved(scene, solved, other));
        EXPECT_EQ(solved.contacts[0].note, "");
    }
}

TEST_F(FrameSolverTest, ARegionIsAllThatMoves) {
    const LoadedScene scene = load(two_feet(", 'region': 'left'"));
    const SolvedFrame solved = solve(scene);
    EXPECT_TRUE(moved(scene, solved, "left"));
    EXPECT_FALSE(moved(scene, solved, "right"));
}

TEST_F(FrameSolverTest, AGroupIsCutWithTheRegion) {
    const LoadedScene scene = load(
        two_feet(", 'region': 'left'"),
        "'contacts': [{'between': ['feet:right', 'floor']}, {'between': ['feet:left', 'floor']}],");
    const SolvedFrame solved = solve(scene);
    EXPECT_TRUE(moved(scene, solved, "left"));
    EXPECT_FALSE(moved(scene, solved, "right"));
    EXPECT_EQ(solved.contacts[0].note, "no response: outside of the region");
    EXPECT_EQ(solved.contacts[1].note, "");
    // Together they are both of them alone.
    const LoadedScene left = load(two_feet(), "'contacts': [{'between': ['feet:left', 'floor']}],");
    EXPECT_EQ(solve(left).after, solved.after);
}

TEST_F(FrameSolverTest, ARegionOfTheWholeMeshChangesNoBit) {
    const std::string ball =
        "{{'name': 'ball', 'mesh': [{{'sphere': {{'subdivisions': 3}}, 'group': "
        "'all'}}], 'transform': {{'translate': [0.1, 0.7, 0]}} {}}}, "
        "{{'name': 'floor', 'mesh': {{'grid': {{'cells': [30, 30]}}}}}}";
    const SolvedFrame plain = solve(load(fmt::format(fmt::runtime(ball), "")));
    const SolvedFrame same = solve(load(fmt::format(fmt::runtime(ball), ", 'region': 'all'")));
    EXPECT_NE(plain.after[0], plain.before[0]);
    EXPECT_EQ(plain.after, same.after);
    EXPECT_EQ(plain.objects[0].u, same.objects[0].u);
}

TEST_F(FrameSolverTest, PartsOfOneObjectAreMeasuredOnly) {
    const LoadedScene scene =
        load(two_feet(), "'contacts': [{'between': ['feet:left', 'feet:right']}],");
    const SolvedFrame solved = solve(scene);
    EXPECT_EQ(solved.after, solved.before);
    EXPECT_EQ(solved.contacts[0].note, "no response: parts of one object are measured only");
}

TEST_F(FrameSolverTest, WhatIsNotAGroupIsNamed) {
    EXPECT_EQ(input_error([&] { load(two_feet(", 'region': 'middle'")); }),
              here() +
                  "scene.json:1: objects[0].region: found \"middle\", expected a vertex group; "
                  "the object has \"left\", \"right\"");
}

} // namespace
} // namespace knead
