#pragma once

#include "knead/mesh/attributes.hpp"

#include <filesystem>
#include <string_view>

namespace knead {

/// Values painted on a mesh: a line a vertex, with one or more numbers between commas. A first line
/// that is no number is a heading. Throws InputError that names the line.
VertexAttribute read_csv_attribute(const std::filesystem::path& path, int vertex_count);
VertexAttribute read_csv_attribute_from_memory(std::string_view content, const std::string& name,
                                               int vertex_count);

} // namespace knead
