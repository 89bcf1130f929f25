#include <numbers>

#include "io/gltf_testing.hpp"
#include "own_folder.hpp"

namespace knead {
namespace {

using Json = GltfBuilder::Json;

void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& expected,
                 double tolerance = 1e-12) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t v = 0; v < found.size(); ++v)
        EXPECT_LT((found[v] - expected[v]).norm(), tolerance)
            << "vertex " << v << " is at " << found[v].transpose();
}

std::vector<Vec3> posed(const MeshFile& file, int clip, double time) {
    std::vector<Vec3> positions;
    posed_positions(file, clip, time, positions);
    return positions;
}

TEST(Gltf, SplitVerticesAreWeldedAndMappedBack) {
    GltfBuilder builder;
    // Two triangles that share an edge whose ends are split, with UVs on each side.
    const int position = builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0});
    const int uv = builder.accessor<float>({0, 0, 1, 0, 0, 1, 0.25f, 0.5f, 1, 1, 0, 0}, "VEC2", 2);
    builder.json["meshes"] =
        Json::parse(R"([{"primitives": [{"attributes": {}, "material": 0}]}])");
    builder.primitive()["attributes"] = {{"POSITION", position}, {"TEXCOORD_0", uv}};
    builder.json["materials"] = Json::parse(R"([{"name": "skin"}])");
    builder.json["nodes"] = Json::parse(R"([{"mesh": 0, "name": "sheet"}])");
    const MeshFile file = builder.read();
    EXPECT_EQ(file.name, "sheet");
    EXPECT_FALSE(file.rig.has_value());
    EXPECT_EQ(file.mesh.vertex_count(), 4);
    EXPECT_EQ(file.mesh.faces, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
    EXPECT_EQ(file.mesh_vertex_of, (std::vector<int>{0, 1, 2, 1, 3, 2}));
    EXPECT_EQ(file.polygons.corners, (std::vector<int>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(file.corner_texture, (std::vector<int>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(file.texture_coordinates[3], Vec2(0.25, 0.5));
    EXPECT_EQ(file.texture_coordinates[0], Vec2(0, 1)); // measured from the bottom
    EXPECT_EQ(file.face_materials.names, (std::vector<std::string>{"skin"}));

    const OwnFolder folder;
    const std::filesystem::path path = folder.path() / "welded.obj";
    write_obj(path, file, file.mesh.positions);
    const MeshFile again = read_mesh(path);

    EXPECT_EQ(again.mesh.vertex_count(), 6);
    EXPECT_EQ(again.mesh.faces, (std::vector<Triangle>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(again.texture_coordinates, file.texture_coordinates);
}

TEST(Gltf, VerticesThatMoveApartStayApart) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int position = builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0});
    const int target = builder.points({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    builder.primitive()["attributes"]["POSITION"] = position;
    builder.primitive()["targets"] = Json::array({Json{{"POSITION", target}}});
    const MeshFile file = builder.read();
    EXPECT_EQ(file.mesh_vertex_of, (std::vector<int>{0, 1, 2, 0, 1, 3}));
}

TEST(Gltf, NodesPlaceTheirMeshes) {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.json["nodes"] = Json::parse(R"([
        {"name": "a", "mesh": 0, "translation": [0, 0, 5], "scale": [2, 2, 2]},
        {"name": "parent", "children": [2], "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476]},
        {"name": "b", "mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1]},
        {"name": "elsewhere", "mesh": 0}])");
    builder.json["scenes"] = Json::parse(R"([{"nodes": [3]}, {"nodes": [0, 1]}])");
    builder.json["scene"] = 1;
    const MeshFile file = builder.read();
    expect_near(file.mesh.positions,
                {{0, 0, 5}, {2, 0, 5}, {0, 2, 5}, {0, 10, 0}, {0, 9, 0}, {-1, 10, 0}});
    // The mirrored one is turned over, so that it still looks outwards.
    EXPECT_EQ(file.mesh.faces, (std::vector<Triangle>{{0, 1, 2}, {3, 5, 4}}));
    EXPECT_EQ(file.face_objects.names, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(file.mesh.groups.at("b"), (std::vector<int>{3, 4, 5}));
    EXPECT_TRUE(file.mesh_vertex_of.empty());
    EXPECT_EQ(file.polygons.count(), 0);
}

TEST(Gltf, StripsFansAndSharedVertices) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int position = builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
    builder.json["meshes"][0]["primitives"] = Json::array();
    for (const int mode : {5, 6, 1})
        builder.json["meshes"][0]["primitives"].push_back(
            Json{{"mode", mode}, {"attributes", {{"POSITION", position}}}});
    const MeshFile file = builder.read();
    EXPECT_EQ(file.mesh.vertex_count(), 4);
    EXPECT_EQ(file.mesh.faces, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}, {1, 2, 0}, {2, 3, 0}}));
}

TEST(Gltf, AttributesOfEveryKindOfNumber) {
    GltfBuilder builder = GltfBuilder::triangle();
    Json& attributes = builder.primitive()["attributes"];
    attributes["COLOR_0"] = builder.accessor<std::uint8_t>(
        {255, 0, 51, 255, 0, 0, 0, 255, 0, 0, 0, 255}, "VEC4", 4, true);
    attributes["_FIRMNESS"] = builder.scalars({0.25f, 0.5f, 1});
    attributes["_flow"] =
        builder.accessor<std::int16_t>({32767, -32768, 0, 0, 0, 0}, "VEC2", 2, true);
    attributes["_count"] = builder.accessor<std::int8_t>({-5, 6, 7}, "SCALAR", 1);
    attributes["_id"] = builder.accessor<std::uint32_t>({4000000000u, 1, 2}, "SCALAR", 1);
    const MeshFile file = builder.read();
    ASSERT_EQ(file.mesh.attributes.size(), 5u);
    EXPECT_EQ(file.mesh.attributes.at("color").components, 4);
    EXPECT_EQ(file.mesh.attributes.at("color").at(0, 2), 0.2);
    EXPECT_EQ(file.mesh.attributes.at("FIRMNESS").values, (std::vector<double>{0.25, 0.5, 1}));
    EXPECT_EQ(file.mesh.attributes.at("flow").values, (std::vector<double>{1, -1, 0, 0, 0, 0}));
    EXPECT_EQ(file.mesh.attributes.at("count").values, (std::vector<double>{-5, 6, 7}));
    EXPECT_EQ(file.mesh.attributes.at("id").values[0], 4e9);
}

TEST(Gltf, InterleavedAndSparseAccessors) {
    GltfBuilder builder = GltfBuilder::triangle();
    const int view = builder.view<float>({9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0});
    builder.json["bufferViews"][view]["byteStride"] = 16;
    builder.json["accessors"].push_back(Json{{"bufferView", view},
                                             {"byteOffset", 4},
                                             {"componentType", 5126},
                                             {"count", 3},
                                             {"type", "VEC3"}});
    builder.primitive()["attributes"]["POSITION"] = 1;
    EXPECT_EQ(builder.read().mesh.positions, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));

    const int which = builder.view<std::uint8_t>({2}), what = builder.view<float>({0, 3, 0});
    builder.json["accessors"][1]["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", which}, {"componentType", 5121}}},
        {"values", {{"bufferView", what}}}};
    EXPECT_EQ(builder.read().mesh.positions[2], Vec3(0, 3, 0));
    // Without a view the rest is zero.
    builder.json["accessors"][1].erase("bufferView");
    EXPECT_EQ(message_of([&] { builder.read(); }), "m: the mesh has no faces, expected at least 1");
}

