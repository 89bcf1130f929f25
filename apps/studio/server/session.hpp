#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "context.hpp"
#include "request.hpp"

namespace knead::studio {

/// Where the messages of a session go; may be called from any thread.
struct Outbox {
    std::function<void(std::string)> text;
    std::function<void(std::string)> binary;
    /// After what was sent before.
    std::function<void(CloseCode, std::string reason)> close;
};

/// One page that is connected: takes its requests, does them one after the other in a thread of its
/// own, and answers. A solve that is still waiting when a newer one comes is not done.
class Session {
public:
    /// A place among the context's sessions must have been taken; it is given back when the
    /// session is gone, which is when it has ended and nobody else holds it.
    static std::shared_ptr<Session> start(std::shared_ptr<Context> context, Outbox outbox);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// A message of the page. Throws BadMessage when it must not go on.
    void receive_text(std::string_view text);
    void receive_binary(std::string bytes);
    /// How long the next message may be.
    std::size_t message_limit() const;

    /// Nothing is answered any more; what is being done is brought to an end.
    void end();

private:
    Session(std::shared_ptr<Context> context, Outbox outbox);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead::studio
