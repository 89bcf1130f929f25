// Scenes with glTF files: their own animation, another skinning method, their skeleton for another
// mesh.

#include "io/gltf_testing.hpp"
#include "scene/scene_folder.hpp"

namespace knead {
namespace {

using Json = GltfBuilder::Json;

class GltfScene : public SceneFolder {
protected:
    // A triangle of which a corner each follows the root, the tip a unit further on x, and both.
    // The tip turns a quarter about z in the first animation, from 1 to 2 seconds; the root rises
    // in the second.
    void SetUp() override {
        SceneFolder::SetUp();
        GltfBuilder builder = GltfBuilder::triangle();
        Json& attributes = builder.primitive()["attributes"];
        attributes["POSITION"] = builder.points({0, 0, 0, 2, 0, 0, 1, 1, 0});
        attributes["JOINTS_0"] =
            builder.accessor<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4", 4);
        attributes["WEIGHTS_0"] =
            builder.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0}, "VEC4", 4);
        builder.json["nodes"] = Json::parse(R"([{"mesh": 0, "skin": 0},
            {"children": [2], "name": "root"}, {"translation": [1, 0, 0], "name": "tip"}])");
        std::vector<float> bind;
        for (const float x : {0.0f, -1.0f})
            bind.insert(bind.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1});
        builder.json["skins"] = Json::parse(R"([{"joints": [1, 2]}])");
        builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(bind, "MAT4", 16);
        const float h = std::sqrt(0.5f);
        animate(builder, "bend", 2, "rotation",
                builder.accessor<float>({0, 0, 0, 1, 0, 0, h, h}, "VEC4", 4));
        animate(builder, "rise", 1, "translation", builder.points({0, 0, 0, 0, 3, 0}));
        write("arm.glb", builder.glb());
    }

    static void animate(GltfBuilder& builder, const char* name, int node, const char* path,
                        int output) {
        Json animation{{"name", name}};
        animation["samplers"] =
            Json::array({Json{{"input", builder.scalars({1, 2})}, {"output", output}}});
        animation["channels"] =
            Json::array({Json{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}});
        builder.json["animations"].push_back(animation);
    }

    static void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& expected) {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t v = 0; v < found.size(); ++v)
            EXPECT_LT((found[v] - expected[v]).norm(), 1e-6) << found[v].transpose();
    }
};

TEST_F(GltfScene, PlaysItsFirstAnimationAtTheTimeOfTheFrame) {
    // Frame 11 is the first, so frame 31 is two seconds on, at ten frames a second.
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': {'file': 'arm.glb', 'at': {'scale': 2}}, "
             "'transform': {'translate': [0, 0, 1]}}",
             "'frames': [11, 40], 'fps': 10,");
    EXPECT_TRUE(is_animated(loaded, 0));
    expect_near(positions_at(loaded, 0, 11), {{0, 0, 1}, {4, 0, 1}, {2, 2, 1}});
    expect_near(positions_at(loaded, 0, 31), {{0, 0, 1}, {2, 2, 1}, {1, 1, 1}});
    expect_near(positions_at(loaded, 0, 400), {{0, 0, 1}, {2, 2, 1}, {1, 1, 1}});
}

TEST_F(GltfScene, PlaysTheAnimationThatIsNamed) {
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': 'arm.glb', 'animation': 'rise'}", "'fps': 10,");
    expect_near(positions_at(loaded, 0, 16), {{0, 1.5, 0}, {2, 1.5, 0}, {1, 2.5, 0}});
    expect_near(positions_at(loaded, 0, 21), {{0, 3, 0}, {2, 3, 0}, {1, 4, 0}});
    EXPECT_EQ(input_error([&] { load("{'name': 'a', 'mesh': 'arm.glb', 'animation': 'fly'}"); }),
              here() +
                  "scene.json:1: objects[0].animation: found \"fly\", expected an animation; the "
                  "object has \"bend\", \"rise\"");
}

TEST_F(GltfScene, AnimationsCannotBePartOfAList) {
    EXPECT_EQ(input_error([&] { load("{'name': 'a', 'mesh': [{'sphere': {}}, 'arm.glb']}"); }),
              here() + "scene.json:1: objects[0].mesh[1]: an animated mesh cannot be part of a "
                       "list");
    EXPECT_TRUE(is_animated(load("{'name': 'a', 'mesh': ['arm.glb']}"), 0));
}

TEST_F(GltfScene, SkinsByAnotherMethod) {
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': 'arm.glb', 'skin': {'method': 'dqs'}}", "'fps': 1,");
    // Half of the way from standing still to a quarter turn about (1, 0, 0): an eighth of a turn.
    const double c = std::sqrt(0.5);
    expect_near(positions_at(loaded, 0, 3), {{0, 0, 0}, {1, 1, 0}, {1 - c, c, 0}});
}

TEST_F(GltfScene, ItsSkeletonMovesAnotherMesh) {
    write("strip.obj", "v -1 0 0\nv 3 0 0\nv 1 1 0\nf 1 2 3\n");
    const LoadedScene loaded = load(
        "{'name': 'a', 'mesh': 'strip.obj', 'skin': {'skeleton': 'arm.glb', 'weights': 'smooth'}}",
        "'fps': 1,");
    EXPECT_TRUE(is_animated(loaded, 0));
    expect_near(positions_at(loaded, 0, 1), {{-1, 0, 0}, {3, 0, 0}, {1, 1, 0}});
    expect_near(positions_at(loaded, 0, 3), {{-1, 0, 0}, {1, 2, 0}, {0.5, 0.5, 0}});
}

} // namespace
} // namespace knead
