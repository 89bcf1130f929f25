#include "knead/io/gltf_part.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

namespace knead::formats {
namespace {

class PartReader {
public:
    PartReader(const GltfDocument& document, int mesh)
        : document_(document),
          where_(fmt::format("meshes[{}]", mesh)),
          mesh_(document.element("meshes", static_cast<std::size_t>(mesh))) {}

    GltfPart read() {
        const Json& primitives = document_.list(mesh_, "primitives", where_);
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            const std::string where = fmt::format("{}.primitives[{}]", where_, p);
            if (!primitives[p].is_object()) document_.fail(where + " is no object");
            add_primitive(primitives[p], where);
        }
        name_targets();
        return std::move(part_);
    }

private:
    void add_primitive(const Json& primitive, const std::string& where) {
        const std::int64_t mode = document_.whole(primitive, "mode", where, 6);
        if (mode >= 0 && mode < 4) return; // points and lines
        const Json& attributes = document_.object(primitive, "attributes", where);
        const Json& targets = document_.list(primitive, "targets", where);
        const auto [vertices, is_new] =
            first_vertex_of_.try_emplace(attributes.dump() + targets.dump());
        if (is_new) {
            vertices->second = static_cast<int>(part_.positions.size());
            add_vertices(attributes, targets, where);
        }
        const int first = vertices->second;
        const std::size_t count = positions_of(attributes, where).count;
        add_triangles(primitive, mode, first, count, where);
        part_.material.resize(part_.triangles.size(),
                              document_.index(primitive, "material", where, "materials"));
    }

    GltfDocument::Numbers numbers_of(const Json& attributes, const std::string& key,
                                     const std::string& where,
                                     std::initializer_list<std::string_view> types,
                                     std::size_t count) {
        const int index = document_.index(attributes, key.c_str(), where, "accessors");
        GltfDocument::Numbers numbers = document_.accessor(index, types);
        if (numbers.count != count)
            document_.fail(fmt::format("{}.{} has {} elements, expected {} as POSITION", where, key,
                                       numbers.count, count));
        return numbers;
    }

    // Of vertices that nothing else looks at before they reach the methods or a writer.
    GltfDocument::Numbers finite_numbers_of(const Json& attributes, const std::string& key,
                                            const std::string& where,
                                            std::initializer_list<std::string_view> types,
                                            std::size_t count) {
        GltfDocument::Numbers numbers = numbers_of(attributes, key, where, types, count);
        for (std::size_t i = 0; i < numbers.values.size(); ++i)
            if (!std::isfinite(numbers.values[i]))
                document_.fail(fmt::format("{}.{} is {} at vertex {}, expected a finite number",
                                           where, key, numbers.values[i],
                                           i / static_cast<std::size_t>(numbers.components)));
        return numbers;
    }

    const GltfDocument::Numbers& positions_of(const Json& attributes, const std::string& where) {
        const int index = document_.index(attributes, "POSITION", where, "accessors");
        if (index < 0) document_.fail(where + " has no POSITION");
        const auto [entry, is_new] = positions_.try_emplace(index);
        if (is_new) entry->second = document_.accessor(index, {"VEC3"});
        return entry->second;
    }

    void add_vertices(const Json& attributes, const Json& targets, const std::string& where) {
        const std::size_t first = part_.positions.size();
        const GltfDocument::Numbers& position = positions_of(attributes, where);
        const std::vector<Vec3> positions = vectors_from(position.values);
        part_.positions.insert(part_.positions.end(), positions.begin(), positions.end());
        const std::size_t count = position.count;
        const std::string attributes_where = where + ".attributes";

        add_influences(attributes, attributes_where, first, count);
        part_.texture.resize(part_.positions.size());
        if (attributes.contains("TEXCOORD_0")) {
            const auto uv =
                finite_numbers_of(attributes, "TEXCOORD_0", attributes_where, {"VEC2"}, count);
            // glTF measures v from the top of the picture, everyone else from the bottom.
            for (std::size_t v = 0; v < count; ++v)
                part_.texture[first + v] = Vec2(uv.values[2 * v], 1 - uv.values[2 * v + 1]);
        }
        for (const auto& [key, accessor] : attributes.items()) {
            const bool own = key.size() > 1 && key.front() == '_';
            if (!own && key != "COLOR_0") continue;
            add_attribute(own ? key.substr(1) : "color",
                          finite_numbers_of(attributes, key, attributes_where,
                                            {"SCALAR", "VEC2", "VEC3", "VEC4"}, count),
                          first);
        }
        check_attribute_count(document_, part_.attributes.size());
        for (auto& [name, attribute] : part_.attributes)
            attribute.values.resize(part_.positions.size() * attribute.components,
                                    name == "color" ? 1.0 : 0.0);
        add_targets(targets, where, first, count);
    }

    void add_influences(const Json& attributes, const std::string& where, std::size_t first,
                        std::size_t count) {
        for (std::size_t set = 0; attributes.contains(fmt::format("JOINTS_{}", set)); ++set) {
            const std::string weights_key = fmt::format("WEIGHTS_{}", set);
            if (!attributes.contains(weights_key))
                document_.fail(fmt::format("{}.{} is missing", where, weights_key));
            const auto joints =
                numbers_of(attributes, fmt::format("JOINTS_{}", set), where, {"VEC4"}, count);
            const auto weights = numbers_of(attributes, weights_key, where, {"VEC4"}, count);
            if (part_.influences.size() <= set) part_.influences.resize(set + 1);
            std::vector<double>& rows = part_.influences[set];
            rows.resize(8 * first);
            for (std::size_t v = 0; v < count; ++v) {
                rows.insert(rows.end(), joints.values.begin() + 4 * v,
                            joints.values.begin() + 4 * v + 4);
                rows.insert(rows.end(), weights.values.begin() + 4 * v,
                            weights.values.begin() + 4 * v + 4);
            }
        }
        for (std::vector<double>& rows : part_.influences) rows.resize(8 * part_.positions.size());
    }

