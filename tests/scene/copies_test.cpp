// `copies` of an object: the same one again, with other values for some keys.

#include "knead/base/file.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/run/run_scene.hpp"

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

std::string keys_with(std::string_view copies) {
    return fmt::format(
        "{{'knead': 1, 'objects': [\n"
        "  {{'name': 'K1', 'mesh': {{'torus': {{'resolution': 12}}}}, 'stiffness': 2,\n"
        "   'transform': {{'scale': 3}}, 'color': [1, 0, 0],\n"
        "   'copies': [{}] }},\n"
        "  {{'name': 'floor', 'mesh': {{'grid': {{}}}}, 'rigid': true}} ] }}",
        copies);
}

TEST(Copies, AreObjectsOfTheirOwn) {
    const Scene scene = scene_of(keys_with("{'name': 'K2', 'color': [0, 1, 0]},\n"
                                           "{'name': 'K3', 'transform': {'translate': [1, 2, 3]}, "
                                           "'body': {'type': 'rigid'}}"));
    ASSERT_EQ(scene.objects.size(), 4u);
    const SceneObject &first = scene.objects[0], &second = scene.objects[1],
                      &third = scene.objects[2];
    EXPECT_EQ(first.name, "K1");
    EXPECT_EQ(second.name, "K2");
    EXPECT_EQ(third.name, "K3");
    EXPECT_EQ(scene.objects[3].name, "floor");
    EXPECT_EQ(second.color, Vec3(0, 1, 0));
    EXPECT_EQ(third.color, Vec3(1, 0, 0));
    EXPECT_EQ(second.stiffness.value.at(1), 2);
    EXPECT_EQ(second.transform.scale.at(1), Vec3(3, 3, 3));
    // A key that is given takes the place of the whole value.
    EXPECT_EQ(third.transform.scale.at(1), Vec3(1, 1, 1));
    EXPECT_EQ(third.transform.translate.at(1), Vec3(1, 2, 3));
    EXPECT_TRUE(third.body);
    EXPECT_FALSE(second.body);
    for (const SceneObject* copy : {&second, &third}) {
        EXPECT_EQ(copy->mesh_text, first.mesh_text);
        EXPECT_EQ(std::get<TorusShape>(copy->mesh[0].shape).resolution, 12);
    }
}

TEST(Copies, CanBeNamedInContactsAndOverrides) {
    std::string text = keys_with("{'name': 'K2'}");
    text.insert(text.rfind('}'), ", 'contacts': [{'between': ['K2', 'floor']}], 'exclude': [['K1', "
                                 "'K2']]");
    const Scene scene = scene_of(text, {{}, {"objects.K2.stiffness=7"}});
    EXPECT_EQ(scene.contacts->front().between[0].object, 1);
    EXPECT_EQ(scene.exclude.front(), (std::array{0, 1}));
    EXPECT_EQ(scene.objects[0].stiffness.value.at(1), 2);
    EXPECT_EQ(scene.objects[1].stiffness.value.at(1), 7);
    EXPECT_EQ(scene_error(text, {{}, {"objects.K3.stiffness=7"}}),
              "--set objects.K3.stiffness=7: objects has no entry named \"K3\", did you mean "
              "\"K1\"?");
    EXPECT_EQ(scene_error(text, {{}, {"objects.K2.stiffness=-7"}}),
              "--set objects.K2.stiffness=-7: objects[0].copies[0].stiffness: found -7, expected a "
              "number of at least 0");
}

TEST(Copies, BrokenOnesAreNamed) {
    const auto error = [](std::string_view copies) { return scene_error(keys_with(copies)); };
    const std::string at = "ball.json:4: objects[0].copies";
    EXPECT_EQ(error("7"), at + "[0]: found 7, expected an object with the keys that differ");
    EXPECT_EQ(error("{'color': [0, 0, 0]}"), at + "[0].name: missing, expected the copy's name");
    EXPECT_EQ(error("{'name': 'K2'}, {'name': 'K2'}"),
              at + "[1].name: found \"K2\" a second time, expected names that differ");
    EXPECT_EQ(error("{'name': 'K1'}"),
              at + "[0].name: found \"K1\" a second time, expected names that differ");
    for (const char* key : {"mesh", "copies"})
        EXPECT_EQ(
            error(fmt::format("{{'name': 'K2', '{}': []}}", key)),
            fmt::format("{}[0].{}: a copy has the mesh of its object, and no copies of its own", at,
                        key));
    EXPECT_EQ(error("{'name': 'K2', 'colour': [0, 0, 0]}"),
              at + "[0].colour: unknown key, did you mean \"color\"?");
    EXPECT_EQ(error("{'name': 'K2', 'body': {'type': 'gas'}}"),
              at + "[0].body.type: found \"gas\", expected \"volume\", \"cloth\", \"rigid\" or "
                   "\"kinematic\"");
    std::string many = "{'name': 'c'}";
    for (int i = 0; i < 1000; ++i) many += fmt::format(",{{'name': 'c{}'}}", i);
    EXPECT_EQ(error(many), "ball.json:1: objects: found more than 1000 objects, expected fewer");
}

class CopiedScene : public SceneFolder {};

TEST_F(CopiedScene, HasTheMeshOfItsObjectAndMovesByItself) {
    write("tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    const LoadedScene scene =
        load("{'name': 'a', 'mesh': 'tetra.obj', 'attributes': {'w': {'base': 0.25, 'strokes': "
             "[]}}, 'copies': ["
             "{'name': 'b', 'transform': {'translate': [5, 0, 0]}},"
             "{'name': 'c', 'attributes': {'w': {'base': 0.75, 'strokes': []}}}]}");
    ASSERT_EQ(scene.objects.size(), 3u);
    for (const LoadedObject& object : scene.objects) EXPECT_EQ(object.source.mesh.faces.size(), 4u);
    EXPECT_EQ(positions_at(scene, 1, 1)[1], Vec3(6, 0, 0));
    EXPECT_EQ(positions_at(scene, 2, 1)[1], Vec3(1, 0, 0));
    const auto painted = [&](int object) {
        return scene.objects[object].source.mesh.attributes.at("w").values.front();
    };
    EXPECT_EQ(painted(0), 0.25);
    EXPECT_EQ(painted(1), 0.25);
    EXPECT_EQ(painted(2), 0.75);
}

TEST_F(CopiedScene, IsTheSameAsObjectsWrittenOut) {
    const std::string ball = "'mesh': {'sphere': {'subdivisions': 2}}, 'transform': {'translate': ";
    const LoadedScene copied = load("{'name': 'a', " + ball +
                                    "[0, 0, 0]}, 'copies': [{'name': 'b', 'transform': "
                                    "{'translate': [0, 1.7, 0]}}]}");
    const LoadedScene written =
        load("{'name': 'a', " + ball + "[0, 0, 0]}}, {'name': 'b', " + ball + "[0, 1.7, 0]}}");
    EXPECT_EQ(FrameSolver(copied).solve(1).after, FrameSolver(written).solve(1).after);
    EXPECT_NE(FrameSolver(copied).solve(1).after, FrameSolver(copied).solve(1).before);
}

} // namespace
} // namespace knead
