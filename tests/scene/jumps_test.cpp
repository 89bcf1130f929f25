#include "knead/base/parallel.hpp"
#include "knead/scene/run/jumps.hpp"

#include "input_error.hpp"
#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class Jumps : public SceneFolder {
protected:
    // A ball and a rigid floor; the ball moves as given.
    LoadedScene ball_moving(std::string_view keys, std::string_view scene_keys) const {
        return load(
            fmt::format(
                "{{'name': 'ball', 'mesh': {{'sphere': {{'radius': 1, 'subdivisions': 2}}}}, "
                "'transform': {{'rotate': [10, 20, 30], 'translate': {{'keys': {}}}}}}}, "
                "{{'name': 'floor', 'rigid': true, "
                "'mesh': {{'grid': {{'size': [4, 4], 'cells': [8, 8]}}}}}}",
                keys),
            scene_keys);
    }
};

TEST_F(Jumps, ABallThatSinksDoesNotJump) {
    const LoadedScene scene =
        ball_moving("[[1, [0, 1.05, 0]], [9, [0, 0.7, 0]]]", "'frames': [1, 9],");
    const JumpReport report = find_jumps(scene, {1, 9, 1});
    EXPECT_EQ(report.steps, 8);
    EXPECT_TRUE(report.jumps.empty());
    EXPECT_EQ(report.largest.object, 0);
    EXPECT_LT(report.largest.edges, jump_bound);
    EXPECT_GT(report.largest.size, 0);
}

// The ball is thrown into the floor within a millionth of a frame: the user's own jump, and the
// contact that comes with it.
TEST_F(Jumps, AJumpOfTheInputIsSaidToBeOne) {
    const LoadedScene scene = ball_moving(
        "[[1, [0, 1.1, 0]], [2.4, [0, 1.1, 0]], [2.4000001, [0, 0.8, 0]], [4, [0, 0.8, 0]]]",
        "'frames': [1, 4],");
    const JumpReport report = find_jumps(scene, {1, 4, 1});
    ASSERT_EQ(report.jumps.size(), 1u);
    const SceneJump& jump = report.jumps[0];
    EXPECT_NEAR(jump.low, 2.4, 1.1e-6);
    EXPECT_NEAR(jump.high, 2.4, 1.1e-6);
    EXPECT_EQ(jump.object, 0);
    EXPECT_NEAR(jump.input_size, 0.3, 1e-9);
    EXPECT_GT(jump.size, 0.1);
    EXPECT_GT(jump.edges, 0.3);
    EXPECT_EQ(jump.at_low, ContactState());
    EXPECT_EQ(jump.at_high.zones, 1);
    EXPECT_EQ(jump.at_high.in_contact, std::vector<int>{0});
    EXPECT_GT(jump.at_high.zone_vertices, 3);
    EXPECT_EQ(describe_change(scene.scene, jump),
              fmt::format("in contact none to ball and floor, zones 0 to 1, zone vertices 0 to {}",
                          jump.at_high.zone_vertices));
    EXPECT_EQ(report.largest.size, jump.size);
}

TEST_F(Jumps, AStepThatDoesNotDivideTheFramesEndsEarly) {
    const LoadedScene scene = ball_moving(
        "[[1, [0, 1.1, 0]], [3.9, [0, 1.1, 0]], [3.9000001, [0, 1.2, 0]]]", "'frames': [1, 4],");
    const JumpReport report = find_jumps(scene, {1, 4, 2});
    EXPECT_EQ(report.steps, 2);
    ASSERT_EQ(report.jumps.size(), 1u);
    EXPECT_NEAR(report.jumps[0].high, 3.9, 2e-6);
    EXPECT_EQ(describe_change(scene.scene, report.jumps[0]), "nothing to be seen");
}

TEST_F(Jumps, ThreadsChangeNothing) {
    const LoadedScene scene =
        ball_moving("[[1, [0, 1.05, 0]], [5, [0, 0.7, 0]]]", "'frames': [1, 5],");
    std::vector<JumpReport> reports;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        reports.push_back(find_jumps(scene, {1, 5, 1}));
    }
    for (const JumpReport& report : reports) {
        EXPECT_EQ(report.largest.low, reports[0].largest.low);
        EXPECT_EQ(report.largest.size, reports[0].largest.size);
    }
}

TEST_F(Jumps, OneFrameIsNoMotion) {
    const LoadedScene scene = ball_moving("[[1, [0, 1, 0]]]", "");
    EXPECT_EQ(input_error([&] {
                  find_jumps(scene, {3, 3, 1});
              }),
              here() +
                  "scene.json: found the frame 3 alone, expected a range of frames to look for "
                  "jumps in");
}

} // namespace
} // namespace knead
