#include "studio/page_client.hpp"

#include <arpa/inet.h>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace knead::studio {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience = std::chrono::seconds(60);

std::string own_host(int port) {
    return "127.0.0.1:" + std::to_string(port);
}

} // namespace

// What has come and was not taken yet is in `buffer`.
class Wire {
public:
    explicit Wire(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const timeval most{patience.count(), 0};
        const int at_once = 1;
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
        setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
        if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
            close();
            throw std::runtime_error("nobody listens at " + own_host(port));
        }
    }
    ~Wire() { close(); }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    void close() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }

    // False when the other side is gone.
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    enum class Heard { bytes, nothing, end };

    Heard listen(Clock::time_point until) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        pollfd readable{socket_, POLLIN, 0};
        if (left.count() < 0 || ::poll(&readable, 1, static_cast<int>(left.count())) <= 0)
            return Heard::nothing;
        char bytes[1 << 16];
        const ssize_t count = ::recv(socket_, bytes, sizeof bytes, 0);
        if (count <= 0) return Heard::end;
        buffer.append(bytes, static_cast<std::size_t>(count));
        return Heard::bytes;
    }

    // The first `size` bytes, when so many have come.
    std::string take(std::size_t size) {
        std::string bytes = buffer.substr(0, size);
        buffer.erase(0, size);
        return bytes;
    }

    std::string read_head() {
        const auto until = Clock::now() + patience;
        while (buffer.find("\r\n\r\n") == std::string::npos)
            if (listen(until) != Heard::bytes)
                throw std::runtime_error("the connection was closed instead of an answer");
        return take(buffer.find("\r\n\r\n") + 4);
    }

    std::string buffer;

private:
    int socket_;
};

namespace {

std::string request_head(const std::string& method, const std::string& target,
                         const Headers& headers) {
    std::string head = method + " " + target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
    return head + "\r\n";
}

HttpReply read_reply(Wire& wire) {
    const std::string head = wire.read_head();
    HttpReply reply;
    if (!head.starts_with("HTTP/1.1 ")) throw std::runtime_error("no HTTP: " + head);
    reply.status = std::stoi(head.substr(9, 3));
    std::size_t at = head.find("\r\n") + 2;
    for (std::size_t end = 0; (end = head.find("\r\n", at)) > at; at = end + 2) {
        const std::size_t colon = head.find(": ", at);
        reply.headers[head.substr(at, colon - at)] = head.substr(colon + 2, end - colon - 2);
    }
    return reply;
}

enum Opcode { op_more = 0, op_text = 1, op_binary = 2, op_close = 8, op_ping = 9, op_pong = 10 };

struct Frame {
    bool is_last = false;
    int opcode = 0;
    std::string content;
};

// RFC 6455 sec. 5.2; the mask of a client may be any, so it is 0.
std::string masked_frame(int opcode, std::string_view content) {
    std::string bytes{static_cast<char>(0x80 | opcode)};
    const int length_bytes = content.size() < 126 ? 0 : content.size() < 65536 ? 2 : 8;
    bytes += static_cast<char>(0x80 | (length_bytes == 0   ? content.size()
                                       : length_bytes == 2 ? 126
                                                           : 127));
    for (int i = length_bytes - 1; i >= 0; --i)
        bytes += static_cast<char>((content.size() >> (8 * i)) & 0xFF);
    return bytes.append(4, '\0').append(content);
}

// Nothing while it has not come as a whole.
std::optional<Frame> take_frame(Wire& wire) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(wire.buffer[i]); };
    if (wire.buffer.size() < 2) return std::nullopt;
    if ((byte(0) & 0x70) != 0 || (byte(1) & 0x80) != 0)
        throw std::runtime_error("a frame that no server may send");
    std::size_t length = byte(1);
    const std::size_t length_bytes = length < 126 ? 0 : length == 126 ? 2 : 8;
    if (wire.buffer.size() < 2 + length_bytes) return std::nullopt;
    if (length_bytes > 0) length = 0;
    for (std::size_t i = 0; i < length_bytes; ++i) length = length << 8 | byte(2 + i);
    if (wire.buffer.size() < 2 + length_bytes + length) return std::nullopt;
    Frame frame{(byte(0) & 0x80) != 0, byte(0) & 0x0F, {}};
    wire.take(2 + length_bytes);
    frame.content = wire.take(length);
    return frame;
}

