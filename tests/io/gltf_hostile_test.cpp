#include <fmt/format.h>

#include <limits>

#include "io/gltf_testing.hpp"
#include "processor_time.hpp"

namespace knead {
namespace {

using Json = GltfBuilder::Json;

std::string gltf_message(std::string_view content) {
    return message_of_reading(MeshFormat::gltf, content);
}

// The message after one edit of a good file.
template <typename Edit>
std::string message_after(const Edit& edit) {
    GltfBuilder builder = GltfBuilder::triangle();
    edit(builder);
    return builder.message();
}
std::string message_with(const std::string& pointer, const Json& value) {
    return message_after(
        [&](GltfBuilder& builder) { builder.json[Json::json_pointer(pointer)] = value; });
}

TEST(GltfHostile, Containers) {
    const std::string whole = GltfBuilder::triangle().glb();
    EXPECT_EQ(gltf_message(""), "m: the JSON is broken at byte 1");
    EXPECT_EQ(gltf_message("glTF\2"), "m: the file ends within the GLB header");
    EXPECT_EQ(gltf_message("glTF" + bytes_of(1u) + whole.substr(8)),
              "m: the GLB version is 1, expected 2");
    EXPECT_EQ(gltf_message(whole.substr(0, whole.size() - 4)),
              "m: the GLB header promises " + std::to_string(whole.size()) +
                  " bytes, the file has " + std::to_string(whole.size() - 4));
    EXPECT_EQ(gltf_message("glTF" + bytes_of(2u) + bytes_of(12u)), "m: the GLB has no JSON chunk");
    EXPECT_EQ(gltf_message("glTF" + bytes_of(2u) + bytes_of(20u) + bytes_of(99u) + "JSON{}"),
              "m: GLB chunk 0 promises 99 bytes, 2 are left");
    EXPECT_EQ(gltf_message("{\"asset\":"), "m: the JSON is broken at byte 10");
    EXPECT_EQ(gltf_message(R"({"asset": {"version": "2.0"}, "nodes": [{"translation": [1e908]}]})"),
              "m: the JSON has the number '1e908' at byte 58, expected numbers from -1.7e308 to "
              "1.7e308");
    EXPECT_EQ(gltf_message("[" + std::string(400, '9') + "]"),
              "m: the JSON has the number '" + std::string(60, '9') +
                  "...' at byte 2, expected numbers from -1.7e308 to 1.7e308");
    // Not where a name or a longer number contains it.
    EXPECT_EQ(gltf_message(R"({"1e908": "\"1e908", "a": [1, 0.1e9, 1e908]})"),
              "m: the JSON has the number '1e908' at byte 38, expected numbers from -1.7e308 to "
              "1.7e308");
    EXPECT_EQ(gltf_message("1e908"),
              "m: the JSON has the number '1e908' at byte 1, expected numbers from -1.7e308 to "
              "1.7e308");
    const std::string nines(400, '9');
    EXPECT_EQ(gltf_message("[" + nines + "e-300, " + nines + "]"),
              "m: the JSON has the number '" + nines.substr(0, 60) +
                  "...' at byte 409, expected numbers from -1.7e308 to 1.7e308");
    EXPECT_EQ(gltf_message("[]"), "m: the JSON is a list, expected an object");
    EXPECT_EQ(gltf_message("{}"), "m: asset.version is '', expected '2.0'");
    EXPECT_EQ(gltf_message(R"({"asset": {"version": "1.0"}})"),
              "m: asset.version is '1.0', expected '2.0'");
    EXPECT_EQ(gltf_message(R"({"asset": {"version": "2.0"}})"),
              "m: the mesh has no faces, expected at least 1");
}

TEST(GltfHostile, DeepNestingIsRefused) {
    const ProcessorTime time;
    const int depth = 1000000;
    std::string lists(depth, '[');
    lists.append(depth, ']');
    EXPECT_EQ(gltf_message(fmt::format("{{\"asset\": {}}}", lists)),
              "m: the JSON is nested more than 100 deep");
    std::string objects;
    for (int i = 0; i < 10000; ++i) objects += "{\"extras\":";
    EXPECT_EQ(gltf_message(objects), "m: the JSON is nested more than 100 deep");
    EXPECT_LT(time.milliseconds(), 1000 * sanitizer_slowdown);
}

TEST(GltfHostile, Extensions) {
    const auto required = [](const char* name) {
        return message_with("/extensionsRequired", Json::array({name}));
    };
    EXPECT_EQ(required("KHR_draco_mesh_compression"),
              "m: needs the extension 'KHR_draco_mesh_compression', which is not supported; export "
              "the file without it");
    EXPECT_EQ(required("EXT_meshopt_compression"),
              "m: needs the extension 'EXT_meshopt_compression', which is not supported; export "
              "the file without it");
    EXPECT_EQ(required("KHR_materials_unlit"), "no error");
}

TEST(GltfHostile, WrongTypesAndIndices) {
    EXPECT_EQ(message_with("/nodes", "x"), "m: nodes is 'x', expected a list");
    EXPECT_EQ(message_with("/nodes/0", 3), "m: nodes[0] is 3, expected an object");
    EXPECT_EQ(message_with("/nodes/0/name", Json::array()),
              "m: nodes[0].name is a list, expected a text");
    EXPECT_EQ(message_with("/nodes/0/mesh", 1), "m: nodes[0].mesh is 1, expected 0 to 0");
    EXPECT_EQ(message_with("/nodes/0/skin", 0), "m: nodes[0].skin is 0, but there are none");
    EXPECT_EQ(message_with("/nodes/0/mesh", -1), "m: nodes[0].mesh is -1, expected 0 to 0");
    EXPECT_EQ(message_with("/nodes/0/mesh", 0.5), "m: nodes[0].mesh is 0.5, expected 0 to 0");
    EXPECT_EQ(message_with("/nodes/0/mesh", 1e300), "m: nodes[0].mesh is 1e+300, expected 0 to 0");
    EXPECT_EQ(message_with("/nodes/0/rotation", {0, 0, 0, 0}),
              "m: nodes[0].rotation is zero, expected a unit quaternion");
    EXPECT_EQ(message_with("/nodes/0/scale", {1, 1}),
              "m: nodes[0].scale has 2 numbers, expected 3");
    EXPECT_EQ(message_with("/nodes/0/scale", {1, 1, "x"}),
              "m: nodes[0].scale holds 'x', expected numbers");
    EXPECT_EQ(message_with("/nodes/0/matrix", {1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}),
              "m: nodes[0].matrix shears, expected a rotation and a scale");
    EXPECT_EQ(message_with("/nodes/0/matrix", std::vector<int>(16, 0)),
              "m: nodes[0].matrix flattens space, expected a rotation and a scale");
    EXPECT_EQ(message_with("/meshes/0/primitives/0", 1), "m: meshes[0].primitives[0] is no object");
    EXPECT_EQ(message_with("/meshes/0/primitives/0/mode", 7),
              "m: meshes[0].primitives[0].mode is 7, expected a whole number from 0 to 6");
    EXPECT_EQ(message_with("/meshes/0/primitives/0/attributes", Json::object()),
              "m: meshes[0].primitives[0] has no POSITION");
}

TEST(GltfHostile, Hierarchies) {
    const auto nodes = [](const char* text) { return message_with("/nodes", Json::parse(text)); };
    EXPECT_EQ(nodes(R"([{"children": [1], "name": "a"}, {"children": [0]}])"),
              "m: nodes[0] is its own ancestor");
    EXPECT_EQ(nodes(R"([{"children": [0]}])"), "m: nodes[0] is its own ancestor");
    EXPECT_EQ(nodes(R"([{}, {"children": [2], "name": "hip"}, {"children": [1]}])"),
              "m: nodes[1] is its own ancestor");
    EXPECT_EQ(nodes(R"([{"children": [2]}, {"children": [2]}, {}])"),
              "m: nodes[2] is a child of nodes[0] and of nodes[1], expected one parent");
    EXPECT_EQ(nodes(R"([{"children": [9]}])"), "m: nodes[0].children is 9, expected 0 to 0");
}

TEST(GltfHostile, AccessorsOutOfRange) {
    EXPECT_EQ(message_with("/accessors/0/count", 4),
              "m: accessors[0] ends at byte 48 of a view of 36");
    EXPECT_EQ(message_with("/accessors/0/byteOffset", 4),
              "m: accessors[0] ends at byte 40 of a view of 36");
    EXPECT_EQ(message_with("/accessors/0/count", 2147483647),
              "m: accessors[0] ends at byte 25769803764 of a view of 36");
    EXPECT_EQ(message_with("/accessors/0/count", -1),
              "m: accessors[0].count is -1, expected a whole number from 0 to 2147483647");
    EXPECT_EQ(message_with("/accessors/0/componentType", 5124),
              "m: accessors[0].componentType is 5124, expected 5120 to 5123, 5125 or 5126");
    EXPECT_EQ(message_with("/accessors/0/type", "VEC2"),
              "m: accessors[0].type is 'VEC2', expected VEC3");
    EXPECT_EQ(message_with("/accessors/0/bufferView", 1),
              "m: accessors[0].bufferView is 1, expected 0 to 0");
    EXPECT_EQ(message_with("/bufferViews/0/byteLength", 40),
              "m: bufferViews[0] ends at byte 40 of a buffer of 36");
    EXPECT_EQ(message_with("/bufferViews/0/byteOffset", 4294967296),
              "m: bufferViews[0] ends at byte 4294967332 of a buffer of 36");
    EXPECT_EQ(message_with("/bufferViews/0/buffer", 3),
              "m: bufferViews[0].buffer is 3, expected 0 to 0");
    EXPECT_EQ(message_with("/bufferViews/0/byteStride", 13),
              "m: accessors[0] ends at byte 38 of a view of 36");
    EXPECT_EQ(message_with("/buffers", Json::parse(R"([{"byteLength": 37}])")),
              "m: buffers[0] promises 37 bytes, 36 are there");
    GltfBuilder builder = GltfBuilder::triangle();
    builder.json["buffers"] = Json::parse(R"([{"byteLength": 36}])");
    EXPECT_EQ(gltf_message(builder.json.dump()),
              "m: buffers[0] has no uri, and there is no binary chunk");
}

TEST(GltfHostile, PromisesWithoutDataAreRefused) {
    const ProcessorTime time;
    EXPECT_EQ(message_after([](GltfBuilder& builder) {
                  builder.json["accessors"][0].erase("bufferView");
                  builder.json["accessors"][0]["count"] = 2000000000;
              }),
              "m: accessors[0] has 2000000000 elements and no bufferView, expected at most "
              "5592405");
    // A small file that names the same zeros again and again.
    EXPECT_EQ(message_after([](GltfBuilder& builder) {
                  builder.json["accessors"][0].erase("bufferView");
                  builder.json["accessors"][0]["count"] = 5592405;
                  for (int i = 0; i < 1000; ++i)
                      builder.primitive()["targets"].push_back(Json{{"POSITION", 0}});
              }),
              "m: needs more than 134217728 numbers in memory");
    EXPECT_LT(time.milliseconds(), 4000 * sanitizer_slowdown);
}

TEST(GltfHostile, Geometry) {
    EXPECT_EQ(message_after([](GltfBuilder& builder) {
                  builder.primitive()["indices"] = builder.indices({0, 1, 3});
              }),
              "m: meshes[0].primitives[0].indices uses vertex 3, expected 0 to 2");
    EXPECT_EQ(message_after([](GltfBuilder& builder) {
                  builder.primitive()["indices"] = builder.indices({0, 1});
              }),
              "m: meshes[0].primitives[0] has 2 corners, expected a multiple of 3");
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["POSITION"] =
                      builder.points({0, 0, 0, 1, nan, 0, 0, 1, 0});
              }),
              "m: vertex 1 is at (1, nan, 0), expected finite numbers");
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.primitive()["targets"] = Json::array(
                      {Json{{"POSITION", builder.points({0, 0, 0, nan, 0, 0, 0, 1, 0})}}});
              }),
              "m: meshes[0].primitives[0].targets[0] moves vertex 1 by (nan, 0, 0), expected "
              "finite numbers");
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["_A"] = builder.scalars({1, 2});
              }),
              "m: meshes[0].primitives[0].attributes._A has 2 elements, expected 3 as POSITION");
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["_A"] = builder.scalars({1, 2, nan});
              }),
              "m: meshes[0].primitives[0].attributes._A is nan at vertex 2, expected a finite "
              "number");
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["TEXCOORD_0"] =
                      builder.accessor<float>({0, 0, 0, nan, 1, 1}, "VEC2", 2);
              }),
              "m: meshes[0].primitives[0].attributes.TEXCOORD_0 is nan at vertex 1, expected a "
              "finite number");
    EXPECT_EQ(message_after([&](GltfBuilder& builder) {
                  builder.json["nodes"][0]["translation"] = {1e200, 0, 0};
              }),
              "m: vertex 0 is at (1e+200, 0, 0), expected coordinates between -1e100 and 1e100");
}

