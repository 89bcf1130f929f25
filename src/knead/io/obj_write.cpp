#include "knead/base/file.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/text_writer.hpp"

namespace knead {
namespace {

// Names from other formats may hold anything; here a line is the end of a name.
std::string on_one_line(std::string name) {
    for (char& c : name)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return name;
}

// Writes a label line when the label differs from that of the polygon before.
class LabelLine {
public:
    LabelLine(std::string_view key, const FaceLabels& labels) : key_(key), labels_(labels) {}

    void before_polygon(int polygon, TextWriter& out) {
        if (labels_.empty() || labels_.of_polygon[polygon] == current_) return;
        current_ = labels_.of_polygon[polygon];
        out.print("{} {}\n", key_, current_ < 0 ? "" : on_one_line(labels_.names[current_]));
    }

private:
    std::string_view key_;
    const FaceLabels& labels_;
    int current_ = -1;
};

void print_vertices(TextWriter& out, const MeshFile& source, std::span<const Vec3> positions) {
    const auto found = source.mesh.attributes.find("color");
    const VertexAttribute* color =
        found != source.mesh.attributes.end() && found->second.components >= 3 ? &found->second
                                                                               : nullptr;
    for (int v = 0; v < source.file_vertex_count(); ++v) {
        const int vertex = source.mesh_vertex(v);
        const Vec3& p = positions[vertex];
        if (color == nullptr)
            out.print("v {} {} {}\n", p.x(), p.y(), p.z());
        else
            out.print("v {} {} {} {} {} {}\n", p.x(), p.y(), p.z(), color->at(vertex, 0),
                      color->at(vertex, 1), color->at(vertex, 2));
    }
}

void print_obj_faces(TextWriter& out, const MeshFile& source) {
    LabelLine objects("o", source.face_objects), groups("g", source.face_groups),
        materials("usemtl", source.face_materials);
    std::size_t corner = 0;
    for (int p = 0; p < source.polygon_count(); ++p) {
        objects.before_polygon(p, out);
        groups.before_polygon(p, out);
        materials.before_polygon(p, out);
        out.write("f");
        for (const int vertex : source.polygon(p)) {
            const int texture =
                source.corner_texture.empty() ? -1 : source.corner_texture[corner++];
            if (texture < 0)
                out.print(" {}", vertex + 1);
            else
                out.print(" {}/{}", vertex + 1, texture + 1);
        }
        out.write("\n");
    }
}

} // namespace

void write_obj(const std::filesystem::path& path, const MeshFile& source,
               std::span<const Vec3> positions) {
    formats::check_position_count(source, positions, path);
    write_file_atomically(path, [&](std::ostream& stream) {
        TextWriter out(stream);
        for (const std::string& library : source.material_libraries)
            out.print("mtllib {}\n", on_one_line(library));
        if (!source.name.empty() && source.face_objects.empty())
            out.print("o {}\n", on_one_line(source.name));
        print_vertices(out, source, positions);
        for (const Vec2& uv : source.texture_coordinates) out.print("vt {} {}\n", uv.x(), uv.y());
        print_obj_faces(out, source);
    });
}

} // namespace knead