template <typename T>
std::vector<T> block(const BinaryAnswer& answer, const std::string& name,
                     const std::string& object) {
    for (const TestJson& entry : answer.json.at("blocks"))
        if (entry.at("name") == name && entry.at("object") == object) {
            std::vector<T> values(entry.at("count").get<std::size_t>() *
                                  entry.at("components").get<std::size_t>());
            const std::size_t offset = entry.at("offset");
            if (offset % 4 != 0 || offset + 4 * values.size() > answer.bytes.size())
                throw std::runtime_error("a block lies outside of its message");
            std::memcpy(values.data(), answer.bytes.data() + offset, 4 * values.size());
            return values;
        }
    return {};
}

} // namespace

std::vector<float> BinaryAnswer::floats(const std::string& name, const std::string& object) const {
    return block<float>(*this, name, object);
}

std::vector<unsigned> BinaryAnswer::indices(const std::string& name,
                                            const std::string& object) const {
    return block<unsigned>(*this, name, object);
}

BinaryAnswer take_apart(const std::string& message) {
    unsigned head[4];
    if (message.size() < sizeof head) throw std::runtime_error("a message without a head");
    std::memcpy(head, message.data(), sizeof head);
    if (head[0] != 0x4441454B || head[3] % 4 != 0 || message.size() < sizeof head + head[3])
        throw std::runtime_error("a message with a wrong head");
    return {static_cast<int>(head[1]), head[2],
            TestJson::parse(message.substr(sizeof head, head[3])),
            message.substr(sizeof head + head[3])};
}

HttpReply fetch(int port, const std::string& target, Headers headers, const std::string& method) {
    Wire wire(port);
    headers.try_emplace("Host", own_host(port));
    headers.try_emplace("Connection", "close");
    wire.send(request_head(method, target, headers));
    HttpReply reply = read_reply(wire);
    if (method == "HEAD") return reply;
    const std::size_t length = std::stoull(reply.headers.at("Content-Length"));
    const auto until = Clock::now() + patience;
    while (wire.buffer.size() < length)
        if (wire.listen(until) != Wire::Heard::bytes)
            throw std::runtime_error("the connection was closed within an answer");
    reply.body = wire.take(length);
    return reply;
}

