#include "knead/scene/methods/dynamics/scene_bodies.hpp"
#include "knead/scene/methods/scene_steps.hpp"

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class SceneBodiesTest : public SceneFolder {
protected:
    const std::string box = "'mesh': {'box': {'size': [1, 1, 1], 'cells': [2, 2, 2]}}";
    const std::string sheet = "'mesh': {'grid': {'size': [1, 1], 'cells': [2, 2]}}";

    SceneBodies bodies(std::string_view objects, std::string_view scene_keys = "") const {
        return make_bodies(load(objects, scene_keys));
    }
    std::string error(std::string_view objects) const {
        return input_error([&] { bodies(objects); });
    }
    BodyKind kind(const std::string& keys) const {
        return bodies("{'name': 'a', " + keys + "}").bodies.front().kind;
    }
};

TEST_F(SceneBodiesTest, AnObjectIsWhatItsBodySays) {
    EXPECT_EQ(kind(box + ", 'body': {'type': 'volume'}, 'rigid': true"), BodyKind::volume);
    EXPECT_EQ(kind(sheet + ", 'body': {'type': 'cloth'}"), BodyKind::cloth);
    EXPECT_EQ(kind(box + ", 'body': {'type': 'cloth'}"), BodyKind::cloth);
    EXPECT_EQ(kind(box + ", 'body': {'type': 'rigid'}"), BodyKind::rigid);
    EXPECT_EQ(kind(sheet + ", 'body': {'type': 'kinematic'}"), BodyKind::kinematic);
}

TEST_F(SceneBodiesTest, WithoutBodyItDependsOnTheObject) {
    EXPECT_EQ(kind(box), BodyKind::volume);
    EXPECT_EQ(kind(sheet), BodyKind::kinematic);
    EXPECT_EQ(kind(box + ", 'rigid': true"), BodyKind::kinematic);
    EXPECT_EQ(
        kind(box + ", 'transform': {'translate': {'keys': [[1, [0, 0, 0]], [2, [1, 0, 0]]]}}"),
        BodyKind::kinematic);
}

TEST_F(SceneBodiesTest, NumbersComeFromTheSceneOrAreTheDefaults) {
    const SceneBodies all = bodies(
        "{'name': 'a', " + box +
            ", 'body': {'type': 'volume', 'density': 2, 'young': 3, 'poisson': 0.25, 'damping': 4, "
            "'friction': 5, 'thickness': 6, 'cells': 7, 'pins': [3, 1, 3], 'velocity': [1, 2, 3], "
            "'angular_velocity': [4, 5, 6], 'targets': 8}, 'transform': {'translate': [9, 0, 0]}}, "
            "{'name': 'b', " +
            box + "}",
        "'up': 'z',");
    const BodyDefinition &a = all.bodies[0], &b = all.bodies[1];
    EXPECT_EQ(a.name, "a");
    EXPECT_EQ(a.material.density, 2);
    EXPECT_EQ(a.material.young, 3);
    EXPECT_EQ(a.material.poisson, 0.25);
    EXPECT_EQ(a.material.damping, 4);
    EXPECT_EQ(a.material.friction, 5);
    EXPECT_EQ(a.material.thickness, 6);
    EXPECT_EQ(a.cells, 7);
    EXPECT_EQ(a.pins, (std::vector{1, 3}));
    // Z up in the file is Y up here.
    EXPECT_EQ(a.velocity, Vec3(1, 3, -2));
    EXPECT_EQ(a.angular_velocity, Vec3(4, 6, -5));
    EXPECT_EQ(a.target_stiffness, 8);
    EXPECT_EQ(a.positions[0].x(), 8.5);
    const BodyMaterial otherwise;
    EXPECT_EQ(b.material.density, otherwise.density);
    EXPECT_EQ(b.material.young, otherwise.young);
    EXPECT_EQ(b.material.friction, otherwise.friction);
    EXPECT_EQ(b.velocity, Vec3(0, 0, 0));
    EXPECT_TRUE(b.pins.empty());
    EXPECT_TRUE(all.notes.empty());
}

