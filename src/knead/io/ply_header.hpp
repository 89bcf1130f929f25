#pragma once

#include "knead/io/byte_reader.hpp"
#include "knead/io/text_reader.hpp"

#include <optional>
#include <vector>

namespace knead::formats {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t byte_size(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::float32;
    std::optional<PlyType> list_count; ///< type of the count, for a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;

    int property_index(std::string_view property_name) const; ///< -1 when there is none
};

struct PlyHeader {
    enum class Storage { ascii, little_endian, big_endian };
    Storage storage = Storage::ascii;
    std::vector<PlyElement> elements;
};

/// Reads up to and including the line `end_header`, and checks that what is left of the file can
/// hold the promised elements, so that nothing is allocated on the word of a header alone.
PlyHeader read_ply_header(TextReader& text);

} // namespace knead::formats
