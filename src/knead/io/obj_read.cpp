// Wavefront OBJ: polygons with UVs, groups, objects and materials. Normals are read over (they are
// wrong as soon as a vertex moves); curves, points and lines too.
#include "knead/io/formats.hpp"
#include "knead/io/text_reader.hpp"

#include <algorithm>
#include <unordered_map>

namespace knead::formats {
namespace {

// Every group of a face lists its vertices again.
constexpr int max_groups_a_face = 64;

// Collects a label for each polygon as the lines come.
class LabelBuilder {
public:
    void set(std::string_view name) {
        const auto [entry, is_new] =
            index_of_.try_emplace(std::string(name), static_cast<int>(labels_.names.size()));
        if (is_new) labels_.names.emplace_back(name);
        current_ = entry->second;
    }
    void polygon_added() { labels_.of_polygon.push_back(current_); }
    std::size_t name_count() const { return labels_.names.size(); }
    FaceLabels take() {
        if (labels_.names.empty()) labels_.of_polygon.clear();
        return std::move(labels_);
    }

private:
    FaceLabels labels_;
    std::unordered_map<std::string, int> index_of_;
    int current_ = -1;
};

class ObjReader {
public:
    ObjReader(std::string_view content, const std::string& file) : text_(content, file) {
        // A guess from the size spares most of the growing.
        result_.mesh.positions.reserve(content.size() / 100);
        result_.polygons.corners.reserve(content.size() / 25);
    }

    MeshFile read() {
        while (text_.next_line()) {
            join_continued_lines();
            read_line();
        }
        check_late_corners();
        finish();
        return std::move(result_);
    }

private:
    void join_continued_lines() {
        if (text_.line().empty() || text_.line().back() != '\\') return;
        joined_.clear();
        do {
            joined_.append(text_.line().substr(0, text_.line().size() - 1));
            joined_ += ' ';
            if (!text_.next_line()) {
                text_.set_line({});
                break;
            }
        } while (!text_.line().empty() && text_.line().back() == '\\');
        joined_.append(text_.line());
        text_.set_line(joined_);
    }

    void read_line() {
        const std::string_view key = text_.word();
        if (key == "v")
            read_vertex();
        else if (key == "f" || key == "fo")
            read_face();
        else if (key == "vt")
            read_texture_coordinate();
        else if (key == "g")
            read_group();
        else if (key == "o")
            objects_.set(text_.rest_of_line());
        else if (key == "usemtl")
            materials_.set(text_.rest_of_line());
        else if (key == "mtllib")
            result_.material_libraries.emplace_back(text_.rest_of_line());
        else if (!is_known(key))
            text_.fail(fmt::format("found {}, expected a Wavefront OBJ keyword such as v, vt or f",
                                   single_quoted(key)));
    }

    void read_group() {
        const std::string_view names = text_.rest_of_line();
        const auto blanks = std::count(names.begin(), names.end(), ' ');
        if (blanks >= max_groups_a_face)
            text_.fail(
                fmt::format("names {} groups, expected at most {}", blanks + 1, max_groups_a_face));
        groups_.set(names);
    }

    static bool is_known(std::string_view key) {
        static constexpr std::string_view others[] = {
            "vn",     "s",      "l",          "p",         "vp",    "mg",       "cstype",   "deg",
            "bmat",   "step",   "curv",       "parm",      "trim",  "hole",     "scrv",     "sp",
            "end",    "con",    "surf",       "curv2",     "bevel", "c_interp", "d_interp", "lod",
            "maplib", "usemap", "shadow_obj", "trace_obj", "ctech", "stech",    "call",     "csh"};
        return key.empty() || key.front() == '#' ||
               std::find(std::begin(others), std::end(others), key) != std::end(others);
    }

    bool at_end_or_comment() { return text_.at_line_end() || text_.line().front() == '#'; }

    void read_vertex() {
        Vec3 position;
        static constexpr std::string_view names[] = {"x", "y", "z"};
        for (int i = 0; i < 3; ++i) position[i] = text_.coordinate(names[i]);
        // What follows is nothing, a weight w, a colour, or both; w matters to curves only.
        double extra[4];
        int count = 0;
        while (!at_end_or_comment()) {
            if (count == 4) text_.fail("the vertex has more than 7 numbers");
            extra[count++] = text_.finite_number("a number of the vertex");
        }
        if (count >= 3) {
            color_.resize(3 * result_.mesh.positions.size(), 1.0);
            color_.insert(color_.end(), extra + count - 3, extra + count);
        }
        result_.mesh.positions.push_back(position);
    }