TEST_F(SceneBodiesTest, StartsAtTheFirstFrameWhateverItIs) {
    const SceneBodies all = bodies(
        "{'name': 'a', " + box +
            ", 'transform': {'translate': {'keys': [[3, [1, 0, 0]], [5, [7, 0, 0]]]}}, 'body': "
            "{'type': 'volume', 'young': {'keys': [[3, 10], [5, 20]]}}}",
        "'frames': [3, 9],");
    EXPECT_EQ(all.bodies[0].positions[0].x(), 0.5);
    EXPECT_EQ(all.bodies[0].material.young, 10);
    EXPECT_EQ(all.notes,
              std::vector<std::string>{"a: body.young has keys; its value at frame 3 counts"});
}

TEST_F(SceneBodiesTest, PinsMayBeAGroupAndAreVerticesOfTheMesh) {
    write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng hem\nf 1 2 3\ng rest\nf 1 3 4\n");
    EXPECT_EQ(bodies("{'name': 'a', 'mesh': 'sheet.obj', 'body': {'type': 'cloth', 'pins': 'hem'}}")
                  .bodies[0]
                  .pins,
              (std::vector{0, 1, 2}));
}

TEST_F(SceneBodiesTest, ObjectsWithoutMeshAreLeftOut) {
    const SceneBodies all = bodies("{'name': 'field', 'skeleton': [{'point': [0, 0, 0]}]}, "
                                   "{'name': 'a', " +
                                   box + "}");
    ASSERT_EQ(all.bodies.size(), 1u);
    EXPECT_EQ(all.object_of, std::vector{1});
    EXPECT_EQ(all.body_of, (std::vector{-1, 0}));
    EXPECT_EQ(all.notes, std::vector<std::string>{"field: left out, since it has no mesh"});
}

