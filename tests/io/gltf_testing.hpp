#pragma once

#include <nlohmann/json.hpp>

#include <cstring>

#include "io/io_testing.hpp"

namespace knead {

/// Puts a small glTF together: accessors one after the other in one buffer, JSON to be edited.
class GltfBuilder {
public:
    using Json = nlohmann::json;

    GltfBuilder() { json = {{"asset", {{"version", "2.0"}}}}; }

    template <typename T>
    int accessor(const std::vector<T>& values, const std::string& type, int components,
                 bool normalized = false) {
        Json entry{{"bufferView", view(values)},
                   {"componentType", component_type<T>()},
                   {"count", values.size() / components},
                   {"type", type}};
        if (normalized) entry["normalized"] = true;
        json["accessors"].push_back(entry);
        return static_cast<int>(json["accessors"].size()) - 1;
    }
    template <typename T>
    int view(const std::vector<T>& values) {
        while (buffer.size() % 4 != 0) buffer += '\0';
        json["bufferViews"].push_back(Json{{"buffer", 0},
                                           {"byteOffset", buffer.size()},
                                           {"byteLength", values.size() * sizeof(T)}});
        for (const T& value : values) buffer += bytes_of(value);
        return static_cast<int>(json["bufferViews"].size()) - 1;
    }
    int points(const std::vector<float>& values) { return accessor(values, "VEC3", 3); }
    int scalars(const std::vector<float>& values) { return accessor(values, "SCALAR", 1); }
    int indices(const std::vector<std::uint16_t>& values) { return accessor(values, "SCALAR", 1); }

    /// Three vertices at the origin, on x and on y, in one mesh and one node.
    static GltfBuilder triangle() {
        GltfBuilder builder;
        const int position = builder.points({0, 0, 0, 1, 0, 0, 0, 1, 0});
        builder.json["meshes"] = Json::parse(R"([{"primitives": [{"attributes": {}}]}])");
        builder.primitive()["attributes"]["POSITION"] = position;
        builder.json["nodes"] = Json::parse(R"([{"mesh": 0}])");
        return builder;
    }
    Json& primitive() { return json["meshes"][0]["primitives"][0]; }

    std::string glb() const {
        Json whole = json;
        if (!whole.contains("buffers"))
            whole["buffers"] = Json::array({Json{{"byteLength", buffer.size()}}});
        std::string text = whole.dump();
        text.append((4 - text.size() % 4) % 4, ' ');
        std::string binary = buffer;
        binary.append((4 - binary.size() % 4) % 4, '\0');
        std::string result = "glTF" + bytes_of(2u) +
                             bytes_of(static_cast<unsigned>(28 + text.size() + binary.size()));
        result += bytes_of(static_cast<unsigned>(text.size())) + "JSON" + text;
        return result + bytes_of(static_cast<unsigned>(binary.size())) + std::string("BIN\0", 4) +
               binary;
    }
    MeshFile read() const { return read_mesh_from_memory(MeshFormat::gltf, glb(), "m"); }
    std::string message() const { return message_of_reading(MeshFormat::gltf, glb()); }

    Json json;
    std::string buffer;

private:
    template <typename T>
    static int component_type() {
        if (std::is_same_v<T, std::int8_t>) return 5120;
        if (std::is_same_v<T, std::uint8_t>) return 5121;
        if (std::is_same_v<T, std::int16_t>) return 5122;
        if (std::is_same_v<T, std::uint16_t>) return 5123;
        if (std::is_same_v<T, std::uint32_t>) return 5125;
        return 5126;
    }
};

} // namespace knead
