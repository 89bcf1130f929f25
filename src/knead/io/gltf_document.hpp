#pragma once

#include "knead/base/types.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace knead::formats {

using Json = nlohmann::json;

/// Where a glTF may look for the files it names; nothing when it was handed over in memory.
using GltfFolder = std::optional<std::filesystem::path>;

/// The JSON and the buffers of a glTF or GLB file. Every access is checked: an InputError names the
/// place in the JSON, what was found and what was expected.
///
/// Our own rather than a loader library: ranges of accessors and files named by the document have
/// to be checked before anything is touched, which leaves a loader only the JSON, and that is a
/// library already.
class GltfDocument {
public:
    GltfDocument(std::string_view content, std::string file, GltfFolder folder);

    const std::string& file() const { return file_; }
    const Json& root() const { return root_; }

    /// Elements of a top-level array such as "nodes".
    std::size_t count(const char* array) const { return list(root_, array, {}).size(); }
    const Json& element(const char* array, std::size_t index) const;

    // Members of an object; `where` is the object's place in messages.

    /// A list, empty when left out.
    const Json& list(const Json& object, const char* key, const std::string& where) const;
    /// An object, empty when left out.
    const Json& object(const Json& parent, const char* key, const std::string& where) const;
    std::string text(const Json& object, const char* key, const std::string& where) const;
    /// A whole number from 0 to `largest`, or -1 when left out.
    std::int64_t whole(const Json& object, const char* key, const std::string& where,
                       std::int64_t largest) const;
    /// An index into a top-level array, or -1 when left out.
    int index(const Json& object, const char* key, const std::string& where,
              const char* array) const;
    /// As many numbers as `fallback` has, or `fallback` when left out.
    std::vector<double> numbers(const Json& object, const char* key, const std::string& where,
                                std::vector<double> fallback) const;
    /// One value as an index below `count`.
    int index_value(const Json& value, const std::string& where, std::size_t count) const;

    /// An accessor as numbers, one element after the other, for types such as "VEC3" (each of
    /// `types` will do). Normalised integers become fractions.
    struct Numbers {
        int components = 0;
        std::size_t count = 0;
        std::vector<double> values;
    };
    Numbers accessor(int index, std::initializer_list<std::string_view> types) const;

    [[noreturn]] void fail(const std::string& message) const;

    /// Counts what has been taken into memory, and throws when a small file asks for very much by
    /// naming the same data again and again.
    void spend(std::size_t numbers) const;

private:
    struct View {
        std::string_view bytes;
        std::size_t stride = 0; ///< 0 = tightly packed
    };

    std::string_view json_and_binary_of(std::string_view content);
    void parse_json(std::string_view text);
    void check_extensions() const;
    View view(std::int64_t index) const;
    std::string_view buffer(int index) const;
    std::string load_buffer(const std::string& uri, const std::string& where) const;
    void read_elements(const View& view, std::size_t offset, int component_type, bool normalized,
                       const std::string& where, Numbers& result) const;
    void apply_sparse(const Json& accessor, int component_type, bool normalized,
                      const std::string& where, Numbers& result) const;

    std::string file_;
    GltfFolder folder_;
    Json root_;
    std::string_view binary_; ///< the binary chunk of a GLB
    bool has_binary_ = false;
    mutable std::map<int, std::string> loaded_; ///< buffers from data URIs and files
    mutable std::size_t loaded_bytes_ = 0, numbers_spent_ = 0;
};

} // namespace knead::formats
