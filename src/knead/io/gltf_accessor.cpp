// Buffers, views and accessors of a glTF: from bytes to numbers, with every range checked first.
#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/text.hpp"
#include "knead/io/byte_reader.hpp"
#include "knead/io/formats.hpp"
#include "knead/io/gltf_document.hpp"
#include "knead/io/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace knead::formats {
namespace {

constexpr std::int64_t max_bytes = std::int64_t(1) << 32;
constexpr std::int64_t max_count = std::numeric_limits<std::int32_t>::max();
// Elements that stand in no buffer are zeros; nothing but this keeps a file from promising many.
constexpr std::size_t max_zeros = std::size_t(1) << 24;

int components_of(std::string_view type) {
    static constexpr std::array<std::pair<std::string_view, int>, 7> types{{{"SCALAR", 1},
                                                                            {"VEC2", 2},
                                                                            {"VEC3", 3},
                                                                            {"VEC4", 4},
                                                                            {"MAT2", 4},
                                                                            {"MAT3", 9},
                                                                            {"MAT4", 16}}};
    for (const auto& [name, components] : types)
        if (name == type) return components;
    return 0;
}

std::size_t component_bytes(int component_type) {
    switch (component_type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

// A signed fraction -1 stands for both -128 and -127 (glTF 2.0, 3.6.2.2).
template <typename T>
double fraction(T value) {
    return std::max(static_cast<double>(value) / std::numeric_limits<T>::max(), -1.0);
}

template <typename T>
double number_at(const char* bytes, bool normalized) {
    const T value = ByteReader(std::string_view(bytes, sizeof(T))).take<T>();
    if constexpr (std::is_integral_v<T>)
        if (normalized) return fraction(value);
    return value;
}

using NumberAt = double (*)(const char*, bool);

NumberAt reader_of(int component_type) {
    switch (component_type) {
    case 5120:
        return number_at<std::int8_t>;
    case 5121:
        return number_at<std::uint8_t>;
    case 5122:
        return number_at<std::int16_t>;
    case 5123:
        return number_at<std::uint16_t>;
    case 5125:
        return number_at<std::uint32_t>;
    default:
        return number_at<float>;
    }
}

std::optional<std::string> decode_base64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t bits = 0;
    int count = 0;
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    for (const char c : text) {
        std::uint32_t digit;
        if (c >= 'A' && c <= 'Z')
            digit = c - 'A';
        else if (c >= 'a' && c <= 'z')
            digit = c - 'a' + 26;
        else if (c >= '0' && c <= '9')
            digit = c - '0' + 52;
        else if (c == '+')
            digit = 62;
        else if (c == '/')
            digit = 63;
        else
            return std::nullopt;
        bits = bits << 6 | digit;
        if (++count % 4 != 1)
            bytes += static_cast<char>(bits >> (6 - 2 * ((count - 1) % 4)) & 0xFF);
    }
    return bytes;
}

std::string percent_decoded(std::string_view uri) {
    std::string result;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        unsigned value = 0;
        if (uri[i] == '%' && i + 2 < uri.size() &&
            std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16).ptr ==
                uri.data() + i + 3) {
            result += static_cast<char>(value);
            i += 2;
        } else {
            result += uri[i];
        }
    }
    return result;
}

bool leaves_folder(const std::filesystem::path& path) {
    const std::filesystem::path normal = path.lexically_normal();
    return normal.empty() || path.is_absolute() || *normal.begin() == "..";
}

} // namespace

std::vector<std::filesystem::path> gltf_buffers(std::string_view content, const std::string& file,
                                                const std::filesystem::path& folder) {
    const GltfDocument document(content, file, folder);
    std::vector<std::filesystem::path> files;
    for (std::size_t i = 0; i < document.count("buffers"); ++i) {
        const Json& buffer = document.element("buffers", i);
        if (!buffer.contains("uri")) continue;
        const std::string uri = document.text(buffer, "uri", fmt::format("buffers[{}]", i));
        if (!uri.starts_with("data:")) files.push_back(folder / percent_decoded(uri));
    }
    return files;
}

