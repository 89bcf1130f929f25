#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/text_writer.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// One attribute and the properties it becomes.
struct PropertyColumns {
    const VertexAttribute* attribute = nullptr;
    std::vector<std::string> names;
    bool bytes = false;
};

// Property names end at a blank.
std::string property_name(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) c = '_';
    return name.empty() ? "_" : name;
}

bool are_whole_255ths(const VertexAttribute& color) {
    return std::all_of(color.values.begin(), color.values.end(), [](double value) {
        return value >= 0 && value <= 1 && std::round(value * 255) / 255 == value;
    });
}

std::vector<PropertyColumns> columns_of(const std::map<std::string, VertexAttribute>& attributes) {
    std::vector<PropertyColumns> columns;
    for (const auto& [name, attribute] : attributes) {
        PropertyColumns column{&attribute, {}, false};
        if (name == "color" && (attribute.components == 3 || attribute.components == 4)) {
            column.names = {"red", "green", "blue", "alpha"};
            column.names.resize(attribute.components);
            column.bytes = are_whole_255ths(attribute);
        } else if (attribute.components == 1) {
            column.names = {property_name(name)};
        } else {
            for (int c = 0; c < attribute.components; ++c)
                column.names.push_back(fmt::format("{}_{}", property_name(name), c));
        }
        columns.push_back(std::move(column));
    }
    return columns;
}

void print_header(TextWriter& out, const MeshFile& source,
                  const std::vector<PropertyColumns>& columns) {
    out.print("ply\nformat ascii 1.0\nelement vertex {}\n", source.file_vertex_count());
    out.write("property double x\nproperty double y\nproperty double z\n");
    for (const PropertyColumns& column : columns)
        for (const std::string& name : column.names)
            out.print("property {} {}\n", column.bytes ? "uchar" : "double", name);
    std::size_t longest = 0;
    for (int p = 0; p < source.polygon_count(); ++p)
        longest = std::max(longest, source.polygon(p).size());
    out.print("element face {}\n", source.polygon_count());
    out.print("property list {} int vertex_indices\n", longest < 256 ? "uchar" : "uint");
    if (!source.corner_texture.empty())
        out.print("property list {} double texcoord\n", 2 * longest < 256 ? "uchar" : "uint");
    out.write("end_header\n");
}

void print_vertices(TextWriter& out, const MeshFile& source, std::span<const Vec3> positions,
                    const std::vector<PropertyColumns>& columns) {
    for (int v = 0; v < source.file_vertex_count(); ++v) {
        const int vertex = source.mesh_vertex(v);
        const Vec3& p = positions[vertex];
        out.print("{} {} {}", p.x(), p.y(), p.z());
        for (const PropertyColumns& column : columns)
            for (int c = 0; c < column.attribute->components; ++c) {
                const double value = column.attribute->at(vertex, c);
                if (column.bytes)
                    out.print(" {}", static_cast<int>(std::round(255 * value)));
                else
                    out.print(" {}", value);
            }
        out.write("\n");
    }
}

void print_ply_faces(TextWriter& out, const MeshFile& source) {
    std::size_t corner = 0;
    for (int p = 0; p < source.polygon_count(); ++p) {
        const std::span<const int> polygon = source.polygon(p);
        out.print("{}", polygon.size());
        for (const int vertex : polygon) out.print(" {}", vertex);
        if (!source.corner_texture.empty()) {
            const std::span textures(source.corner_texture.data() + corner, polygon.size());
            corner += polygon.size();
            const bool complete = std::ranges::all_of(textures, [](int t) { return t >= 0; });
            out.print(" {}", complete ? 2 * polygon.size() : 0);
            if (complete)
                for (const int t : textures)
                    out.print(" {} {}", source.texture_coordinates[t].x(),
                              source.texture_coordinates[t].y());
        }
        out.write("\n");
    }
}

} // namespace

void write_ply(const std::filesystem::path& path, const MeshFile& source,
               std::span<const Vec3> positions,
               const std::map<std::string, VertexAttribute>& attributes) {
    formats::check_position_count(source, positions, path);
    formats::check_attributes(source, attributes, path);
    const std::vector<PropertyColumns> columns = columns_of(attributes);
    write_file_atomically(path, [&](std::ostream& stream) {
        TextWriter out(stream);
        print_header(out, source, columns);
        print_vertices(out, source, positions, columns);
        print_ply_faces(out, source);
    });
}

} // namespace knead