    void read_texture_coordinate() {
        const double u = text_.finite_number("u");
        const double v = at_end_or_comment() ? 0.0 : text_.finite_number("v");
        result_.texture_coordinates.emplace_back(u, v);
    }

    // An index as the file has it, 1-based or negative from the end, to 0-based.
    int index_from(std::string_view& word, std::size_t count, std::string_view what) {
        int index = 0;
        const char* end = word.data() + word.size();
        const auto [stop, error] = std::from_chars(word.data(), end, index);
        if (error != std::errc() || (stop != end && *stop != '/') || index == 0)
            text_.fail(fmt::format("{} is {}, expected 1, 2 ... or -1, -2 ...", what,
                                   single_quoted(word)));
        word.remove_prefix(stop - word.data());
        if (index > 0) return index - 1;
        if (static_cast<std::size_t>(-static_cast<long>(index)) > count)
            text_.fail(fmt::format("{} is {}, but only {} come before", what, index, count));
        return static_cast<int>(count) + index;
    }

    void read_face() {
        Polygons& polygons = result_.polygons;
        const std::size_t first = polygons.corners.size();
        while (!at_end_or_comment()) {
            std::string_view word = text_.word();
            const std::size_t vertex_count = result_.mesh.positions.size();
            const int vertex = index_from(word, vertex_count, "the vertex index");
            // Faces may come before their vertices; those are looked at again at the end.
            if (static_cast<std::size_t>(vertex) >= vertex_count)
                late_corners_.push_back({vertex, text_.line_number()});
            polygons.corners.push_back(vertex);
            if (word.size() > 1 && word[1] != '/') {
                word.remove_prefix(1);
                const std::size_t texture_count = result_.texture_coordinates.size();
                const int texture = index_from(word, texture_count, "the texture index");
                if (static_cast<std::size_t>(texture) >= texture_count)
                    late_textures_.push_back({texture, text_.line_number()});
                result_.corner_texture.resize(polygons.corners.size() - 1, -1);
                result_.corner_texture.push_back(texture);
            }
        }
        const std::span<const int> corners(polygons.corners.begin() + first,
                                           polygons.corners.end());
        if (corners.size() < 3)
            text_.fail(fmt::format("the face has {}, expected at least 3",
                                   counted(std::ssize(corners), "corner", "corners")));
        if (const std::optional<int> twice = repeated_index(corners))
            text_.fail(fmt::format("the face uses vertex {} twice", *twice + 1));
        polygons.close();
        groups_.polygon_added();
        objects_.polygon_added();
        materials_.polygon_added();
    }

    void check_late_corners() {
        const auto check = [&](const std::vector<LateIndex>& late, std::size_t count,
                               std::string_view what, std::string_view many) {
            for (const LateIndex& corner : late)
                if (static_cast<std::size_t>(corner.index) >= count)
                    text_.fail_at(corner.line, fmt::format("{} is {}, but the file has {} {}", what,
                                                           corner.index + 1, count, many));
        };
        check(late_corners_, result_.mesh.positions.size(), "the vertex index", "vertices");
        check(late_textures_, result_.texture_coordinates.size(), "the texture index",
              "texture coordinates");
    }

    void finish() {
        if (!result_.corner_texture.empty())
            result_.corner_texture.resize(result_.polygons.corners.size(), -1);
        if (!color_.empty()) {
            color_.resize(3 * result_.mesh.positions.size(), 1.0);
            result_.mesh.attributes["color"] = {3, std::move(color_)};
        }
        result_.face_groups = groups_.take();
        result_.face_materials = materials_.take();
        FaceLabels objects = objects_.take();
        if (!objects.names.empty()) result_.name = objects.names.front();
        if (objects.names.size() > 1) result_.face_objects = std::move(objects);
        // A face may be in several groups: "g arm left".
        add_groups_of_faces(result_, result_.face_groups, true);
        add_groups_of_faces(result_, result_.face_objects, false);
        complete(result_, text_.file());
    }

    struct LateIndex {
        int index, line;
    };

    TextReader text_;
    std::string joined_;
    MeshFile result_;
    std::vector<double> color_;
    LabelBuilder groups_, objects_, materials_;
    std::vector<LateIndex> late_corners_, late_textures_;
};

} // namespace

MeshFile read_obj(std::string_view content, const std::string& file) {
    return ObjReader(content, file).read();
}

} // namespace knead::formats
