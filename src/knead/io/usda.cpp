// USD as text: one Mesh with time-sampled points, UVs as primvars:st, attributes and maps as
// primvars and face groups as GeomSubsets.
#include "knead/io/cache_formats.hpp"
#include "knead/io/text_writer.hpp"

#include <algorithm>
#include <set>

namespace knead::formats {
namespace {

// USD names are ASCII identifiers, and no two siblings share one.
class Identifiers {
public:
    std::string add(std::string_view name, std::string_view fallback) {
        std::string identifier;
        for (const char c : name) {
            const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                              (c >= '0' && c <= '9') || c == '_';
            identifier += fits ? c : '_';
        }
        if (identifier.find_first_not_of('_') == identifier.npos) identifier = fallback;
        if (identifier.front() >= '0' && identifier.front() <= '9') identifier.insert(0, "_");
        std::string unique = identifier;
        for (int i = 2; !taken_.insert(unique).second; ++i)
            unique = fmt::format("{}_{}", identifier, i);
        return unique;
    }

private:
    std::set<std::string> taken_;
};

class UsdaWriter {
public:
    UsdaWriter(std::ostream& out, const MeshFile& source, const FrameSpool& frames,
               const CacheSettings& settings)
        : out_(out), source_(source), frames_(frames), settings_(settings) {}

    void write() {
        const std::string name = Identifiers().add(source_.name, "mesh");
        print_layer(name);
        out_.print("def Mesh \"{}\"\n{{\n", name);
        print_faces();
        print_points();
        if (!source_.corner_texture.empty()) print_texture_coordinates();
        print_attributes();
        out_.write("    uniform token subdivisionScheme = \"none\"\n");
        print_groups();
        out_.print("}}\n");
    }

private:
    // Items between commas, as `print_item(i)` prints them.
    template <typename PrintItem>
    void print_list(std::size_t count, const PrintItem& print_item) {
        out_.write("[");
        for (std::size_t i = 0; i < count; ++i) {
            if (i > 0) out_.write(", ");
            print_item(i);
        }
        out_.write("]");
    }

    void print_point(const Vec3& p) { out_.print("({}, {}, {})", p.x(), p.y(), p.z()); }

    void print_layer(const std::string& name) {
        const double fps = settings_.fps;
        out_.print("#usda 1.0\n(\n    defaultPrim = \"{}\"\n", name);
        out_.print("    endTimeCode = {}\n", frames_.frame(frames_.count() - 1));
        out_.print("    framesPerSecond = {}\n", fps);
        out_.print("    startTimeCode = {}\n", frames_.frame(0));
        out_.print("    timeCodesPerSecond = {}\n", fps);
        out_.print("    upAxis = \"{}\"\n)\n\n", settings_.up == 'z' ? "Z" : "Y");
    }

    void print_faces() {
        const int count = source_.polygon_count();
        out_.write("    int[] faceVertexCounts = ");
        print_list(count, [&](std::size_t p) {
            out_.print("{}", source_.polygon(static_cast<int>(p)).size());
        });
        out_.write("\n    int[] faceVertexIndices = [");
        for (int p = 0; p < count; ++p)
            for (std::size_t i = 0; i < source_.polygon(p).size(); ++i)
                out_.print("{}{}", p + i == 0 ? "" : ", ", source_.polygon(p)[i]);
        out_.write("]\n");
    }

    void print_points() {
        std::vector<Vec3> positions;
        std::vector<Box> extents;
        const auto print_frame = [&](std::size_t frame) {
            frames_.read(frame, positions);
            extents.push_back(bounding_box(positions));
            print_list(static_cast<std::size_t>(source_.file_vertex_count()), [&](std::size_t v) {
                print_point(positions[source_.mesh_vertex(static_cast<int>(v))]);
            });
        };
        print_samples("point3f[] points", print_frame);
        print_samples("float3[] extent", [&](std::size_t frame) {
            print_list(2, [&](std::size_t i) {
                print_point(i == 0 ? extents[frame].lower : extents[frame].upper);
            });
        });
    }

    // One frame holds at any time; several are samples.
    template <typename PrintFrame>
    void print_samples(std::string_view attribute, const PrintFrame& print_frame) {
        if (frames_.count() == 1) {
            out_.print("    {} = ", attribute);
            print_frame(0);
            out_.write("\n");
            return;
        }
        out_.print("    {}.timeSamples = {{\n", attribute);
        for (std::size_t f = 0; f < frames_.count(); ++f) {
            out_.print("        {}: ", frames_.frame(f));
            print_frame(f);
            out_.write(",\n");
        }
        out_.print("    }}\n");
    }

