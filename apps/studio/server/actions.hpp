#pragma once

#include <span>

#include "document.hpp"
#include "session.hpp"

namespace knead::studio {

/// Thrown by a request that takes long, has not been answered yet, and lets those that wait go
/// first: it is to be done again after them, as one that has begun.
struct GivesWay {};

/// Does what a request asks for and answers it; called by the session's own thread. Throws an
/// Error that is then the answer, or GivesWay.
void act(SessionState& session, const Request& request, const Outbox& outbox);

/// Whether there is something to do for that word.
bool is_action(std::string_view action);

/// Only the first half of a solve whose answer nobody waits for any more: what it carries is the
/// session's document afterwards.
void take_document(SessionState& session, const Request& request);

} // namespace knead::studio
