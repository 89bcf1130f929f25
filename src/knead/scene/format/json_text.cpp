#include "knead/base/text.hpp"
#include "knead/scene/format/json.hpp"

#include <nlohmann/json.hpp>

namespace knead {
namespace {

constexpr std::size_t line_length = 100;

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string plain(const JsonValue& value) {
    if (const bool* boolean = value.boolean()) return *boolean ? "true" : "false";
    if (const double* number = value.number()) return shortest(*number);
    if (const std::string* text = value.text()) return quoted(*text);
    return "null";
}

// Calls `add` for every member with what stands before it.
template <typename Add>
void for_each_member(const JsonValue& value, const Add& add) {
    if (const JsonValue::List* list = value.list())
        for (const JsonValue& item : *list) add(std::string(), item);
    if (const JsonValue::Object* object = value.object())
        for (const auto& [key, member] : *object) add(quoted(key) + ": ", member);
}

// On one line; what is longer than `most` is left unfinished.
void append_line(const JsonValue& value, std::string& text, std::size_t most) {
    if (!value.list() && !value.object()) {
        text += plain(value);
        return;
    }
    text += value.list() ? '[' : '{';
    const char* separator = "";
    for_each_member(value, [&](const std::string& key, const JsonValue& member) {
        if (text.size() > most) return;
        text.append(separator).append(key);
        append_line(member, text, most);
        separator = ", ";
    });
    text += value.list() ? ']' : '}';
}

void append_indented(const JsonValue& value, std::string& text, std::size_t indent) {
    const std::size_t line_start = text.rfind('\n') + 1;
    const std::size_t length = text.size(), most = line_start + line_length;
    append_line(value, text, most);
    if (text.size() <= most || !(value.list() || value.object())) return;
    text.resize(length);
    text += value.list() ? '[' : '{';
    std::string inner = "\n";
    inner.append(indent + 2, ' ');
    const char* separator = "";
    for_each_member(value, [&](const std::string& key, const JsonValue& member) {
        text.append(separator).append(inner).append(key);
        append_indented(member, text, indent + 2);
        separator = ",";
    });
    text.append("\n").append(indent, ' ');
    text += value.list() ? ']' : '}';
}

} // namespace

std::string json_text(const JsonValue& value) {
    std::string text;
    append_line(value, text, std::string::npos);
    return text;
}

std::string indented_json(const JsonValue& value) {
    std::string text;
    append_indented(value, text, 0);
    text += '\n';
    return text;
}

} // namespace knead
