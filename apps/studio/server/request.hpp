#pragma once

#include "knead/base/error.hpp"
#include "knead/scene/format/scene_value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knead::studio {

/// Why a WebSocket is closed by us, as RFC 6455 numbers it.
enum class CloseCode {
    going_away = 1001,
    not_understood = 1007,
    refused = 1008,
    too_big = 1009,
    failed = 1011
};

/// A message that no well-behaved page sends; it ends the connection.
class BadMessage : public Error {
public:
    BadMessage(CloseCode reason, const std::string& what, std::optional<std::uint32_t> of = {})
        : Error(what), code(reason), id(of) {}

    CloseCode code;
    std::optional<std::uint32_t> id; ///< of the request, where it is known
};

/// A message of the page: what it wants, and its number, which the answer bears.
struct Request {
    std::uint32_t id = 0;
    std::string action; ///< "solve", ...
    JsonValue body;     ///< the whole message
    bool begun = false; ///< it gave way to others: what it brings has been taken
};

/// Whether it brings a document that has not been taken yet.
bool brings_document(const Request& request);

/// Throws BadMessage for what is not JSON or has no id or no `do`.
Request parse_request(std::string_view text);

/// The members of a request, read with the library's own complaints.
class RequestReader {
public:
    explicit RequestReader(const Request& request)
        : text_{request.action, {}}, root_(text_, request.body, "") {}

    SceneValue require(std::string_view key, std::string_view what) const {
        return root_.require(key, what);
    }
    std::optional<SceneValue> find(std::string_view key) const;

private:
    SceneText text_;
    SceneValue root_;
};

/// What a person and the page are told about an error.
struct Complaint {
    std::string sentence; ///< without the name of the document in front
    std::string path;     ///< the key of the document that it is about, or empty
};

/// `name` is what the library calls the document or the request.
Complaint complaint(std::string_view what, std::string_view name);

} // namespace knead::studio