std::string GltfDocument::load_buffer(const std::string& uri, const std::string& where) const {
    if (uri.starts_with("data:")) {
        const std::size_t comma = uri.find(',');
        std::optional<std::string> bytes;
        if (comma != std::string::npos && uri.substr(0, comma).ends_with(";base64"))
            bytes = decode_base64(std::string_view(uri).substr(comma + 1));
        if (!bytes) fail(fmt::format("{}.uri is no base64 data", where));
        return *std::move(bytes);
    }
    const std::filesystem::path path = percent_decoded(uri);
    if (uri.find("://") != std::string::npos || leaves_folder(path))
        fail(fmt::format("{}.uri is {}, which leaves the folder of the file", where,
                         single_quoted(uri)));
    if (!folder_)
        fail(fmt::format("{}.uri is {}, but there is no folder to look in", where,
                         single_quoted(uri)));
    return read_text_file(*folder_ / path, max_mesh_file_bytes - loaded_bytes_);
}

std::string_view GltfDocument::buffer(int index) const {
    const std::string where = fmt::format("buffers[{}]", index);
    const Json& buffer = element("buffers", index);
    std::string_view bytes;
    if (const auto uri = buffer.find("uri"); uri != buffer.end()) {
        const auto [entry, is_new] = loaded_.try_emplace(index);
        if (is_new) {
            entry->second = load_buffer(text(buffer, "uri", where), where);
            loaded_bytes_ +=
                std::min<std::size_t>(entry->second.size(), max_mesh_file_bytes - loaded_bytes_);
        }
        bytes = entry->second;
    } else if (index == 0 && has_binary_) {
        bytes = binary_;
    } else {
        fail(where + " has no uri, and there is no binary chunk");
    }
    const std::int64_t length = whole(buffer, "byteLength", where, max_bytes);
    if (length > static_cast<std::int64_t>(bytes.size()))
        fail(fmt::format("{} promises {} bytes, {} are there", where, length, bytes.size()));
    return bytes;
}

GltfDocument::View GltfDocument::view(std::int64_t index) const {
    const std::string where = fmt::format("bufferViews[{}]", index);
    const Json& json = element("bufferViews", static_cast<std::size_t>(index));
    const int buffer_index = this->index(json, "buffer", where, "buffers");
    if (buffer_index < 0) fail(where + ".buffer is missing");
    const std::string_view bytes = buffer(buffer_index);
    const std::int64_t offset =
        std::max<std::int64_t>(0, whole(json, "byteOffset", where, max_bytes));
    const std::int64_t length = whole(json, "byteLength", where, max_bytes);
    if (length < 0) fail(where + ".byteLength is missing");
    if (offset + length > static_cast<std::int64_t>(bytes.size()))
        fail(fmt::format("{} ends at byte {} of a buffer of {}", where, offset + length,
                         bytes.size()));
    const std::int64_t stride =
        std::max<std::int64_t>(0, whole(json, "byteStride", where, 1 << 16));
    return {bytes.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)),
            static_cast<std::size_t>(stride)};
}

void GltfDocument::read_elements(const View& view, std::size_t offset, int component_type,
                                 bool normalized, const std::string& where, Numbers& result) const {
    const std::size_t size = component_bytes(component_type);
    const std::size_t packed = size * static_cast<std::size_t>(result.components);
    const std::size_t stride = view.stride == 0 ? packed : view.stride;
    const std::size_t end = result.count == 0 ? 0 : offset + (result.count - 1) * stride + packed;
    if (end > view.bytes.size())
        fail(fmt::format("{} ends at byte {} of a view of {}", where, end, view.bytes.size()));
    spend(result.count * static_cast<std::size_t>(result.components));
    result.values.reserve(result.count * static_cast<std::size_t>(result.components));
    const NumberAt number = reader_of(component_type);
    for (std::size_t i = 0; i < result.count; ++i) {
        const char* bytes = view.bytes.data() + offset + i * stride;
        for (int c = 0; c < result.components; ++c, bytes += size)
            result.values.push_back(number(bytes, normalized));
    }
}