PageClient::PageClient(int port, const std::string& token, Headers headers)
    : wire_(new Wire(port)) {
    headers.try_emplace("Host", own_host(port));
    headers.insert({{"Upgrade", "websocket"},
                    {"Connection", "Upgrade"},
                    {"Sec-WebSocket-Version", "13"},
                    {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}});
    wire_->send(request_head("GET", token.empty() ? "/socket" : "/socket?token=" + token, headers));
    const HttpReply reply = read_reply(*wire_);
    // The answer that RFC 6455 sec. 1.3 has for that key.
    if (reply.status != 101 ||
        reply.headers.at("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        throw std::runtime_error("the handshake was answered with " + std::to_string(reply.status));
}

PageClient::~PageClient() = default;

void PageClient::send(const TestJson& request) {
    send_text(request.dump());
}

// Whether the other side is gone shows when reading.
void PageClient::send_text(const std::string& text) {
    wire_->send(masked_frame(op_text, text));
}

void PageClient::send_binary(const std::string& bytes) {
    wire_->send(masked_frame(op_binary, bytes));
}

void PageClient::break_off(const std::string& text) {
    const std::string frame = masked_frame(op_text, text);
    wire_->send(frame.substr(0, frame.size() / 2));
    hang_up();
}

std::optional<PageClient::Message> PageClient::next_within(std::chrono::milliseconds within) {
    const auto until = Clock::now() + within;
    for (;;) {
        while (std::optional<Frame> frame = take_frame(*wire_)) {
            if (frame->opcode == op_ping) wire_->send(masked_frame(op_pong, frame->content));
            if (frame->opcode == op_close) {
                wire_->send(masked_frame(op_close, frame->content));
                const auto byte = [&](int i) {
                    return static_cast<unsigned char>(frame->content[i]);
                };
                return Message{Message::Kind::closed, "",
                               frame->content.size() < 2 ? 0 : byte(0) << 8 | byte(1)};
            }
            if (frame->opcode > op_binary) continue;
            if (frame->opcode != op_more)
                part_ = {frame->opcode == op_text ? Message::Kind::text : Message::Kind::binary, "",
                         0};
            part_.bytes += frame->content;
            if (frame->is_last) return std::move(part_);
        }
        switch (wire_->listen(until)) {
        case Wire::Heard::bytes:
            break;
        case Wire::Heard::nothing:
            return std::nullopt;
        case Wire::Heard::end:
            return Message{};
        }
    }
}

PageClient::Message PageClient::next() {
    std::optional<Message> message = next_within(patience);
    if (!message) throw std::runtime_error("nothing was heard for a minute");
    return *message;
}

PageClient::Message PageClient::wait_for_answer(unsigned id) {
    for (;;) {
        Message message = next();
        if (message.kind == Message::Kind::closed)
            throw std::runtime_error("the connection was closed instead of an answer");
        if (message.kind == Message::Kind::binary) {
            if (take_apart(message.bytes).id == id) return message;
            continue;
        }
        TestJson json = TestJson::parse(message.bytes);
        if (json.value("id", 0u) == id && json.contains("ok")) return message;
        heard.push_back(std::move(json));
    }
}

TestJson PageClient::ask(TestJson request) {
    request["id"] = ++last_id;
    send(request);
    const Message answer = wait_for_answer(last_id);
    if (answer.kind != Message::Kind::text)
        throw std::runtime_error("an answer in binary, expected text");
    return TestJson::parse(answer.bytes);
}

BinaryAnswer PageClient::ask_for_numbers(TestJson request) {
    request["id"] = ++last_id;
    send(request);
    const Message answer = wait_for_answer(last_id);
    if (answer.kind != Message::Kind::binary)
        throw std::runtime_error("an answer in text: " + answer.bytes);
    return take_apart(answer.bytes);
}

TestJson PageClient::send_asset(const std::string& name, const std::string& content) {
    send({{"id", ++last_id}, {"do", "asset"}, {"name", name}, {"bytes", content.size()}});
    send_binary(content);
    return TestJson::parse(wait_for_answer(last_id).bytes);
}

TestJson PageClient::wait_for_event(const std::string& name) {
    for (;;) {
        const Message message = next();
        if (message.kind == Message::Kind::closed)
            throw std::runtime_error("the connection was closed instead of an event");
        if (message.kind == Message::Kind::binary) continue;
        TestJson json = TestJson::parse(message.bytes);
        if (json.value("event", "") == name) return json;
    }
}

int PageClient::wait_for_close() {
    for (;;) {
        const Message message = next();
        if (message.kind == Message::Kind::closed) return message.close_code;
    }
}

void PageClient::hang_up() {
    wire_->close();
}

RawClient::RawClient(int port) : wire_(new Wire(port)) {}

RawClient::~RawClient() = default;

bool RawClient::send(const std::string& bytes) {
    return wire_->send(bytes);
}

std::string RawClient::send_and_wait_for_head(const std::string& bytes) {
    send(bytes);
    return wire_->read_head();
}

std::optional<std::string> RawClient::read_to_end(std::chrono::milliseconds within) {
    const auto until = Clock::now() + within;
    for (;;) {
        switch (wire_->listen(until)) {
        case Wire::Heard::bytes:
            break;
        case Wire::Heard::nothing:
            return std::nullopt;
        case Wire::Heard::end:
            return std::move(wire_->buffer);
        }
    }
}

} // namespace knead::studio
