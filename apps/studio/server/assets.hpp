#pragma once

#include "document.hpp"

namespace knead::studio {

/// Throws InputError unless it is a name of at most 100 letters, digits, '.', '_' and '-' with the
/// ending of a mesh or a CSV.
void check_asset_name(const std::string& name);

/// A file that the page is about to send.
struct AnnouncedAsset {
    std::string name;
    std::size_t bytes = 0;
};

/// Throws InputError when the file would be too much.
AnnouncedAsset read_announcement(const Limits& limits, const Request& request);

/// Puts the file into the session's folder and tells its hash. Throws InputError when it is not as
/// long as announced, or one too many.
std::string store_asset(const SessionState& session, const AnnouncedAsset& asset,
                        const std::string& content);

} // namespace knead::studio
