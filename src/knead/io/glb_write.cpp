// GLB: one mesh whose base is the first frame, with a morph target for every other frame and an
// animation that fades from one to the next.
#include "knead/base/error.hpp"
#include "knead/io/cache_formats.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>

namespace knead::formats {
namespace {

using Json = nlohmann::json;

constexpr int unsigned_int = 5125, float_type = 5126;

// A glTF vertex has one UV: where a file vertex has several, copies are added behind all others.
struct SplitVertices {
    std::vector<int> file_vertex; ///< vertex -> file vertex
    std::vector<int> texture;     ///< vertex -> texture coordinate, or -1
    std::vector<Triangle> triangles;
};

SplitVertices split_at_seams(const MeshFile& source) {
    SplitVertices split;
    const int count = source.file_vertex_count();
    for (int v = 0; v < count; ++v) split.file_vertex.push_back(v);
    split.texture.assign(static_cast<std::size_t>(count), -1);
    std::map<std::pair<int, int>, int> copies;
    const auto vertex_with = [&](int vertex, int texture) {
        if (texture < 0 || split.texture[vertex] == texture) return vertex;
        if (split.texture[vertex] < 0) {
            split.texture[vertex] = texture;
            return vertex;
        }
        const auto [entry, is_new] =
            copies.try_emplace({vertex, texture}, static_cast<int>(split.file_vertex.size()));
        if (is_new) {
            split.file_vertex.push_back(vertex);
            split.texture.push_back(texture);
        }
        return entry->second;
    };

    Polygons corners;
    std::vector<Vec3> positions;
    std::size_t corner = 0;
    for (int p = 0; p < source.polygon_count(); ++p) {
        for (const int vertex : source.polygon(p))
            corners.corners.push_back(vertex_with(
                vertex, source.corner_texture.empty() ? -1 : source.corner_texture[corner++]));
        corners.close();
    }
    // As at rest, so that the triangles are those of the mesh.
    for (const int vertex : split.file_vertex)
        positions.push_back(source.mesh.positions[source.mesh_vertex(vertex)]);
    split.triangles = triangulate(corners, positions, source.name);
    return split;
}

class GlbWriter {
public:
    GlbWriter(std::ostream& out, const std::string& path, const MeshFile& source,
              const FrameSpool& frames, const CacheSettings& settings)
        : out_(out),
          path_(path),
          source_(source),
          frames_(frames),
          settings_(settings),
          split_(split_at_seams(source)) {}

    void write() {
        describe();
        std::string json = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
        json.append((4 - json.size() % 4) % 4, ' ');
        const std::size_t total = 12 + 8 + json.size() + 8 + binary_size_;
        if (total > 0xFFFFFFFFu)
            throw InputError(fmt::format("{}: {} frames of {} vertices take {} bytes, GLB holds at "
                                         "most 4294967295; write pc2 or usda instead",
                                         path_, frames_.count(), split_.file_vertex.size(), total));
        std::string header;
        put(header, std::uint32_t(0x46546C67)); // glTF
        put(header, std::uint32_t(2));
        put(header, static_cast<std::uint32_t>(total));
        put(header, static_cast<std::uint32_t>(json.size()));
        put(header, std::uint32_t(0x4E4F534A)); // JSON
        send(header);
        send(json);
        put(header, static_cast<std::uint32_t>(binary_size_));
        put(header, std::uint32_t(0x004E4942)); // BIN
        send(header);
        send_data();
    }

private:
    void send(std::string& bytes) {
        out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        bytes.clear();
    }

    std::size_t vertex_count() const { return split_.file_vertex.size(); }
    const Vec3& position(const std::vector<Vec3>& positions, std::size_t vertex) const {
        return positions[source_.mesh_vertex(split_.file_vertex[vertex])];
    }

    // Announces the next piece of binary data; pieces must be sent in the same order.
    int add_accessor(std::string_view type, int components, std::size_t count,
                     int component_type = float_type) {
        const std::size_t bytes = 4 * static_cast<std::size_t>(components) * count;
        json_["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", binary_size_}, {"byteLength", bytes}});
        json_["accessors"].push_back({{"bufferView", json_["bufferViews"].size() - 1},
                                      {"componentType", component_type},
                                      {"count", count},
                                      {"type", type}});
        binary_size_ += bytes;
        return static_cast<int>(json_["accessors"].size()) - 1;
    }

    // glTF wants the bounds of positions, and of the offsets of morph targets.
    template <typename PointAt>
    int add_points(const PointAt& point_at) {
        Box box;
        for (std::size_t v = 0; v < vertex_count(); ++v)
            box.include(point_at(v).template cast<float>().template cast<double>());
        const int accessor = add_accessor("VEC3", 3, vertex_count());
        json_["accessors"][accessor]["min"] = {box.lower.x(), box.lower.y(), box.lower.z()};
        json_["accessors"][accessor]["max"] = {box.upper.x(), box.upper.y(), box.upper.z()};
        return accessor;
    }

