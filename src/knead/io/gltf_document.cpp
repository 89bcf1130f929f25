#include "knead/io/gltf_document.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/io/byte_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead::formats {
namespace {

// The format itself needs less than ten levels; the rest is room for what programs add.
constexpr int max_depth = 100;
constexpr std::size_t max_json_bytes = std::size_t(256) << 20;
constexpr std::size_t max_numbers = std::size_t(1) << 27;

constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;

std::string place(const std::string& where, const char* key) {
    return where.empty() ? key : where + "." + key;
}

// A value as it stands in the file, for a message.
std::string shown(const Json& value) {
    if (value.is_structured()) return value.is_object() ? "an object" : "a list";
    return value.is_string() ? single_quoted(value.get_ref<const std::string&>())
                             : value.dump(-1, ' ', true);
}

// Visits the bytes that belong to no text.
template <typename Visit>
void outside_texts(std::string_view json, const Visit& visit) {
    bool in_text = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (in_text && json[i] == '\\')
            ++i;
        else if (json[i] == '"')
            in_text = !in_text;
        else if (!in_text)
            visit(i);
    }
}

// How deep lists and objects are in each other.
int nesting(std::string_view json) {
    int depth = 0, deepest = 0;
    outside_texts(json, [&](std::size_t i) {
        if (json[i] == '[' || json[i] == '{')
            deepest = std::max(deepest, ++depth);
        else if (json[i] == ']' || json[i] == '}')
            --depth;
    });
    return deepest;
}

// The byte, from 1, at which a number first stands whole: names and longer numbers may contain it.
std::size_t byte_of_number(std::string_view json, std::string_view number) {
    constexpr std::string_view of_numbers = "0123456789+-.eE";
    std::size_t found = 0;
    outside_texts(json, [&](std::size_t i) {
        const bool begins = i == 0 || of_numbers.find(json[i - 1]) == std::string_view::npos;
        if (found == 0 && begins && json.substr(i).starts_with(number) &&
            std::min(json.find_first_not_of(of_numbers, i), json.size()) == i + number.size())
            found = i + 1;
    });
    return found;
}

// The library's own words end in "number overflow parsing '1e908'", and do not say where that is.
std::string number_out_of_range(const Json::out_of_range& error, std::string_view text) {
    const std::string_view words = error.what();
    const std::size_t end = words.rfind('\''), begin = words.rfind('\'', end - 1) + 1;
    const std::string_view number = words.substr(begin, end - begin);
    return fmt::format("the JSON has the number {} at byte {}, expected numbers from -1.7e308 to "
                       "1.7e308",
                       single_quoted(number), byte_of_number(text, number));
}

} // namespace

GltfDocument::GltfDocument(std::string_view content, std::string file, GltfFolder folder)
    : file_(std::move(file)), folder_(std::move(folder)) {
    parse_json(json_and_binary_of(content));
    check_extensions();
}

void GltfDocument::fail(const std::string& message) const {
    throw InputError(fmt::format("{}: {}", file_, message));
}

void GltfDocument::spend(std::size_t numbers) const {
    numbers_spent_ += std::min(numbers, max_numbers + 1);
    if (numbers_spent_ > max_numbers)
        fail(fmt::format("needs more than {} numbers in memory", max_numbers));
}

std::string_view GltfDocument::json_and_binary_of(std::string_view content) {
    if (!content.starts_with("glTF")) return content;
    ByteReader bytes(content);
    if (!bytes.has(12)) fail("the file ends within the GLB header");
    bytes.take<std::uint32_t>();
    const std::uint32_t version = bytes.take<std::uint32_t>(), length = bytes.take<std::uint32_t>();
    if (version != 2) fail(fmt::format("the GLB version is {}, expected 2", version));
    if (length > content.size())
        fail(fmt::format("the GLB header promises {} bytes, the file has {}", length,
                         content.size()));
    std::string_view json;
    for (int chunk = 0; bytes.left() >= 8; ++chunk) {
        const std::uint32_t chunk_length = bytes.take<std::uint32_t>(),
                            type = bytes.take<std::uint32_t>();
        if (!bytes.has(chunk_length))
            fail(fmt::format("GLB chunk {} promises {} bytes, {} are left", chunk, chunk_length,
                             bytes.left()));
        const std::string_view data = bytes.take_bytes(chunk_length);
        if (chunk == 0 && type == json_chunk) json = data;
        if (chunk == 1 && type == binary_chunk) {
            binary_ = data;
            has_binary_ = true;
        }
    }
    if (json.empty()) fail("the GLB has no JSON chunk");
    return json;
}

