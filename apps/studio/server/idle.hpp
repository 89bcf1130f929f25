#pragma once

#include <stop_token>

#include "document.hpp"
#include "session.hpp"

namespace knead::studio {

/// Tells depth and crossings of the last solved frame, unless `stop` is asked for before: they take
/// longer than the frame itself, so that nobody is kept waiting for them.
void tell_measures(SessionState& session, const Outbox& outbox, std::stop_token stop);

/// Remembers which version of a file the page has.
void watch_file(SessionState& session, const std::filesystem::path& path,
                std::optional<std::string> revision);

/// Tells the page when the file that it has open is another one on disk.
void look_at_file(SessionState& session, const Outbox& outbox);

} // namespace knead::studio