// Each edit of a triangle that follows one joint.
template <typename Edit>
std::string message_of_skin(const Edit& edit) {
    return message_after([&](GltfBuilder& builder) {
        builder.json["nodes"] = Json::parse(R"([{"mesh": 0, "skin": 0}, {}])");
        builder.json["skins"] = Json::parse(R"([{"joints": [1]}])");
        builder.primitive()["attributes"]["JOINTS_0"] =
            builder.accessor<std::uint8_t>(std::vector<std::uint8_t>(12, 0), "VEC4", 4);
        builder.primitive()["attributes"]["WEIGHTS_0"] =
            builder.accessor<float>(std::vector<float>(12, 0.25f), "VEC4", 4);
        edit(builder);
    });
}

TEST(GltfHostile, Skins) {
    EXPECT_EQ(message_of_skin([](GltfBuilder&) {}), "no error");
    EXPECT_EQ(message_of_skin([](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["JOINTS_0"] = builder.accessor<std::uint8_t>(
                      {0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0}, "VEC4", 4);
              }),
              "m: nodes[0]: vertex 1 follows joint 9 of a skin of 1 joint");
    EXPECT_EQ(message_of_skin([](GltfBuilder& builder) {
                  builder.primitive()["attributes"]["JOINTS_0"] = builder.accessor<std::int8_t>(
                      {0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0}, "VEC4", 4);
              }),
              "m: nodes[0]: vertex 2 follows joint -1 of a skin of 1 joint");
    EXPECT_EQ(message_of_skin([](GltfBuilder& builder) {
                  builder.primitive()["attributes"].erase("WEIGHTS_0");
              }),
              "m: meshes[0].primitives[0].attributes.WEIGHTS_0 is missing");
    EXPECT_EQ(message_of_skin([](GltfBuilder& builder) {
                  std::vector<float> weights(12, 1);
                  weights[6] = -2;
                  builder.primitive()["attributes"]["WEIGHTS_0"] =
                      builder.accessor(weights, "VEC4", 4);
              }),
              "m: vertex 1 has the weight -2, expected zero or more");
    EXPECT_EQ(
        message_of_skin([](GltfBuilder& builder) { builder.json["skins"][0]["joints"] = {2}; }),
        "m: skins[0].joints is 2, expected 0 to 1");
    EXPECT_EQ(message_of_skin([](GltfBuilder& builder) {
                  builder.json["skins"][0]["joints"] = {1, 0};
                  builder.json["skins"][0]["inverseBindMatrices"] =
                      builder.accessor<float>(std::vector<float>(16, 0), "MAT4", 16);
              }),
              "m: skins[0].inverseBindMatrices has 1 matrix, expected one for each of 2 joints");
}

