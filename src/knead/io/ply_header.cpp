#include "knead/io/ply_header.hpp"

#include <array>
#include <limits>

namespace knead::formats {
namespace {

PlyType type_from(TextReader& text) {
    struct Name {
        std::string_view text;
        PlyType type;
    };
    static constexpr std::array names{
        Name{"char", PlyType::int8},      Name{"int8", PlyType::int8},
        Name{"uchar", PlyType::uint8},    Name{"uint8", PlyType::uint8},
        Name{"short", PlyType::int16},    Name{"int16", PlyType::int16},
        Name{"ushort", PlyType::uint16},  Name{"uint16", PlyType::uint16},
        Name{"int", PlyType::int32},      Name{"int32", PlyType::int32},
        Name{"uint", PlyType::uint32},    Name{"uint32", PlyType::uint32},
        Name{"float", PlyType::float32},  Name{"float32", PlyType::float32},
        Name{"double", PlyType::float64}, Name{"float64", PlyType::float64},
    };
    const std::string_view word = text.word();
    for (const Name& name : names)
        if (name.text == word) return name.type;
    text.fail(fmt::format("found type {}, expected one such as float, double, uchar or int",
                          single_quoted(word)));
}

PlyHeader::Storage read_storage(TextReader& text) {
    const std::string_view word = text.word();
    if (word == "ascii") return PlyHeader::Storage::ascii;
    if (word == "binary_little_endian") return PlyHeader::Storage::little_endian;
    if (word == "binary_big_endian") return PlyHeader::Storage::big_endian;
    text.fail(fmt::format("found format {}, expected ascii, binary_little_endian or "
                          "binary_big_endian",
                          single_quoted(word)));
}

PlyElement read_element(TextReader& text) {
    PlyElement element;
    element.name = text.word();
    element.count = text.integer<std::uint64_t>("the count of the element");
    return element;
}

PlyProperty read_property(TextReader& text) {
    PlyProperty property;
    if (text.line().substr(0, text.line().find_first_not_of(" \t") + 4).ends_with("list")) {
        text.word();
        property.list_count = type_from(text);
        if (*property.list_count == PlyType::float32 || *property.list_count == PlyType::float64)
            text.fail("the count of a list is a floating-point type, expected a whole-number type");
    }
    property.type = type_from(text);
    property.name = text.word();
    if (property.name.empty()) text.fail("the property has no name");
    return property;
}

void check_size(const PlyHeader& header, std::size_t bytes_left, const std::string& file) {
    for (const PlyElement& element : header.elements) {
        // The least an element can take: its numbers and the counts of its lists; in text a digit
        // and a blank for each.
        std::uint64_t bytes = 0;
        for (const PlyProperty& property : element.properties)
            bytes += header.storage == PlyHeader::Storage::ascii
                         ? 2
                         : byte_size(property.list_count.value_or(property.type));
        // The last number of a text needs no blank behind it.
        const std::uint64_t room =
            header.storage == PlyHeader::Storage::ascii ? bytes_left + 1 : bytes_left;
        if (element.count > std::numeric_limits<int>::max() ||
            (bytes > 0 && element.count > room / bytes))
            throw InputError(fmt::format("{}: the header promises {} of element {}, the {} bytes "
                                         "behind it cannot hold them",
                                         file, element.count, single_quoted(element.name),
                                         bytes_left));
        bytes_left = room - element.count * bytes;
    }
}

} // namespace

std::size_t byte_size(PlyType type) {
    switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
        return 1;
    case PlyType::int16:
    case PlyType::uint16:
        return 2;
    case PlyType::int32:
    case PlyType::uint32:
    case PlyType::float32:
        return 4;
    case PlyType::float64:
        return 8;
    }
    return 8;
}

int PlyElement::property_index(std::string_view property_name) const {
    for (std::size_t i = 0; i < properties.size(); ++i)
        if (properties[i].name == property_name) return static_cast<int>(i);
    return -1;
}

PlyHeader read_ply_header(TextReader& text) {
    if (!text.next_line() || text.word() != "ply")
        throw InputError(
            fmt::format("{}: does not begin with 'ply' as a PLY file does", text.file()));
    PlyHeader header;
    bool has_format = false;
    while (text.next_line()) {
        const std::string_view key = text.word();
        if (key == "end_header") {
            if (!has_format) text.fail("the header ends without a format line");
            check_size(header, text.bytes_left(), text.file());
            return header;
        }
        if (key == "format") {
            header.storage = read_storage(text);
            has_format = true;
        } else if (key == "element") {
            header.elements.push_back(read_element(text));
        } else if (key == "property") {
            if (header.elements.empty()) text.fail("a property comes before the first element");
            header.elements.back().properties.push_back(read_property(text));
        } else if (key != "comment" && key != "obj_info" && !key.empty()) {
            text.fail(fmt::format("found {} in the header, expected format, element, property, "
                                  "comment or end_header",
                                  single_quoted(key)));
        }
    }
    throw InputError(fmt::format("{}: the file ends before 'end_header'", text.file()));
}

} // namespace knead::formats