    void add_attribute(const std::string& name, const GltfDocument::Numbers& numbers,
                       std::size_t first) {
        VertexAttribute& attribute = part_.attributes[name];
        if (attribute.values.empty()) {
            attribute.components = numbers.components;
            attribute.values.assign(first * numbers.components, name == "color" ? 1.0 : 0.0);
        }
        // Colours may have an alpha in one primitive and none in the next.
        for (std::size_t v = 0; v < numbers.count; ++v)
            for (int c = 0; c < attribute.components; ++c)
                attribute.values.push_back(
                    c < numbers.components ? numbers.values[v * numbers.components + c] : 1.0);
    }

    void add_targets(const Json& targets, const std::string& where, std::size_t first,
                     std::size_t count) {
        if (targets.size() > part_.targets.size()) part_.targets.resize(targets.size());
        document_.spend(3 * part_.targets.size() * count);
        for (std::size_t t = 0; t < part_.targets.size(); ++t) {
            std::vector<Vec3>& offsets = part_.targets[t].offsets;
            offsets.resize(first, Vec3::Zero());
            if (t < targets.size() && targets[t].is_object() && targets[t].contains("POSITION")) {
                const std::vector<Vec3> read = vectors_from(
                    numbers_of(targets[t], "POSITION", fmt::format("{}.targets[{}]", where, t),
                               {"VEC3"}, count)
                        .values);
                offsets.insert(offsets.end(), read.begin(), read.end());
            }
            offsets.resize(part_.positions.size(), Vec3::Zero());
            for (std::size_t v = first; v < offsets.size(); ++v)
                if (!offsets[v].allFinite())
                    document_.fail(fmt::format("{}.targets[{}] moves vertex {} by ({}, {}, {}), "
                                               "expected finite numbers",
                                               where, t, v - first, offsets[v].x(), offsets[v].y(),
                                               offsets[v].z()));
        }
    }

    void add_triangles(const Json& primitive, std::int64_t mode, int first, std::size_t count,
                       const std::string& where) {
        std::vector<int> corners;
        const int index = document_.index(primitive, "indices", where, "accessors");
        if (index >= 0) {
            const GltfDocument::Numbers indices = document_.accessor(index, {"SCALAR"});
            corners.reserve(indices.count);
            for (const double corner : indices.values) {
                if (!(corner >= 0 && corner < static_cast<double>(count)))
                    document_.fail(fmt::format("{}.indices uses vertex {}, expected 0 to {}", where,
                                               corner, static_cast<long>(count) - 1));
                corners.push_back(first + static_cast<int>(corner));
            }
        } else {
            for (std::size_t v = 0; v < count; ++v) corners.push_back(first + static_cast<int>(v));
        }
        const std::size_t n = corners.size();
        if (mode == 5) // a strip: every other triangle is turned over
            for (std::size_t i = 0; i + 2 < n; ++i)
                part_.triangles.push_back(
                    {corners[i], corners[i + 1 + i % 2], corners[i + 2 - i % 2]});
        else if (mode == 6) // a fan
            for (std::size_t i = 1; i + 1 < n; ++i)
                part_.triangles.push_back({corners[i], corners[i + 1], corners[0]});
        else if (n % 3 != 0)
            document_.fail(fmt::format("{} has {} corners, expected a multiple of 3", where, n));
        else
            for (std::size_t i = 0; i < n; i += 3)
                part_.triangles.push_back({corners[i], corners[i + 1], corners[i + 2]});
    }

    void name_targets() {
        const std::size_t count = part_.targets.size();
        part_.target_weights =
            document_.numbers(mesh_, "weights", where_, std::vector<double>(count, 0.0));
        const auto extras = mesh_.find("extras");
        if (extras == mesh_.end() || !extras->is_object()) return;
        const auto names = extras->find("targetNames");
        if (names == extras->end() || !names->is_array()) return;
        for (std::size_t t = 0; t < std::min(count, names->size()); ++t)
            if ((*names)[t].is_string()) part_.targets[t].name = (*names)[t].get<std::string>();
    }

    const GltfDocument& document_;
    std::string where_;
    const Json& mesh_;
    GltfPart part_;
    /// By the words of their attributes and targets: primitives often share their vertices and
    /// differ in indices and material only.
    std::unordered_map<std::string, int> first_vertex_of_;
    std::map<int, GltfDocument::Numbers> positions_;
};

} // namespace

void check_attribute_count(const GltfDocument& document, std::size_t count) {
    // Every vertex has all of them, whichever its own part has.
    constexpr std::size_t most = 256;
    if (count > most)
        document.fail(fmt::format("vertices have more than {} attributes of their own names, "
                                  "expected fewer",
                                  most));
}

GltfPart read_gltf_part(const GltfDocument& document, int mesh) {
    return PartReader(document, mesh).read();
}

std::vector<Vec3> vectors_from(const std::vector<double>& numbers) {
    std::vector<Vec3> vectors(numbers.size() / 3);
    for (std::size_t v = 0; v < vectors.size(); ++v)
        vectors[v] = {numbers[3 * v], numbers[3 * v + 1], numbers[3 * v + 2]};
    return vectors;
}

} // namespace knead::formats