TEST_F(SceneBodiesTest, OnlyPairsOfContactsLessThoseExcluded) {
    std::string four;
    for (const char* name : {"a", "b", "c", "d"})
        four += (four.empty() ? "" : ", ") + ("{'name': '" + std::string(name) + "', ") + box + "}";
    using Pairs = std::vector<std::array<int, 2>>;
    EXPECT_EQ(bodies(four).settings.exclude, Pairs{});
    EXPECT_EQ(bodies(four, "'exclude': [['c', 'a']],").settings.exclude, (Pairs{{0, 2}}));
    EXPECT_EQ(bodies(four, "'contacts': [{'between': ['b', 'a']}, {'between': ['c', 'd']}, "
                           "{'between': ['a', 'c']}], 'exclude': [['a', 'c']],")
                  .settings.exclude,
              (Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
    EXPECT_EQ(bodies(four, "'contacts': [],").settings.exclude.size(), 6u);
}

TEST_F(SceneBodiesTest, SettingsComeFromTheScene) {
    const std::string object = "{'name': 'a', " + box + "}";
    EXPECT_FALSE(bodies(object).settings.tolerance);
    EXPECT_FALSE(bodies(object).settings.separate_start);
    const SceneBodies asked = bodies(object, "'tolerance': 0.01, 'separate': true,");
    EXPECT_EQ(asked.settings.tolerance, 0.01);
    EXPECT_TRUE(asked.settings.separate_start);
}

TEST_F(SceneBodiesTest, BodiesThatAMeshCannotBeAreNamed) {
    const std::string at = here() + "scene.json:1: objects[0].body";
    for (const char* type : {"volume", "rigid"})
        EXPECT_EQ(error(fmt::format("{{'name': 'a', {}, 'body': {{'type': '{}'}}}}", sheet, type)),
                  fmt::format("{}: found \"{}\" of a mesh with 8 open edges, expected one that is "
                              "closed, or \"cloth\" or \"kinematic\"",
                              at, type));
    write("twisted.obj",
          "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n");
    EXPECT_EQ(error("{'name': 'a', 'mesh': 'twisted.obj', 'body': {'type': 'volume'}}"),
              at + ": found \"volume\" of a mesh whose faces disagree about outside, expected one "
                   "that is closed, or \"cloth\" or \"kinematic\"");
}

TEST_F(SceneBodiesTest, AFrameIsDividedIntoEqualSteps) {
    const auto steps = [](std::string_view keys) { return steps_of(scene_of(scene_with(keys))); };
    EXPECT_EQ(steps("'fps': 24").a_frame, 5); // 41.7 ms in pieces of at most 10
    EXPECT_EQ(steps("'fps': 100").a_frame, 1);
    EXPECT_EQ(steps("'fps': 1000").a_frame, 1);
    EXPECT_EQ(steps("'fps': 24, 'step': 0.03").a_frame, 2);
    EXPECT_EQ(steps("'fps': 48, 'step': 0.03").a_frame, 1);
    EXPECT_EQ(steps("'fps': 25, 'step': 0.01").a_frame, 4); // not five, by rounding
    EXPECT_NEAR(steps("'fps': 24, 'step': 0.03").seconds, 1.0 / 48, 1e-15);
    EXPECT_NEAR(steps("'fps': 48, 'step': 0.03").seconds, 1.0 / 48, 1e-15);
    EXPECT_EQ(input_error([&] { steps("'step': 1e-9"); }),
              "ball.json: step: found 1e-09, which divides a frame into more than 100000 steps, "
              "expected fewer");
    EXPECT_EQ(input_error([&] { steps("'fps': 1e-9"); }),
              "ball.json: fps: found 1e-09, which divides a frame into more than 100000 steps, "
              "expected fewer");
}

TEST_F(SceneBodiesTest, AStepIsToldWhereWhatMovesIsAtItsEnd) {
    const std::string move =
        ", 'transform': {'translate': {'keys': [[1, [0, 0, 0]], [2, [1, 0, 0]]], 'interpolation': "
        "'linear'}}";
    const LoadedScene scene = load(
        "{'name': 'moved', " + box + move + "}, {'name': 'still', " + box +
            ", 'rigid': true}, {'name': 'pinned', " + sheet +
            ", 'body': {'type': 'cloth', 'pins': [0]}}, {'name': 'pulled', " + sheet + move +
            ", 'body': {'type': 'cloth', 'targets': 3}}, {'name': 'free', " + sheet + move +
            ", 'body': {'type': 'cloth'}}",
        "'frames': [1, 2], 'gravity': {'keys': [[1, [0, 0, 0]], [2, [0, -8, 0]]], 'interpolation': "
        "'linear'}, 'wind': [1, 2, 3], 'air_density': 0.5,");
    const SceneBodies all = make_bodies(scene);
    const StepInput input = step_input(scene, all, 1.25, 0.125);
    EXPECT_EQ(input.seconds, 0.125);
    EXPECT_EQ(input.gravity, Vec3(0, -2, 0));
    EXPECT_EQ(input.wind, Vec3(1, 2, 3));
    EXPECT_EQ(input.air_density, 0.5);
    ASSERT_EQ(input.targets.size(), 5u);
    EXPECT_EQ(input.targets[0], positions_at(scene, 0, 1.25));
    EXPECT_TRUE(input.targets[1].empty());
    EXPECT_EQ(input.targets[2], positions_at(scene, 2, 1.25));
    EXPECT_EQ(input.targets[3][0].x(), all.bodies[3].positions[0].x() + 0.25);
    EXPECT_TRUE(input.targets[4].empty());
}

TEST_F(SceneBodiesTest, CopiesShareTheirStructure) {
    const SceneBodies all = bodies("{'name': 'a', " + box +
                                   ", 'copies': [{'name': 'b'}]}, {'name': 'c', " + sheet + "}");
    EXPECT_EQ(all.structures[0], all.structures[1]);
    EXPECT_NE(all.structures[0], all.structures[2]);
}

} // namespace
} // namespace knead
