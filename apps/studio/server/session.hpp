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
    std::function<void(std::string)> give_up; ///< ends the connection, with the reason
};

/// One page that is connected: takes its requests, does them one after the other in a thread of its
/// own, and answers. A solve that waits when a newer one comes is not done, and one that has begun
/// stops at the next place where it can.
class Session {
public:
    /// The place is one of the context's sessions.
    static std::shared_ptr<Session> start(const std::shared_ptr<Context>& context, Place place,
                                          Outbox outbox);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// A message of the page. Throws BadMessage when it must not go on.
    void receive_text(std::string_view text);
    void receive_binary(std::string bytes);
    /// False while so much waits that nothing more should be read.
    bool has_room() const;
    /// How long the next message may be.
    std::size_t message_limit() const;

    /// Nothing is answered any more; what is being done is brought to an end.
    void end();

private:
    Session(std::shared_ptr<Context> context, Place place, Outbox outbox);

    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead::studio
