#include "http_answer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "downloads.hpp"
#include "page.hpp"

namespace knead::studio {
namespace {

std::string_view query_of(std::string_view target) {
    const std::size_t mark = target.find('?');
    return mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
}

HttpAnswer sentence(int status, const std::string& text) {
    return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, text + "\n", {}};
}

// The page loads nothing from anywhere else and is shown by nobody else; blobs are pictures and
// meshes that it makes itself.
constexpr const char* content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; connect-src 'self' blob:; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

HttpAnswer with_safety(HttpAnswer answer) {
    for (const auto& [name, value] : {std::pair{"Content-Security-Policy", content_policy},
                                      std::pair{"X-Content-Type-Options", "nosniff"},
                                      std::pair{"Referrer-Policy", "no-referrer"},
                                      std::pair{"Cross-Origin-Opener-Policy", "same-origin"},
                                      std::pair{"Cross-Origin-Resource-Policy", "same-origin"}})
        answer.headers.emplace_back(name, value);
    const bool cached =
        std::any_of(answer.headers.begin(), answer.headers.end(),
                    [](const auto& header) { return header.first == "Cache-Control"; });
    if (!cached) answer.headers.emplace_back("Cache-Control", "no-store");
    return answer;
}

HttpAnswer page_file(const Page& page, std::string_view path) {
    if (path == "/") path = "/index.html";
    const auto found = page.files.find(path);
    if (found == page.files.end()) {
        if (page.files.empty() && path == "/index.html")
            return sentence(404, "This program was built without the studio's page; build it with "
                                 "make, or give its folder with --page.");
        return sentence(404, "There is nothing here.");
    }
    HttpAnswer answer;
    answer.headers = {{"Content-Type", std::string(found->second.type)}};
    // Names in assets/ change with what is in them.
    if (path.starts_with("/assets/"))
        answer.headers.emplace_back("Cache-Control", "private, max-age=31536000, immutable");
    answer.body = found->second.content;
    return answer;
}

HttpAnswer file_answer(Context& context, std::string_view key) {
    const std::optional<Download> download = find_download(context, key);
    if (!download) return sentence(404, "There is no such file, or not any more.");
    HttpAnswer answer;
    // Names come from objects and scenes: letters that a header may hold.
    std::string name = download->name;
    std::replace_if(
        name.begin(), name.end(),
        [](unsigned char c) { return c < 0x20 || c > 0x7E || c == '"' || c == '\\'; }, '_');
    answer.headers = {{"Content-Type", std::string(content_type(name))},
                      {"Content-Disposition", fmt::format("attachment; filename=\"{}\"", name)}};
    answer.file = download->path;
    return answer;
}

// Whoever opens the address that was made for one browser.
bool spend_opening_key(Context& context, const Credentials& credentials) {
    if (foreign(context.guard, credentials)) return false;
    const std::lock_guard guard(context.lock);
    if (context.opening_key.empty() ||
        !same_secret(query_value(credentials.query, "open"), context.opening_key))
        return false;
    context.opening_key.clear();
    return true;
}

} // namespace

std::string_view path_of(std::string_view target) {
    return target.substr(0, target.find('?'));
}

std::optional<HttpAnswer> refuse_socket(Context& context, HttpRequest request) {
    request.credentials.query = query_of(request.target);
    if (const auto reason = refusal(context.guard, request.credentials))
        return with_safety(sentence(403, *reason));
    if (path_of(request.target) != "/socket")
        return with_safety(sentence(404, "There is nothing here."));
    return std::nullopt;
}

HttpAnswer answer_http(Context& context, HttpRequest request) {
    request.credentials.query = query_of(request.target);
    const auto reason = refusal(context.guard, request.credentials);
    const bool opens = reason && spend_opening_key(context, request.credentials);
    if (reason && !opens) return with_safety(sentence(403, *reason));
    if (request.method != "GET" && request.method != "HEAD") {
        HttpAnswer answer = sentence(405, "Only GET and HEAD are answered.");
        answer.headers.emplace_back("Allow", "GET, HEAD");
        return with_safety(std::move(answer));
    }
    const std::string_view path = path_of(request.target);
    constexpr std::string_view files = "/files/";
    if (path.starts_with(files))
        return with_safety(file_answer(context, path.substr(files.size())));
    HttpAnswer answer = context.settings.page ? page_file(read_page(*context.settings.page), path)
                                              : page_file(embedded_page(), path);
    if (opens || has_token_in_query(context.guard, request.credentials.query))
        answer.headers.emplace_back("Set-Cookie",
                                    fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                context.guard.cookie_name(), context.guard.token));
    return with_safety(std::move(answer));
}

} // namespace knead::studio
