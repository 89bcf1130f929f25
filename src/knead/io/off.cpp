// Object File Format, text: OFF and its variants with normals (N), colours (C) and texture
// coordinates (ST) on vertices. Normals and the colours of faces are read over.
#include "knead/io/formats.hpp"
#include "knead/io/text_reader.hpp"

#include <algorithm>

namespace knead::formats {
namespace {

struct OffHeader {
    bool texture = false, color = false, normal = false;
    std::size_t vertices = 0, faces = 0;
};

OffHeader read_header(TextReader& text) {
    OffHeader header;
    if (!text.next_filled_line())
        throw InputError(fmt::format("{}: the file is empty, expected 'OFF'", text.file()));
    const std::string_view keyword = text.word();
    std::string_view left = keyword;
    const auto take = [&](std::string_view prefix) {
        const bool found = left.starts_with(prefix);
        if (found) left.remove_prefix(prefix.size());
        return found;
    };
    header.texture = take("ST");
    header.color = take("C");
    header.normal = take("N");
    if (left != "OFF")
        text.fail(fmt::format("found {}, expected OFF, COFF, NOFF, CNOFF or one of these behind ST",
                              single_quoted(keyword)));
    if (text.at_line_end() && !text.next_filled_line())
        throw InputError(fmt::format("{}: the file ends before its counts", text.file()));
    header.vertices = text.integer<std::uint32_t>("the number of vertices");
    header.faces = text.integer<std::uint32_t>("the number of faces");
    // A vertex takes at least "0 0 0" and a line end, a face "3 0 1 2"; the last needs no line end.
    const std::size_t room = text.bytes_left() + 1;
    if (6 * header.vertices + 8 * header.faces > room)
        text.fail(fmt::format("promises {} and {}, the {} bytes behind it cannot hold them",
                              counted(static_cast<long>(header.vertices), "vertex", "vertices"),
                              counted(static_cast<long>(header.faces), "face", "faces"),
                              text.bytes_left()));
    return header;
}

void read_vertices(TextReader& text, const OffHeader& header, MeshFile& result) {
    std::vector<double> color;
    const std::size_t expected =
        3 + (header.normal ? 3 : 0) + (header.color ? 4 : 0) + (header.texture ? 2 : 0);
    std::vector<double> numbers;
    for (std::size_t v = 0; v < header.vertices; ++v) {
        if (!text.next_filled_line())
            throw InputError(fmt::format("{}: the file ends within vertex {} of {}", text.file(), v,
                                         header.vertices));
        numbers.clear();
        while (!text.at_line_end()) numbers.push_back(text.finite_number("a number of the vertex"));
        // The alpha of a colour may be left out.
        const bool no_alpha = header.color && numbers.size() + 1 == expected;
        if (no_alpha) numbers.insert(numbers.end() - (header.texture ? 2 : 0), 1.0);
        if (numbers.size() != expected)
            text.fail(fmt::format("vertex {} has {}, expected {}", v,
                                  counted(std::ssize(numbers), "number", "numbers"), expected));
        result.mesh.positions.emplace_back(numbers[0], numbers[1], numbers[2]);
        auto next = numbers.begin() + (header.normal ? 6 : 3);
        if (header.color) {
            // Whole numbers beyond 1 are bytes.
            const bool bytes = std::any_of(next, next + 3, [](double c) { return c > 1; });
            for (int c = 0; c < 4; ++c, ++next)
                color.push_back(bytes && !(no_alpha && c == 3) ? *next / 255 : *next);
        }
        if (header.texture) result.texture_coordinates.emplace_back(next[0], next[1]);
    }
    if (header.color) result.mesh.attributes["color"] = {4, std::move(color)};
}

void read_faces(TextReader& text, const OffHeader& header, MeshFile& result) {
    for (std::size_t f = 0; f < header.faces; ++f) {
        if (!text.next_filled_line())
            throw InputError(fmt::format("{}: the file ends within face {} of {}", text.file(), f,
                                         header.faces));
        const std::uint32_t corners = text.integer<std::uint32_t>("the number of corners");
        if (corners > text.line().size())
            text.fail(
                fmt::format("face {} promises {} corners, more than the line holds", f, corners));
        for (std::uint32_t c = 0; c < corners; ++c)
            result.polygons.corners.push_back(text.integer<int>("a vertex index"));
        result.polygons.close();
    }
    if (header.texture) result.corner_texture = result.polygons.corners;
}

} // namespace

MeshFile read_off(std::string_view content, const std::string& file) {
    TextReader text(content, file);
    const OffHeader header = read_header(text);
    MeshFile result;
    read_vertices(text, header, result);
    read_faces(text, header, result);
    if (text.next_filled_line())
        text.fail(fmt::format("found {} behind the last of {}", single_quoted(text.rest_of_line()),
                              counted(static_cast<long>(header.faces), "face", "faces")));
    complete(result, file);
    return result;
}

} // namespace knead::formats