TEST(GltfHostile, Animations) {
    const auto animated = [](const char* target, const std::vector<float>& times,
                             const std::vector<float>& values) {
        return message_after([&](GltfBuilder& builder) {
            Json animation;
            animation["samplers"] = Json::array(
                {Json{{"input", builder.scalars(times)}, {"output", builder.points(values)}}});
            animation["channels"] =
                Json::array({Json{{"sampler", 0}, {"target", Json::parse(target)}}});
            builder.json["animations"] = Json::array({animation});
        });
    };
    const char* move = R"({"node": 0, "path": "translation"})";
    EXPECT_EQ(animated(move, {0, 1}, {0, 0, 0, 1, 1, 1}), "no error");
    EXPECT_EQ(animated(R"({"node": 0, "path": "pointer"})", {0, 1}, {0, 0, 0}), "no error");
    EXPECT_EQ(animated(move, {1, 0}, {0, 0, 0, 1, 1, 1}),
              "m: animation '', channel 0: key 1 is at 0 seconds, expected times that ascend");
    EXPECT_EQ(animated(move, {0, 1}, {0, 0, 0}),
              "m: animation '', channel 0: found 3 numbers for 2 keys, expected 6");
    EXPECT_EQ(animated(R"({"node": 0, "path": "rotation"})", {0, 1}, {0, 0, 0, 1, 1, 1}),
              "m: accessors[2].type is 'VEC3', expected VEC4");
    EXPECT_EQ(animated(R"({"node": 5, "path": "scale"})", {0, 1}, {0, 0, 0}),
              "m: animations[0].channels[0].target.node is 5, expected 0 to 0");
}