    void print_texture_coordinates() {
        const std::vector<int>& corners = source_.corner_texture;
        const std::size_t count = source_.texture_coordinates.size();
        // USD wants a value on every corner; those without one share a last entry.
        const bool has_gaps = std::ranges::any_of(corners, [](int t) { return t < 0; });
        out_.write("    texCoord2f[] primvars:st = ");
        print_list(count + (has_gaps ? 1 : 0), [&](std::size_t i) {
            const Vec2 uv = i < count ? source_.texture_coordinates[i] : Vec2(Vec2::Zero());
            out_.print("({}, {})", uv.x(), uv.y());
        });
        out_.write(" (\n        interpolation = \"faceVarying\"\n    )\n");
        out_.write("    int[] primvars:st:indices = ");
        print_list(corners.size(), [&](std::size_t c) {
            out_.print("{}", corners[c] < 0 ? static_cast<int>(count) : corners[c]);
        });
        out_.write("\n");
    }

    void print_attributes() {
        Identifiers identifiers;
        identifiers.add("st", "st");
        const std::vector<std::string>& maps = settings_.maps;
        std::vector<std::string> map_identifiers;
        for (const std::string& name : maps)
            map_identifiers.push_back(identifiers.add(name, "map"));
        for (const auto& [name, attribute] : source_.mesh.attributes) {
            if (std::ranges::find(maps, name) != maps.end()) continue;
            const int components = attribute.components;
            const bool is_color = name == "color" && components >= 3;
            const std::string identifier =
                identifiers.add(is_color ? "displayColor" : name, "attribute");
            if (is_color)
                print_primvar("color3f[]", identifier, attribute, 3);
            else if (components == 1)
                print_primvar("double[]", identifier, attribute, 1);
            else if (components <= 4)
                print_primvar(fmt::format("double{}[]", components), identifier, attribute,
                              components);
        }
        for (std::size_t m = 0; m < maps.size(); ++m) print_map(map_identifiers[m], m);
    }

    void print_map(const std::string& identifier, std::size_t map) {
        std::vector<double> values;
        if (frames_.count() == 1) {
            frames_.read_map(0, map, values);
            print_primvar("double[]", identifier, {1, std::move(values)}, 1);
            return;
        }
        out_.print("    double[] primvars:{} (\n        interpolation = \"vertex\"\n    )\n",
                   identifier);
        print_samples(fmt::format("double[] primvars:{}", identifier), [&](std::size_t frame) {
            frames_.read_map(frame, map, values);
            print_list(static_cast<std::size_t>(source_.file_vertex_count()), [&](std::size_t v) {
                out_.print("{}", values[source_.mesh_vertex(static_cast<int>(v))]);
            });
        });
    }

    void print_primvar(std::string_view type, const std::string& identifier,
                       const VertexAttribute& attribute, int components) {
        out_.print("    {} primvars:{} = ", type, identifier);
        print_list(static_cast<std::size_t>(source_.file_vertex_count()), [&](std::size_t v) {
            const int vertex = source_.mesh_vertex(static_cast<int>(v));
            if (components == 1) {
                out_.print("{}", attribute.at(vertex));
                return;
            }
            for (int c = 0; c < components; ++c)
                out_.print("{}{}", c == 0 ? "(" : ", ", attribute.at(vertex, c));
            out_.write(")");
        });
        out_.write(" (\n        interpolation = \"vertex\"\n    )\n");
    }

    void print_groups() {
        Identifiers identifiers;
        for (const FaceLabels* labels :
             {&source_.face_objects, &source_.face_groups, &source_.face_materials}) {
            std::vector<std::vector<int>> members(labels->names.size());
            for (std::size_t p = 0; p < labels->of_polygon.size(); ++p)
                if (labels->of_polygon[p] >= 0)
                    members[labels->of_polygon[p]].push_back(static_cast<int>(p));
            for (std::size_t g = 0; g < members.size(); ++g) {
                if (members[g].empty() || labels->names[g].empty()) continue;
                out_.print("\n    def GeomSubset \"{}\"\n    {{\n",
                           identifiers.add(labels->names[g], "group"));
                out_.write("        uniform token elementType = \"face\"\n");
                out_.write("        int[] indices = ");
                print_list(members[g].size(),
                           [&](std::size_t i) { out_.print("{}", members[g][i]); });
                out_.print("\n    }}\n");
            }
        }
    }

    TextWriter out_;
    const MeshFile& source_;
    const FrameSpool& frames_;
    const CacheSettings& settings_;
};

} // namespace

void write_usda(std::ostream& out, const MeshFile& source, const FrameSpool& frames,
                const CacheSettings& settings) {
    UsdaWriter(out, source, frames, settings).write();
}

} // namespace knead::formats
