#include "guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace knead::studio {
namespace {

// The value of `name` in "a=1&b=2" or "a=1; b=2".
std::string_view find_value(std::string_view list, char separator, std::string_view name) {
    while (!list.empty()) {
        std::string_view item = list.substr(0, list.find(separator));
        list.remove_prefix(std::min(list.size(), item.size() + 1));
        while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
        if (item.size() > name.size() && item.starts_with(name) && item[name.size()] == '=')
            return item.substr(name.size() + 1);
    }
    return {};
}

// Browsers leave out the port of HTTP itself. An address of version 6 has colons of its own.
std::pair<std::string_view, std::string_view> split_port(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    if (colon == std::string_view::npos || host.ends_with(']')) return {host, "80"};
    return {host.substr(0, colon), host.substr(colon + 1)};
}

bool is_numeric_address(std::string_view name) {
    if (name.size() > 2 && name.front() == '[' && name.back() == ']')
        return name.find_first_not_of("0123456789abcdefABCDEF:.[]") == std::string_view::npos;
    return !name.empty() && std::count(name.begin(), name.end(), '.') == 3 &&
           name.find_first_not_of("0123456789.") == std::string_view::npos;
}

} // namespace

std::string Guard::cookie_name() const {
    return fmt::format("knead-{}", port);
}

std::string random_name() {
    constexpr std::string_view letters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::random_device system;
    std::string name;
    while (name.size() < 32) {
        auto bits = system();
        for (int i = 0; i < 5; ++i, bits >>= 6) name += letters[bits & 63];
    }
    name.resize(32);
    return name;
}

bool is_own_host(const Guard& guard, std::string_view host) {
    const auto [name, port] = split_port(host);
    if (port != std::to_string(guard.port)) return false;
    const std::array<std::string_view, 3> this_machine = {"127.0.0.1", "localhost", "[::1]"};
    if (std::find(this_machine.begin(), this_machine.end(), name) != this_machine.end())
        return true;
    const bool local = guard.host == "127.0.0.1" || guard.host == "::1";
    return !local && is_numeric_address(name);
}

bool same_secret(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

std::string_view query_value(std::string_view query, std::string_view name) {
    return find_value(query, '&', name);
}

bool has_token_in_query(const Guard& guard, std::string_view query) {
    return same_secret(query_value(query, "token"), guard.token);
}

std::optional<std::string> foreign(const Guard& guard, const Credentials& credentials) {
    if (!is_own_host(guard, credentials.host))
        return "This is not the address of this studio; open the one that knead studio printed.";
    if (!credentials.origin.empty()) {
        std::string_view origin = credentials.origin;
        constexpr std::string_view scheme = "http://";
        if (!origin.starts_with(scheme) || origin.substr(scheme.size()) != credentials.host)
            return "Only the studio's own page may ask for this.";
    }
    return std::nullopt;
}

std::optional<std::string> refusal(const Guard& guard, const Credentials& credentials) {
    if (auto reason = foreign(guard, credentials)) return reason;
    if (!has_token_in_query(guard, credentials.query) &&
        !same_secret(find_value(credentials.cookie, ';', guard.cookie_name()), guard.token))
        return "The token is missing or of an earlier studio; open the address that knead studio "
               "printed.";
    return std::nullopt;
}

} // namespace knead::studio
