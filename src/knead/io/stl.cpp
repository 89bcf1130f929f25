// STL, text and binary: loose triangles. Corners at the same place become one vertex; a facet that
// thereby loses a corner has no area and is left out.
#include "knead/base/warning.hpp"
#include "knead/io/byte_reader.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/text_reader.hpp"
#include "knead/io/weld.hpp"

namespace knead::formats {
namespace {

constexpr std::size_t header_bytes = 84, facet_bytes = 50;

std::vector<Vec3> read_binary_corners(std::string_view content, const std::string& file) {
    ByteReader bytes(content);
    bytes.take_bytes(80);
    const std::uint32_t count = bytes.take<std::uint32_t>();
    if (bytes.left() != count * facet_bytes)
        throw InputError(fmt::format("{}: the header promises {}, which take {} bytes, but the "
                                     "file has {}",
                                     file, counted(count, "facet", "facets"),
                                     header_bytes + count * facet_bytes, content.size()));
    std::vector<Vec3> corners;
    corners.reserve(3 * static_cast<std::size_t>(count));
    for (std::uint32_t f = 0; f < count; ++f) {
        bytes.take_bytes(12); // the normal
        for (int i = 0; i < 3; ++i) {
            const float x = bytes.take<float>(), y = bytes.take<float>();
            corners.emplace_back(x, y, bytes.take<float>());
        }
        bytes.take_bytes(2);
    }
    return corners;
}

std::vector<Vec3> read_text_corners(std::string_view content, const std::string& file,
                                    std::string& name) {
    TextReader text(content, file);
    std::vector<Vec3> corners;
    std::size_t facet_start = 0;
    bool in_solid = false;
    while (text.next_line()) {
        const std::string_view key = text.word();
        if (key == "vertex") {
            const double x = text.coordinate("x"), y = text.coordinate("y");
            corners.emplace_back(x, y, text.coordinate("z"));
        } else if (key == "solid") {
            in_solid = true;
            if (name.empty()) name = text.rest_of_line();
        } else if (key == "endfacet") {
            if (corners.size() - facet_start != 3)
                text.fail(fmt::format("the facet has {}, expected 3",
                                      counted(static_cast<long>(corners.size() - facet_start),
                                              "vertex", "vertices")));
            facet_start = corners.size();
        } else if (key == "endsolid") {
            in_solid = false;
        } else if (key != "facet" && key != "outer" && key != "endloop" && !key.empty()) {
            text.fail(fmt::format("found {}, expected an STL keyword such as facet or vertex",
                                  single_quoted(key)));
        }
    }
    if (in_solid || facet_start != corners.size())
        throw InputError(fmt::format("{}: the file ends before 'endsolid'", file));
    return corners;
}

} // namespace

MeshFile read_stl(std::string_view content, const std::string& file) {
    MeshFile result;
    std::vector<Vec3> corners;
    // Binary files may begin with "solid" too; their size tells them apart.
    const bool has_count = content.size() >= header_bytes;
    const bool is_binary = has_count && [&] {
        ByteReader count(content.substr(80));
        return content.size() == header_bytes + count.take<std::uint32_t>() * facet_bytes;
    }();
    if (!is_binary && content.starts_with("solid"))
        corners = read_text_corners(content, file, result.name);
    else if (has_count)
        corners = read_binary_corners(content, file);
    else
        throw InputError(fmt::format("{}: neither begins with 'solid' nor has the {} bytes of a "
                                     "binary STL header",
                                     file, header_bytes));
    check_positions(corners, file);
    const Weld weld = weld_positions(corners);
    result.mesh.positions.reserve(weld.first.size());
    for (const int corner : weld.first) result.mesh.positions.push_back(corners[corner]);
    int left_out = 0;
    for (std::size_t c = 0; c + 2 < corners.size(); c += 3) {
        const std::span<const int> face(weld.vertex_of.data() + c, 3);
        if (repeated_index(face))
            ++left_out;
        else
            result.polygons.add(face);
    }
    if (left_out > 0)
        warn(fmt::format("{}: left out {} with two corners at one place", file,
                         counted(left_out, "facet", "facets")));
    complete(result, file);
    return result;
}

} // namespace knead::formats