// Two joints one unit apart on x; the second vertex row follows the second joint.
GltfBuilder skinned() {
    GltfBuilder builder = GltfBuilder::triangle();
    builder.primitive()["attributes"]["POSITION"] = builder.points({0, 0, 0, 2, 0, 0, 1, 1, 0});
    builder.primitive()["attributes"]["JOINTS_0"] =
        builder.accessor<std::uint8_t>({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0}, "VEC4", 4);
    builder.primitive()["attributes"]["WEIGHTS_0"] =
        builder.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0}, "VEC4", 4);
    builder.json["nodes"] = Json::parse(R"([
        {"mesh": 0, "skin": 0, "translation": [7, 7, 7]},
        {"children": [2], "name": "root"},
        {"translation": [1, 0, 0], "name": "tip"}])");
    std::vector<float> bind;
    for (const float x : {0.0f, -1.0f})
        bind.insert(bind.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1});
    builder.json["skins"] = Json::parse(R"([{"joints": [1, 2]}])");
    builder.json["skins"][0]["inverseBindMatrices"] = builder.accessor(bind, "MAT4", 16);
    return builder;
}

void animate(GltfBuilder& builder, int node, const std::string& path,
             const std::string& interpolation, const std::vector<float>& times, int output) {
    Json animation;
    animation["name"] = interpolation;
    animation["samplers"] = Json::array({Json{
        {"input", builder.scalars(times)}, {"output", output}, {"interpolation", interpolation}}});
    animation["channels"] =
        Json::array({Json{{"sampler", 0}, {"target", {{"node", node}, {"path", path}}}}});
    builder.json["animations"].push_back(animation);
}

