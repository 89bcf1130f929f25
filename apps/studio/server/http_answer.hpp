#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.hpp"

namespace knead::studio {

/// What is looked at of an HTTP request.
struct HttpRequest {
    std::string_view method;
    std::string_view target; ///< path and query
    Credentials credentials; ///< their query is filled in from the target
};

struct HttpAnswer {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    std::optional<std::filesystem::path> file; ///< that is the body, instead
};

/// Who may ask at all, what there is, and what is nowhere.
HttpAnswer answer_http(Context& context, HttpRequest request);

/// Refuses a request for a WebSocket, or nothing when it may go on.
std::optional<HttpAnswer> refuse_socket(Context& context, HttpRequest request);

std::string_view path_of(std::string_view target);

} // namespace knead::studio
