// PLY, text and binary. Vertex properties other than the position become attributes; normals are
// read over, since they are wrong as soon as a vertex moves.
#include "knead/io/formats.hpp"
#include "knead/io/ply_header.hpp"

#include <algorithm>
#include <cctype>

namespace knead::formats {
namespace {

// One row of an element at a time: its scalars in order of the properties (0 for lists), and the
// lists one after the other.
struct Row {
    std::vector<double> scalars;
    std::vector<std::vector<double>> lists;
};

class RowReader {
public:
    RowReader(TextReader& text, PlyHeader::Storage storage)
        : text_(text),
          ascii_(storage == PlyHeader::Storage::ascii),
          bytes_(text.rest(), storage == PlyHeader::Storage::big_endian ? std::endian::big
                                                                        : std::endian::little) {}

    void read(const PlyElement& element, std::uint64_t index, Row& row) {
        row.scalars.resize(element.properties.size());
        row.lists.resize(element.properties.size());
        // An element without properties takes no room, not even a line.
        if (element.properties.empty()) return;
        if (ascii_) next_text_row(element, index);
        for (std::size_t p = 0; p < element.properties.size(); ++p) {
            const PlyProperty& property = element.properties[p];
            if (!property.list_count) {
                row.scalars[p] = scalar(property.type, property, element, index);
                continue;
            }
            const double count = scalar(*property.list_count, property, element, index);
            const std::size_t room =
                ascii_ ? text_.line().size() : bytes_.left() / byte_size(property.type);
            if (!(count >= 0 && count <= static_cast<double>(room)))
                fail(element, index,
                     fmt::format("the list {} promises {} numbers, more than the "
                                 "file holds",
                                 single_quoted(property.name), count));
            row.lists[p].resize(static_cast<std::size_t>(count));
            for (double& value : row.lists[p])
                value = scalar(property.type, property, element, index);
        }
        if (ascii_ && !text_.at_line_end())
            text_.fail(fmt::format("found {} behind the last number of {} {}",
                                   single_quoted(text_.word()), element.name, index));
    }

    [[noreturn]] void fail(const PlyElement& element, std::uint64_t index,
                           std::string_view message) const {
        throw InputError(fmt::format("{}: {} {}: {}", text_.file(), element.name, index, message));
    }

private:
    void next_text_row(const PlyElement& element, std::uint64_t index) {
        do {
            if (!text_.next_line()) ended(element, index);
        } while (text_.at_line_end());
    }

    [[noreturn]] void ended(const PlyElement& element, std::uint64_t index) const {
        throw InputError(fmt::format("{}: the file ends within {} {} of {}", text_.file(),
                                     element.name, index, element.count));
    }

    double scalar(PlyType type, const PlyProperty& property, const PlyElement& element,
                  std::uint64_t index) {
        if (ascii_) return text_.number(property.name);
        if (!bytes_.has(byte_size(type))) ended(element, index);
        switch (type) {
        case PlyType::int8:
            return bytes_.take<std::int8_t>();
        case PlyType::uint8:
            return bytes_.take<std::uint8_t>();
        case PlyType::int16:
            return bytes_.take<std::int16_t>();
        case PlyType::uint16:
            return bytes_.take<std::uint16_t>();
        case PlyType::int32:
            return bytes_.take<std::int32_t>();
        case PlyType::uint32:
            return bytes_.take<std::uint32_t>();
        case PlyType::float32:
            return bytes_.take<float>();
        case PlyType::float64:
            return bytes_.take<double>();
        }
        return 0;
    }

