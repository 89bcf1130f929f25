#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace knead::studio {

/// What a request says about who sends it.
struct Credentials {
    std::string_view host;   ///< the header, empty when there is none
    std::string_view origin; ///< the same
    std::string_view cookie; ///< the whole header
    std::string_view query;  ///< what follows the ? of the target
};

/// Who may talk to the server: only programs that know the token, and of pages in a browser only
/// our own, at the address we are reached at.
struct Guard {
    std::string token;
    std::string host = "127.0.0.1"; ///< that the server is bound to
    int port = 0;

    /// Cookies are shared by all ports of a host, so that their name tells the port.
    std::string cookie_name() const;
};

/// 32 characters from the system's source of randomness: 192 bits.
std::string random_name();

/// Whether a name that is written in an address stands for this server. A server that is bound to
/// more than this machine is also reached by its numeric addresses, which no foreign page can
/// make its own.
bool is_own_host(const Guard& guard, std::string_view host);

/// Takes as long for a text that is nearly right as for one that is not.
bool same_secret(std::string_view a, std::string_view b);

/// The value of a name in "a=1&b=2"; empty when it is not there.
std::string_view query_value(std::string_view query, std::string_view name);

bool has_token_in_query(const Guard& guard, std::string_view query);

/// Nothing when the request is made by the studio's own page or by no page; or one sentence.
std::optional<std::string> foreign(const Guard& guard, const Credentials& credentials);

/// Nothing when the request may go on; or one sentence that says why not.
std::optional<std::string> refusal(const Guard& guard, const Credentials& credentials);

} // namespace knead::studio
