#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace knead {

/// A JSON value that knows the line it begins in.
struct JsonValue {
    using List = std::vector<JsonValue>;
    using Object = std::vector<std::pair<std::string, JsonValue>>; // in the order of the text

    std::variant<std::nullptr_t, bool, double, std::string, List, Object> data = nullptr;
    int line = 1;

    const bool* boolean() const { return std::get_if<bool>(&data); }
    const double* number() const { return std::get_if<double>(&data); }
    const std::string* text() const { return std::get_if<std::string>(&data); }
    const List* list() const { return std::get_if<List>(&data); }
    List* list() { return std::get_if<List>(&data); }
    const Object* object() const { return std::get_if<Object>(&data); }
    Object* object() { return std::get_if<Object>(&data); }

    /// The member of an object, or null.
    const JsonValue* find(std::string_view key) const;
    JsonValue* find(std::string_view key);
};

/// Parses a whole text. Throws an InputError `name:line: ...` for what is not JSON, for repeated
/// keys, numbers beyond 1e100, more than 64 levels or a million values.
JsonValue parse_json(std::string_view text, const std::string& name);

/// The value as text on one line; numbers read back to the same doubles.
std::string json_text(const JsonValue& value);

/// The same for a person: what fits on a line of 100 characters stays on one.
std::string indented_json(const JsonValue& value);

/// A value in a few words, for messages: `"soft"`, `3.5`, `a list of 2`, `an object`.
std::string describe(const JsonValue& value);

/// Text in double quotes, made fit for one line of a message.
std::string in_quotes(std::string_view text);

} // namespace knead