    TextReader& text_;
    bool ascii_;
    ByteReader bytes_;
};

// Where the numbers of one attribute stand among the properties of a vertex.
struct AttributeColumns {
    std::string name;
    std::vector<int> properties;
    double scale = 1;
};

std::optional<AttributeColumns> color_columns(const PlyElement& vertex) {
    AttributeColumns color{"color", {}, 1};
    for (const std::string_view channel : {"red", "green", "blue", "alpha"}) {
        const int p = vertex.property_index(channel);
        if (p < 0 || vertex.properties[p].list_count) break;
        color.properties.push_back(p);
    }
    if (color.properties.size() < 3) return std::nullopt;
    const PlyType type = vertex.properties[color.properties[0]].type;
    if (type == PlyType::uint8) color.scale = 255;
    if (type == PlyType::uint16) color.scale = 65535;
    return color;
}

// name_0, name_1 ... side by side are one attribute of several components.
std::vector<AttributeColumns> attribute_columns(const PlyElement& vertex) {
    static constexpr std::string_view dropped[] = {"x", "y", "z", "nx", "ny", "nz"};
    std::vector<AttributeColumns> columns;
    const std::optional<AttributeColumns> color = color_columns(vertex);
    if (color) columns.push_back(*color);
    const int count = static_cast<int>(vertex.properties.size());
    for (int p = 0; p < count; ++p) {
        const PlyProperty& property = vertex.properties[p];
        const bool is_color = color && std::find(color->properties.begin(), color->properties.end(),
                                                 p) != color->properties.end();
        if (property.list_count || is_color ||
            std::find(std::begin(dropped), std::end(dropped), property.name) != std::end(dropped))
            continue;
        AttributeColumns column{property.name, {p}, 1};
        if (property.name.size() > 2 && property.name.ends_with("_0")) {
            const std::string stem = property.name.substr(0, property.name.size() - 2);
            for (int k = 1;
                 p + 1 < count && vertex.properties[p + 1].name == fmt::format("{}_{}", stem, k) &&
                 !vertex.properties[p + 1].list_count;
                 ++k)
                column.properties.push_back(++p);
            if (column.properties.size() > 1) column.name = stem;
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

void read_vertices(RowReader& rows, const PlyElement& element, MeshFile& result,
                   const std::string& file) {
    int position[3];
    static constexpr std::string_view names[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
        position[i] = element.property_index(names[i]);
        if (position[i] < 0 || element.properties[position[i]].list_count)
            throw InputError(
                fmt::format("{}: the vertices have no property {}", file, single_quoted(names[i])));
    }
    const std::vector<AttributeColumns> columns = attribute_columns(element);
    std::vector<VertexAttribute*> attributes;
    for (const AttributeColumns& column : columns) {
        const auto [entry, is_new] = result.mesh.attributes.try_emplace(column.name);
        if (!is_new)
            throw InputError(fmt::format("{}: the vertices have the attribute {} twice, expected "
                                         "names that differ",
                                         file, single_quoted(column.name)));
        entry->second.components = static_cast<int>(column.properties.size());
        attributes.push_back(&entry->second);
    }
    result.mesh.positions.reserve(std::min<std::uint64_t>(element.count, 1u << 22));
    Row row;
    for (std::uint64_t v = 0; v < element.count; ++v) {
        rows.read(element, v, row);
        result.mesh.positions.emplace_back(row.scalars[position[0]], row.scalars[position[1]],
                                           row.scalars[position[2]]);
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (const int p : columns[c].properties) {
                if (!std::isfinite(row.scalars[p]))
                    rows.fail(element, v,
                              fmt::format("attribute {} is {}, expected a finite number",
                                          single_quoted(element.properties[p].name),
                                          row.scalars[p]));
                attributes[c]->values.push_back(row.scalars[p] / columns[c].scale);
            }
    }
}

void read_faces(RowReader& rows, const PlyElement& element, MeshFile& result,
                const std::string& file) {
    int indices = element.property_index("vertex_indices");
    if (indices < 0) indices = element.property_index("vertex_index");
    if (indices < 0 || !element.properties[indices].list_count)
        throw InputError(fmt::format("{}: the faces have no list 'vertex_indices'", file));
    int texture = element.property_index("texcoord");
    if (texture >= 0 && !element.properties[texture].list_count) texture = -1;
    Row row;
    for (std::uint64_t f = 0; f < element.count; ++f) {
        rows.read(element, f, row);
        const std::vector<double>& corners = row.lists[indices];
        for (const double corner : corners) {
            if (!(corner == std::floor(corner) && std::abs(corner) < 0x1p31))
                rows.fail(element, f,
                          fmt::format("a vertex index is {}, expected a whole number below 2^31",
                                      corner));
            result.polygons.corners.push_back(static_cast<int>(corner));
        }
        result.polygons.close();
        if (texture < 0) continue;
        const std::vector<double>& uv = row.lists[texture];
        if (!uv.empty() && uv.size() != 2 * corners.size())
            rows.fail(element, f,
                      fmt::format("the list 'texcoord' has {} numbers, expected {}", uv.size(),
                                  2 * corners.size()));
        for (const double number : uv)
            if (!std::isfinite(number))
                rows.fail(
                    element, f,
                    fmt::format("a texture coordinate is {}, expected a finite number", number));
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const bool has_uv = !uv.empty();
            result.corner_texture.push_back(
                has_uv ? static_cast<int>(result.texture_coordinates.size()) : -1);
            if (has_uv) result.texture_coordinates.emplace_back(uv[2 * i], uv[2 * i + 1]);
        }
    }
}

} // namespace

MeshFile read_ply(std::string_view content, const std::string& file) {
    TextReader text(content, file);
    const PlyHeader header = read_ply_header(text);
    RowReader rows(text, header.storage);
    MeshFile result;
    bool has_vertices = false, has_faces = false;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex" && !std::exchange(has_vertices, true)) {
            read_vertices(rows, element, result, file);
        } else if (element.name == "face" && !std::exchange(has_faces, true)) {
            read_faces(rows, element, result, file);
        } else {
            Row skipped;
            if (!element.properties.empty())
                for (std::uint64_t i = 0; i < element.count; ++i) rows.read(element, i, skipped);
        }
    }
    complete(result, file);
    return result;
}

} // namespace knead::formats