void GltfDocument::apply_sparse(const Json& accessor, int component_type, bool normalized,
                                const std::string& accessor_where, Numbers& result) const {
    const std::string where = accessor_where + ".sparse";
    const Json& sparse = object(accessor, "sparse", accessor_where);
    const std::int64_t count = whole(sparse, "count", where, max_count);
    const auto read = [&](const char* key, int type, bool is_normalized, int components) {
        const std::string part = where + "." + key;
        const Json& json = object(sparse, key, where);
        const int view_index = index(json, "bufferView", part, "bufferViews");
        if (view_index < 0) fail(part + ".bufferView is missing");
        const std::int64_t offset =
            std::max<std::int64_t>(0, whole(json, "byteOffset", part, max_bytes));
        View source = view(view_index);
        source.stride = 0;
        Numbers numbers{components, static_cast<std::size_t>(std::max<std::int64_t>(0, count)), {}};
        read_elements(source, static_cast<std::size_t>(offset), type, is_normalized, part, numbers);
        return numbers;
    };
    const auto index_type =
        static_cast<int>(whole(object(sparse, "indices", where), "componentType", where, 5126));
    if (index_type != 5121 && index_type != 5123 && index_type != 5125)
        fail(fmt::format("{}.indices.componentType is {}, expected 5121, 5123 or 5125", where,
                         index_type));
    const Numbers indices = read("indices", index_type, false, 1);
    const Numbers values = read("values", component_type, normalized, result.components);
    for (std::size_t i = 0; i < indices.count; ++i) {
        const double target = indices.values[i];
        if (target >= static_cast<double>(result.count))
            fail(fmt::format("{} sets element {} of {}", where, target, result.count));
        std::copy_n(values.values.begin() + static_cast<long>(i) * result.components,
                    result.components,
                    result.values.begin() + static_cast<long>(target) * result.components);
    }
}

GltfDocument::Numbers GltfDocument::accessor(int index,
                                             std::initializer_list<std::string_view> types) const {
    const std::string where = fmt::format("accessors[{}]", index);
    const Json& json = element("accessors", static_cast<std::size_t>(index));
    const std::string type = text(json, "type", where);
    if (std::find(types.begin(), types.end(), type) == types.end())
        fail(fmt::format("{}.type is {}, expected {}", where, single_quoted(type),
                         fmt::join(types, " or ")));
    const int component_type = static_cast<int>(whole(json, "componentType", where, max_count));
    if (component_bytes(component_type) == 0)
        fail(fmt::format("{}.componentType is {}, expected 5120 to 5123, 5125 or 5126", where,
                         component_type));
    const std::int64_t count = whole(json, "count", where, max_count);
    if (count < 0) fail(where + ".count is missing");
    const auto flag = json.find("normalized");
    const bool normalized = flag != json.end() && flag->is_boolean() && flag->get<bool>();

    Numbers result{components_of(type), static_cast<std::size_t>(count), {}};
    const int view_index = this->index(json, "bufferView", where, "bufferViews");
    if (view_index >= 0) {
        const std::int64_t offset =
            std::max<std::int64_t>(0, whole(json, "byteOffset", where, max_bytes));
        read_elements(view(view_index), static_cast<std::size_t>(offset), component_type,
                      normalized, where, result);
    } else {
        const std::size_t zeros = result.count * static_cast<std::size_t>(result.components);
        if (zeros > max_zeros)
            fail(fmt::format("{} has {} elements and no bufferView, expected at most {}", where,
                             count, max_zeros / static_cast<std::size_t>(result.components)));
        spend(zeros);
        result.values.assign(zeros, 0.0);
    }
    if (json.contains("sparse")) apply_sparse(json, component_type, normalized, where, result);
    return result;
}

} // namespace knead::formats