// Twice as many parts take twice as long.
TEST(GltfHostile, ManySmallPartsAreReadInTime) {
    constexpr int count = 20000, many = sanitizer_slowdown > 1 ? count : 8 * count;
    GltfBuilder nodes = GltfBuilder::triangle();
    nodes.json["nodes"] = Json::array();
    for (int n = 0; n < many; ++n)
        nodes.json["nodes"].push_back({{"mesh", 0}, {"translation", {2 * n, 0, 0}}});
    const std::string file = nodes.glb();
    const ProcessorTime time;
    EXPECT_EQ(read_mesh_from_memory(MeshFormat::gltf, file, "m").mesh.face_count(), many);

    GltfBuilder primitives = GltfBuilder::triangle();
    Json& list = primitives.json["meshes"][0]["primitives"];
    const Json accessor = primitives.json["accessors"][0];
    for (int p = 1; p < count; ++p) {
        primitives.json["accessors"].push_back(accessor);
        list.push_back({{"attributes", {{"POSITION", p}}}});
    }
    EXPECT_EQ(primitives.read().mesh.face_count(), count);
    EXPECT_LT(time.milliseconds(), 3000 * sanitizer_slowdown);
}

// Every part fills up the attributes of all the others.
TEST(GltfHostile, AttributesOfManyNamesAreRefused) {
    constexpr int count = 257;
    GltfBuilder primitives = GltfBuilder::triangle();
    const int values = primitives.scalars({1, 2, 3});
    GltfBuilder nodes = primitives;
    primitives.json["meshes"][0]["primitives"] = Json::array();
    nodes.json["meshes"] = nodes.json["nodes"] = Json::array();
    for (int p = 0; p < count; ++p) {
        const Json primitive = {
            {"attributes", {{"POSITION", 0}, {fmt::format("_MAP{}", p), values}}}};
        primitives.json["meshes"][0]["primitives"].push_back(primitive);
        nodes.json["meshes"].push_back({{"primitives", Json::array({primitive})}});
        nodes.json["nodes"].push_back({{"mesh", p}});
    }
    const std::string refused =
        "m: vertices have more than 256 attributes of their own names, expected fewer";
    EXPECT_EQ(primitives.message(), refused);
    EXPECT_EQ(nodes.message(), refused);
    nodes.json["nodes"].erase(0);
    EXPECT_EQ(nodes.read().mesh.attributes.size(), 256u);
}

} // namespace
} // namespace knead