TEST(Gltf, SkinsFollowTheirJoints) {
    GltfBuilder builder = skinned();
    const float h = std::sqrt(0.5f);
    animate(builder, 2, "rotation", "LINEAR", {1, 2},
            builder.accessor<float>({0, 0, 0, 1, 0, 0, h, h}, "VEC4", 4));
    animate(builder, 1, "translation", "STEP", {0, 1}, builder.points({0, 0, 0, 0, 5, 0}));
    animate(builder, 1, "translation", "CUBICSPLINE", {0, 2},
            builder.points({0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 4, 0, 0, 0, 0}));
    const MeshFile file = builder.read();
    ASSERT_TRUE(file.rig.has_value());
    ASSERT_EQ(file.rig->clips.size(), 3u);
    // The node that carries a skinned mesh does not move it.
    const std::vector<Vec3> rest{{0, 0, 0}, {2, 0, 0}, {1, 1, 0}};
    expect_near(file.mesh.positions, rest);
    expect_near(posed(file, -1, 5), rest);
    expect_near(posed(file, 0, 0), rest);
    expect_near(posed(file, 0, 2), {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, 0}}, 1e-6);
    expect_near(posed(file, 0, 9), {{0, 0, 0}, {1, 1, 0}, {0.5, 0.5, 0}}, 1e-6);
    const double c = std::cos(std::numbers::pi / 4);
    expect_near(posed(file, 0, 1.5), {{0, 0, 0}, {1 + c, c, 0}, {0.5 * (2 - c), 0.5 * (1 + c), 0}},
                1e-6);
    expect_near(posed(file, 1, 0.99), rest);
    expect_near(posed(file, 1, 1), {{0, 5, 0}, {2, 5, 0}, {1, 6, 0}});
    // Hermite from 0 with slope 2 to 4 with slope 2 is a straight line.
    expect_near(posed(file, 2, 0.5), {{0, 1, 0}, {2, 1, 0}, {1, 2, 0}});
}

TEST(Gltf, MorphTargetsAreAddedBeforeTheSkin) {
    GltfBuilder builder = skinned();
    builder.primitive()["targets"] =
        Json::array({Json{{"POSITION", builder.points({0, 0, 0, 0, 1, 0, 0, 0, 0})}},
                     Json{{"POSITION", builder.points({0, 0, 1, 0, 0, 0, 0, 0, 0})}}});
    builder.json["meshes"][0]["weights"] = {0.5, 0};
    builder.json["meshes"][0]["extras"] = Json::parse(R"({"targetNames": ["up", "out"]})");
    animate(builder, 0, "weights", "LINEAR", {0, 1}, builder.scalars({0, 0, 1, 2}));
    const MeshFile file = builder.read();
    ASSERT_EQ(file.rig->morphs.size(), 1u);
    EXPECT_EQ(file.rig->morphs[0].targets[1].name, "out");
    expect_near(file.mesh.positions, {{0, 0, 0}, {2, 0.5, 0}, {1, 1, 0}});
    expect_near(posed(file, 0, 0), {{0, 0, 0}, {2, 0, 0}, {1, 1, 0}});
    expect_near(posed(file, 0, 0.5), {{0, 0, 1}, {2, 0.5, 0}, {1, 1, 0}});
    EXPECT_EQ(file.rig->clips[0].duration(), 0);
    EXPECT_EQ(duration(*file.rig, 0), 1);
    EXPECT_EQ(duration(*file.rig, -1), 0);
}