void GltfDocument::parse_json(std::string_view text) {
    if (text.size() > max_json_bytes)
        fail(
            fmt::format("the JSON has {} bytes, expected at most {}", text.size(), max_json_bytes));
    // Not by a callback of the parser, which takes time with the square of a list's length.
    if (nesting(text) > max_depth)
        fail(fmt::format("the JSON is nested more than {} deep", max_depth));
    try {
        root_ = Json::parse(text.begin(), text.end());
    } catch (const Json::parse_error& error) {
        fail(fmt::format("the JSON is broken at byte {}", error.byte));
    } catch (const Json::out_of_range& error) {
        fail(number_out_of_range(error, text));
    }
    if (!root_.is_object()) fail("the JSON is " + shown(root_) + ", expected an object");
    const std::string version = this->text(object(root_, "asset", {}), "version", "asset");
    if (!version.starts_with("2."))
        fail(fmt::format("asset.version is {}, expected '2.0'", single_quoted(version)));
}

void GltfDocument::check_extensions() const {
    // These change how a mesh looks, not where it is; quantised accessors are read as they are.
    static constexpr std::string_view harmless[] = {"KHR_materials_", "KHR_texture_",
                                                    "EXT_texture_",   "MSFT_texture_",
                                                    "KHR_lights_",    "KHR_mesh_quantization"};
    for (const Json& extension : list(root_, "extensionsRequired", {})) {
        const std::string name = extension.is_string() ? extension.get<std::string>() : "";
        if (std::none_of(std::begin(harmless), std::end(harmless),
                         [&](std::string_view prefix) { return name.starts_with(prefix); }))
            fail(fmt::format("needs the extension {}, which is not supported; export the file "
                             "without it",
                             single_quoted(name)));
    }
}

const Json& GltfDocument::element(const char* array, std::size_t index) const {
    const Json& result = list(root_, array, {})[index];
    if (!result.is_object())
        fail(fmt::format("{}[{}] is {}, expected an object", array, index, shown(result)));
    return result;
}

const Json& GltfDocument::list(const Json& object, const char* key,
                               const std::string& where) const {
    static const Json none = Json::array();
    const auto found = object.find(key);
    if (found == object.end()) return none;
    if (!found->is_array())
        fail(fmt::format("{} is {}, expected a list", place(where, key), shown(*found)));
    return *found;
}

const Json& GltfDocument::object(const Json& parent, const char* key,
                                 const std::string& where) const {
    static const Json none = Json::object();
    const auto found = parent.find(key);
    if (found == parent.end()) return none;
    if (!found->is_object())
        fail(fmt::format("{} is {}, expected an object", place(where, key), shown(*found)));
    return *found;
}

std::string GltfDocument::text(const Json& object, const char* key,
                               const std::string& where) const {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (!found->is_string())
        fail(fmt::format("{} is {}, expected a text", place(where, key), shown(*found)));
    return found->get<std::string>();
}

std::int64_t GltfDocument::whole(const Json& object, const char* key, const std::string& where,
                                 std::int64_t largest) const {
    const auto found = object.find(key);
    if (found == object.end()) return -1;
    // Some programs write 3.0 for 3.
    const double value = found->is_number() ? found->get<double>() : -1;
    if (!(value >= 0 && value <= static_cast<double>(largest) && value == std::floor(value)))
        fail(fmt::format("{} is {}, expected a whole number from 0 to {}", place(where, key),
                         shown(*found), largest));
    return static_cast<std::int64_t>(value);
}

int GltfDocument::index_value(const Json& value, const std::string& where,
                              std::size_t count) const {
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0 && number < static_cast<double>(count) && number == std::floor(number)))
        fail(count == 0
                 ? fmt::format("{} is {}, but there are none", where, shown(value))
                 : fmt::format("{} is {}, expected 0 to {}", where, shown(value), count - 1));
    return static_cast<int>(number);
}

int GltfDocument::index(const Json& object, const char* key, const std::string& where,
                        const char* array) const {
    const auto found = object.find(key);
    return found == object.end() ? -1 : index_value(*found, place(where, key), count(array));
}

std::vector<double> GltfDocument::numbers(const Json& object, const char* key,
                                          const std::string& where,
                                          std::vector<double> fallback) const {
    const auto found = object.find(key);
    if (found == object.end()) return fallback;
    const Json& values = list(object, key, where);
    if (values.size() != fallback.size())
        fail(fmt::format("{} has {}, expected {}", place(where, key),
                         counted(static_cast<long>(values.size()), "number", "numbers"),
                         fallback.size()));
    std::vector<double> result;
    for (const Json& value : values) {
        if (!value.is_number())
            fail(fmt::format("{} holds {}, expected numbers", place(where, key), shown(value)));
        result.push_back(value.get<double>());
    }
    return result;
}

} // namespace knead::formats
