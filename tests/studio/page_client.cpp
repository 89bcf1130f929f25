#include "studio/page_client.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <cstring>
#include <stdexcept>

namespace knead::studio {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
namespace websocket = beast::websocket;
using net::ip::tcp;

constexpr auto patience = std::chrono::seconds(60);

tcp::endpoint endpoint(int port) {
    return {net::ip::make_address("127.0.0.1"), static_cast<unsigned short>(port)};
}

std::string own_host(int port) {
    return "127.0.0.1:" + std::to_string(port);
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
    net::io_context io;
    beast::tcp_stream stream(io);
    stream.connect(endpoint(port));
    http::request<http::empty_body> request(http::string_to_verb(method), target, 11);
    headers.try_emplace("Host", own_host(port));
    headers.try_emplace("Connection", "close");
    for (const auto& [name, value] : headers) request.set(name, value);
    http::write(stream, request);
    beast::flat_buffer buffer;
    http::response_parser<http::string_body> parser;
    parser.body_limit(std::uint64_t(1) << 30);
    parser.skip(method == "HEAD");
    http::read(stream, buffer, parser);
    HttpReply reply;
    reply.status = static_cast<int>(parser.get().result_int());
    for (const auto& field : parser.get())
        reply.headers[std::string(field.name_string())] = std::string(field.value());
    reply.body = parser.get().body();
    return reply;
}

struct PageClient::State {
    net::io_context io;
    websocket::stream<beast::tcp_stream> stream{io};
    beast::flat_buffer buffer;
};

PageClient::PageClient(int port, const std::string& token, Headers headers) : state_(new State) {
    beast::get_lowest_layer(state_->stream).connect(endpoint(port));
    headers.try_emplace("Host", own_host(port));
    state_->stream.set_option(websocket::stream_base::decorator([&](websocket::request_type& to) {
        for (const auto& [name, value] : headers) to.set(name, value);
    }));
    state_->stream.auto_fragment(false);
    state_->stream.read_message_max(std::size_t(1) << 30);
    state_->stream.handshake(headers.at("Host"),
                             token.empty() ? "/socket" : "/socket?token=" + token);
}

PageClient::~PageClient() = default;

void PageClient::send(const TestJson& request) {
    send_text(request.dump());
}

void PageClient::send_text(const std::string& text) {
    beast::error_code gone; // shows when reading
    state_->stream.text(true);
    state_->stream.write(net::buffer(text), gone);
}

void PageClient::send_binary(const std::string& bytes) {
    beast::error_code gone;
    state_->stream.binary(true);
    state_->stream.write(net::buffer(bytes), gone);
}

std::optional<PageClient::Message> PageClient::next_within(std::chrono::milliseconds within) {
    // Shared with a read that may end later than this function.
    auto message = std::make_shared<std::optional<Message>>();
    state_->buffer.clear();
    state_->stream.async_read(state_->buffer, [this, message](beast::error_code error,
                                                              std::size_t) {
        message->emplace();
        if (error) {
            (*message)->close_code = state_->stream.reason().code;
            return;
        }
        (*message)->kind = state_->stream.got_text() ? Message::Kind::text : Message::Kind::binary;
        (*message)->bytes = beast::buffers_to_string(state_->buffer.data());
    });
    state_->io.restart();
    state_->io.run_for(within);
    return *message;
}

PageClient::Message PageClient::next() {
    std::optional<Message> message = next_within(patience);
    if (!message) throw std::runtime_error("nothing was heard for a minute");
    return *message;
}

TestJson PageClient::ask(TestJson request) {
    request["id"] = ++last_id;
    send(request);
    for (;;) {
        const Message message = next();
        if (message.kind == Message::Kind::closed)
            throw std::runtime_error("the connection was closed instead of an answer");
        if (message.kind == Message::Kind::binary) continue;
        TestJson json = TestJson::parse(message.bytes);
        if (json.value("id", 0u) == last_id && json.contains("ok")) return json;
        heard.push_back(std::move(json));
    }
}

BinaryAnswer PageClient::ask_for_numbers(TestJson request) {
    request["id"] = ++last_id;
    send(request);
    for (;;) {
        const Message message = next();
        if (message.kind == Message::Kind::closed)
            throw std::runtime_error("the connection was closed instead of an answer");
        if (message.kind == Message::Kind::binary) {
            BinaryAnswer answer = take_apart(message.bytes);
            if (answer.id == last_id) return answer;
            continue;
        }
        TestJson json = TestJson::parse(message.bytes);
        if (json.value("id", 0u) == last_id && json.contains("ok"))
            throw std::runtime_error("an answer in text: " + message.bytes);
        heard.push_back(std::move(json));
    }
}

TestJson PageClient::send_asset(const std::string& name, const std::string& content) {
    const unsigned id = ++last_id;
    send({{"id", id}, {"do", "asset"}, {"name", name}, {"bytes", content.size()}});
    send_binary(content);
    for (;;) {
        const Message message = next();
        if (message.kind == Message::Kind::closed)
            throw std::runtime_error("the connection was closed instead of an answer");
        if (message.kind == Message::Kind::binary) continue;
        TestJson json = TestJson::parse(message.bytes);
        if (json.value("id", 0u) == id) return json;
    }
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
    beast::error_code ignored;
    beast::get_lowest_layer(state_->stream).socket().close(ignored);
}

struct RawClient::State {
    net::io_context io;
    tcp::socket socket{io};
};

RawClient::RawClient(int port) : state_(new State) {
    state_->socket.connect(endpoint(port));
}

RawClient::~RawClient() = default;

bool RawClient::send(const std::string& bytes) {
    beast::error_code error;
    net::write(state_->socket, net::buffer(bytes), error);
    return !error;
}

std::string RawClient::send_and_wait_for_head(const std::string& bytes) {
    send(bytes);
    std::string head;
    net::read_until(state_->socket, net::dynamic_buffer(head), "\r\n\r\n");
    return head;
}

std::optional<std::string> RawClient::read_to_end(std::chrono::milliseconds within) {
    std::string text;
    bool ended = false;
    net::async_read(state_->socket, net::dynamic_buffer(text),
                    [&](beast::error_code, std::size_t) { ended = true; });
    state_->io.restart();
    state_->io.run_for(within);
    if (ended) return text;
    state_->socket.cancel();
    state_->io.restart();
    state_->io.run();
    return std::nullopt;
}

} // namespace knead::studio