    void describe() {
        json_["asset"] = {{"version", "2.0"}, {"generator", "Knead"}};
        json_["scene"] = 0;
        json_["scenes"] = {{{"nodes", {0}}}};
        json_["nodes"] = {{{"mesh", 0}}};
        Json primitive{{"mode", 4}};
        primitive["indices"] = add_accessor("SCALAR", 1, 3 * split_.triangles.size(), unsigned_int);
        frames_.read(0, base_);
        primitive["attributes"]["POSITION"] =
            add_points([&](std::size_t v) { return position(base_, v); });
        if (!source_.texture_coordinates.empty())
            primitive["attributes"]["TEXCOORD_0"] = add_accessor("VEC2", 2, vertex_count());
        for (const auto& [name, attribute] : source_.mesh.attributes)
            if (const std::string key = attribute_key(name, attribute); !key.empty())
                primitive["attributes"][key] =
                    add_accessor(type_of(attribute), attribute.components, vertex_count());
        Json mesh{{"name", source_.name}};
        if (frames_.count() > 1) describe_animation(primitive, mesh);
        mesh["primitives"] = Json::array({primitive});
        json_["meshes"] = Json::array({mesh});
        if (!source_.name.empty()) json_["nodes"][0]["name"] = source_.name;
        json_["buffers"] = {{{"byteLength", binary_size_}}};
    }

    void describe_animation(Json& primitive, Json& mesh) {
        const std::size_t targets = frames_.count() - 1;
        std::vector<Vec3> positions;
        for (std::size_t f = 1; f < frames_.count(); ++f) {
            frames_.read(f, positions);
            const int accessor = add_points([&](std::size_t v) { return offset(positions, v); });
            primitive["targets"].push_back({{"POSITION", accessor}});
            mesh["extras"]["targetNames"].push_back(fmt::format("frame {}", frames_.frame(f)));
        }
        mesh["weights"] = std::vector<double>(targets, 0.0);
        const int times = add_accessor("SCALAR", 1, frames_.count());
        json_["accessors"][times]["min"] = {0.0};
        json_["accessors"][times]["max"] = {static_cast<float>(time_of(frames_.count() - 1))};
        const int weights = add_accessor("SCALAR", 1, frames_.count() * targets);
        json_["animations"] = {
            {{"name", "frames"},
             {"samplers", {{{"input", times}, {"output", weights}, {"interpolation", "LINEAR"}}}},
             {"channels", {{{"sampler", 0}, {"target", {{"node", 0}, {"path", "weights"}}}}}}}};
    }

    double time_of(std::size_t frame) const {
        return (frames_.frame(frame) - frames_.frame(0)) / settings_.fps;
    }

    // From the rounded base, so that rounding does not add up.
    Vec3 offset(const std::vector<Vec3>& positions, std::size_t vertex) const {
        return position(positions, vertex) - position(base_, vertex).cast<float>().cast<double>();
    }

    static std::string attribute_key(const std::string& name, const VertexAttribute& attribute) {
        if (attribute.components > 4) return {};
        if (name == "color" && attribute.components >= 3) return "COLOR_0";
        return "_" + name;
    }

    static std::string_view type_of(const VertexAttribute& attribute) {
        static constexpr std::string_view types[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
        return types[attribute.components - 1];
    }

    void send_data() {
        std::string bytes;
        for (const Triangle& triangle : split_.triangles)
            for (const int corner : triangle) put(bytes, static_cast<std::uint32_t>(corner));
        for (std::size_t v = 0; v < vertex_count(); ++v) put_point(bytes, position(base_, v));
        if (!source_.texture_coordinates.empty())
            for (const int texture : split_.texture) {
                // glTF measures v from the top of the picture.
                const Vec2 uv = texture < 0 ? Vec2(0, 1) : source_.texture_coordinates[texture];
                put(bytes, static_cast<float>(uv.x()));
                put(bytes, static_cast<float>(1 - uv.y()));
            }
        send(bytes);
        for (const auto& [name, attribute] : source_.mesh.attributes) {
            if (attribute_key(name, attribute).empty()) continue;
            for (const int file_vertex : split_.file_vertex)
                for (int c = 0; c < attribute.components; ++c)
                    put(bytes,
                        static_cast<float>(attribute.at(source_.mesh_vertex(file_vertex), c)));
            send(bytes);
        }
        if (frames_.count() > 1) send_animation();
    }

    void send_animation() {
        std::string bytes;
        std::vector<Vec3> positions;
        for (std::size_t f = 1; f < frames_.count(); ++f) {
            frames_.read(f, positions);
            for (std::size_t v = 0; v < vertex_count(); ++v) put_point(bytes, offset(positions, v));
            send(bytes);
        }
        for (std::size_t f = 0; f < frames_.count(); ++f)
            put(bytes, static_cast<float>(time_of(f)));
        for (std::size_t f = 0; f < frames_.count(); ++f) {
            for (std::size_t target = 1; target < frames_.count(); ++target)
                put(bytes, target == f ? 1.0f : 0.0f);
            send(bytes);
        }
    }

    std::ostream& out_;
    const std::string& path_;
    const MeshFile& source_;
    const FrameSpool& frames_;
    const CacheSettings& settings_;
    SplitVertices split_;
    std::vector<Vec3> base_;
    Json json_;
    std::size_t binary_size_ = 0;
};

} // namespace

void write_glb(std::ostream& out, const std::string& path, const MeshFile& source,
               const FrameSpool& frames, const CacheSettings& settings) {
    GlbWriter(out, path, source, frames, settings).write();
}

} // namespace knead::formats