TEST(Gltf, ANodeMayBeBoundInTwoWays) {
    GltfBuilder builder = skinned();
    // A second node shows the same mesh with another skin, in which joint 1 is bound elsewhere.
    builder.json["nodes"].push_back(Json{{"mesh", 0}, {"skin", 1}});
    builder.json["skins"].push_back(Json::parse(R"({"joints": [1, 2]})"));
    const MeshFile file = builder.read();
    ASSERT_EQ(file.mesh.vertex_count(), 6);
    expect_near({file.mesh.positions.begin() + 3, file.mesh.positions.end()},
                {{0, 0, 0}, {3, 0, 0}, {1.5, 1, 0}});
}

TEST(Gltf, ManyInfluencesAndNone) {
    GltfBuilder builder = skinned();
    builder.primitive()["attributes"]["JOINTS_1"] =
        builder.accessor<std::uint16_t>({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, "VEC4", 4);
    builder.primitive()["attributes"]["WEIGHTS_1"] =
        builder.accessor<std::uint16_t>({65535, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4, true);
    builder.primitive()["attributes"]["WEIGHTS_0"] =
        builder.accessor<float>({1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}, "VEC4", 4);
    const MeshFile file = builder.read();
    const SkinWeights& weights = file.rig->skin.weights;
    EXPECT_EQ(weights.starts, (std::vector<int>{0, 2, 3, 4}));
    EXPECT_EQ(weights.joints, (std::vector<int>{1, 2, 2, 1}));
    EXPECT_EQ(weights.weights, (std::vector<double>{0.5, 0.5, 1, 1}));
}

TEST_F(Io, GltfBuffersInFilesAndInText) {
    GltfBuilder builder = GltfBuilder::triangle();
    write("the data.bin", builder.buffer);
    builder.json["buffers"] = Json::parse(R"([{"byteLength": 36, "uri": "the%20data.bin"}])");
    EXPECT_EQ(read_mesh(write("m.gltf", builder.json.dump())).mesh.vertex_count(), 3);
    EXPECT_EQ(message_of_reading(MeshFormat::gltf, builder.json.dump()),
              "m: buffers[0].uri is 'the%20data.bin', but there is no folder to look in");
    builder.json["buffers"][0]["uri"] =
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    EXPECT_EQ(read_mesh(write("m.gltf", builder.json.dump())).mesh.positions,
              (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));

    const std::string path = (folder / "m.gltf").string();
    const auto message = [&](const std::string& uri) {
        builder.json["buffers"][0]["uri"] = uri;
        write("m.gltf", builder.json.dump());
        return message_of([&] { read_mesh(path); });
    };
    for (const std::string uri : {"../../etc/passwd", "/etc/passwd", "a/../../x", "%2e%2e/x", "..",
                                  "http://example.org/x.bin", "file:///etc/passwd", ""})
        EXPECT_EQ(message(uri),
                  path + ": buffers[0].uri is '" + uri + "', which leaves the folder of the file");
    EXPECT_EQ(message("missing.bin"), (folder / "missing.bin").string() + ": no such file");
    EXPECT_EQ(message("data:text/plain,hello"), path + ": buffers[0].uri is no base64 data");
    EXPECT_EQ(message("data:;base64,AAA*"), path + ": buffers[0].uri is no base64 data");
    EXPECT_EQ(message("data:;base64,AAAA"), path + ": buffers[0] promises 36 bytes, 3 are there");
}

} // namespace
} // namespace knead
