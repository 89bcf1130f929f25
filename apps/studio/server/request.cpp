#include "request.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace knead::studio {
namespace {

std::optional<std::uint32_t> read_id(const JsonValue& message) {
    const JsonValue* id = message.find("id");
    if (id == nullptr || id->number() == nullptr) return std::nullopt;
    const double value = *id->number();
    if (value != std::floor(value) || value < 0 || value > 4294967295.0) return std::nullopt;
    return static_cast<std::uint32_t>(value);
}

// How long the key is that a sentence begins with, as in `objects[0].attributes["my map"]: ...`.
std::size_t key_length(std::string_view text) {
    std::size_t at = 0;
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' && at > 0 && (text[at - 1] == '[' || quoted)) quoted = !quoted;
        if (quoted) continue;
        const bool of_key = std::isalnum(static_cast<unsigned char>(c)) ||
                            std::string_view("_-.[]\"").find(c) != std::string_view::npos;
        if (!of_key) break;
    }
    return text.substr(at).starts_with(": ") ? at : 0;
}

} // namespace

Request parse_request(std::string_view text) {
    JsonValue message;
    try {
        message = parse_json(text, "message");
    } catch (const InputError& error) {
        throw BadMessage(CloseCode::not_understood, error.what());
    }
    const std::optional<std::uint32_t> id = read_id(message);
    if (!id)
        throw BadMessage(CloseCode::refused,
                         "expected an object with an id, a whole number from 0 on");
    const JsonValue* action = message.find("do");
    if (action == nullptr || action->text() == nullptr)
        throw BadMessage(CloseCode::refused, "expected what to do", id);
    Request request{*id, *action->text(), {}, false};
    request.body = std::move(message);
    return request;
}

bool brings_document(const Request& request) {
    return !request.begun && RequestReader(request).find("document");
}

std::optional<SceneValue> RequestReader::find(std::string_view key) const {
    std::optional<SceneValue> value = root_.find(key);
    // The page may say null for what it does not have.
    if (value && std::holds_alternative<std::nullptr_t>(value->json().data)) return std::nullopt;
    return value;
}

Complaint complaint(std::string_view what, std::string_view name) {
    if (!what.starts_with(name)) return {std::string(what), ""};
    std::string_view rest = what.substr(name.size());
    // "name:LINE: key: ...": the page's text has no lines.
    const std::size_t digits = rest.find_first_not_of("0123456789", 1);
    if (!rest.starts_with(":") || digits == std::string_view::npos || digits == 1 ||
        !rest.substr(digits).starts_with(": "))
        return {std::string(what), ""};
    rest.remove_prefix(digits + 2);
    return {std::string(rest), std::string(rest.substr(0, key_length(rest)))};
}

} // namespace knead::studio
