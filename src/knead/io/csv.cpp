#include "knead/io/csv.hpp"

#include "knead/base/file.hpp"
#include "knead/io/text_reader.hpp"

#include <algorithm>
#include <vector>

namespace knead {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && TextReader::is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && TextReader::is_blank(text.back())) text.remove_suffix(1);
    return text;
}

bool is_heading(std::string_view line) {
    const std::string_view cell = trimmed(line.substr(0, line.find(',')));
    return !cell.empty() && !parse_double(cell);
}

} // namespace

VertexAttribute read_csv_attribute_from_memory(std::string_view content, const std::string& name,
                                               int vertex_count) {
    TextReader text(content, name);
    VertexAttribute attribute{0, {}};
    int rows = 0;
    while (text.next_line()) {
        std::string_view line = trimmed(text.line());
        if (line.empty() || (rows == 0 && text.line_number() == 1 && is_heading(line))) continue;
        if (rows == vertex_count)
            text.fail(fmt::format("found a value for vertex {} of a mesh of {}", rows,
                                  counted(vertex_count, "vertex", "vertices")));
        const int columns = static_cast<int>(std::count(line.begin(), line.end(), ',')) + 1;
        if (attribute.components == 0) attribute.components = columns;
        if (columns != attribute.components)
            text.fail(fmt::format("found {}, expected {} as on the first line",
                                  counted(columns, "number", "numbers"), attribute.components));
        for (int c = 0; c < columns; ++c) {
            const std::string_view cell = trimmed(line.substr(0, line.find(',')));
            line.remove_prefix(std::min(line.size(), line.find(',') + 1));
            const std::optional<double> value = parse_double(cell);
            if (!value || !std::isfinite(*value))
                text.fail(fmt::format("found {}, expected a finite number", single_quoted(cell)));
            attribute.values.push_back(*value);
        }
        ++rows;
    }
    if (rows != vertex_count)
        throw InputError(fmt::format("{}: has {}, expected one for each of {}", name,
                                     counted(rows, "value", "values"),
                                     counted(vertex_count, "vertex", "vertices")));
    return attribute;
}

VertexAttribute read_csv_attribute(const std::filesystem::path& path, int vertex_count) {
    return read_csv_attribute_from_memory(read_text_file(path, std::uintmax_t(1) << 30),
                                          path.string(), vertex_count);
}

} // namespace knead
