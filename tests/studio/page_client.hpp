#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace knead::studio {

using TestJson = nlohmann::ordered_json;
using Headers = std::map<std::string, std::string>;

struct HttpReply {
    int status = 0;
    Headers headers;
    std::string body;
};

/// One request on a connection of its own. `Host` is the server's own unless given.
HttpReply fetch(int port, const std::string& target, Headers headers = {},
                const std::string& method = "GET");

/// A message with numbers in it, taken apart.
struct BinaryAnswer {
    int kind = 0;
    unsigned id = 0;
    TestJson json;
    std::string bytes; ///< of the blocks

    /// Of a block; empty when there is none of that name.
    std::vector<float> floats(const std::string& name, const std::string& object) const;
    std::vector<unsigned> indices(const std::string& name, const std::string& object) const;
};

/// A TCP connection to the studio.
class Wire;

/// Plays the page: a WebSocket that says and hears what it is told to, written on the socket
/// itself, so that it shares no mistake with the server. Everything that waits gives up after a
/// minute by throwing.
class PageClient {
public:
    struct Message {
        enum class Kind { text, binary, closed } kind = Kind::closed;
        std::string bytes;
        int close_code = 0;
    };

    PageClient(int port, const std::string& token, Headers headers = {});
    ~PageClient();

    void send(const TestJson& request);
    void send_text(const std::string& text);
    void send_binary(const std::string& bytes);
    /// Half of a text, and then ends the connection without a word.
    void break_off(const std::string& text);
    Message next();
    /// The next message within that time, or nothing.
    std::optional<Message> next_within(std::chrono::milliseconds patience);

    /// Sends a request with the next id and waits for its final text; events and progress on the
    /// way are kept in `heard`.
    TestJson ask(TestJson request);
    /// The same for what is answered in binary.
    BinaryAnswer ask_for_numbers(TestJson request);
    TestJson send_asset(const std::string& name, const std::string& content);
    /// Waits for an event.
    TestJson wait_for_event(const std::string& name);
    /// Reads until the connection is closed and tells the code, 0 when there was none.
    int wait_for_close();
    /// Ends the TCP connection without a word.
    void hang_up();

    unsigned last_id = 0;
    std::vector<TestJson> heard;

private:
    Message wait_for_answer(unsigned id);

    std::unique_ptr<Wire> wire_;
    Message part_; ///< of a message whose last frame has not come
};

/// A TCP connection for who does not speak the protocol.
class RawClient {
public:
    explicit RawClient(int port);
    ~RawClient();
    /// False when the other side is gone.
    bool send(const std::string& bytes);
    /// Sends and waits for the end of an HTTP head.
    std::string send_and_wait_for_head(const std::string& bytes);
    /// What comes until the other side closes; nothing when it has not within that time.
    std::optional<std::string> read_to_end(std::chrono::milliseconds patience);

private:
    std::unique_ptr<Wire> wire_;
};

BinaryAnswer take_apart(const std::string& message);

} // namespace knead::studio
