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

TEST_F(FrameSolverTest, PartsOfOneObjectThatDoNotMeetStay) {
    const LoadedScene scene =
        load(two_feet(), "'contacts': [{'between': ['feet:left', 'feet:right']}],");
    const SolvedFrame solved = solve(scene);
    EXPECT_EQ(solved.after, solved.before);
    EXPECT_EQ(solved.contacts[0].note, "");
}

TEST_F(FrameSolverTest, PaintedNumbersOutOfRangeAreNamedWithTheirKey) {
    write("m.csv", "0\n0.5\n2\n");
    write("triangle.obj", triangle);
    const auto error = [&](std::string_view keys) {
        const std::string message = input_error([&] {
            load(fmt::format(
                "{{'name': 'a', 'mesh': 'triangle.obj', 'attributes': {{'m': 'm.csv'}}, {}}}",
                keys));
        });
        const std::string begin = here() + "scene.json:1: objects[0]";
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    };
    EXPECT_EQ(error("'envelope': {'map': 'm', 'high': 0.5}"), "no error");
    EXPECT_EQ(error("'envelope': {'map': 'm'}"),
              ".envelope.map: found 2 where \"m\" is 2, expected a number from 0 to 1");
    EXPECT_EQ(error("'extent': {'map': 'm', 'high': 2}"),
              ".extent.map: found 0 where \"m\" is 0, expected a positive number");
    EXPECT_EQ(
        error("'envelope': {'map': 'm', 'high': {'keys': [[1, 0.5], [4, 0.75]]}}"),
        ".envelope.map: found 1.5 where \"m\" is 2 at frame 4, expected a number from 0 to 1");
}

TEST_F(FrameSolverTest, WhatOnlyAFrameShowsNamesTheFrame) {
    const LoadedScene scene = load(
        two_feet(), "'contacts': [{'between': ['feet', 'floor'], 'direction': {'keys': [[1, [0, "
                    "1, 0]], [3, [0, -1, 0]]]}}],");
    EXPECT_EQ(input_error([&] { FrameSolver(scene).solve(2); }),
              here() +
                  "scene.json: frame 2: deform: contact 0 has the direction (0, 0, 0), expected "
                  "one that is finite and not zero");
}

TEST_F(FrameSolverTest, WhatIsNotAGroupIsNamed) {
    EXPECT_EQ(input_error([&] { load(two_feet(", 'region': 'middle'")); }),
              here() +
                  "scene.json:1: objects[0].region: found \"middle\", expected a vertex group; "
                  "the object has \"left\", \"right\"");
}

} // namespace
} // namespace knead
