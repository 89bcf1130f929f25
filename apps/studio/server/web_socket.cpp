#include "web_socket.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>

#include "answers.hpp"
#include "session.hpp"

namespace knead::studio {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;
namespace websocket = beast::websocket;

struct Outgoing {
    bool is_binary = false;
    std::string bytes;
};

// Everything but `outbox` happens on the stream's own strand.
class WebSocket : public std::enable_shared_from_this<WebSocket> {
public:
    WebSocket(std::shared_ptr<Context> context, SocketPlaces places, beast::tcp_stream stream)
        : context_(std::move(context)), places_(std::move(places)), stream_(std::move(stream)) {}

    ~WebSocket() {
        if (session_) session_->end();
    }

    void start(const http::request<http::empty_body>& handshake) {
        beast::get_lowest_layer(stream_).expires_never();
        stream_.set_option(
            {context_->settings.limits.request_time, context_->settings.limits.idle_time, true});
        // Frames of a fixed size would cut a mesh into hundreds.
        stream_.auto_fragment(false);
        stream_.async_accept(handshake,
                             beast::bind_front_handler(&WebSocket::on_accept, shared_from_this()));
    }

private:
    void on_accept(beast::error_code error) {
        if (error) return;
        try {
            session_ = Session::start(context_, std::move(places_.session), outbox());
        } catch (const std::exception&) {
            return; // there is no room for what the page would send
        }
        read();
    }

    // The session may outlive the connection: then nobody hears it. What is said while a message is
    // taken in is on its way before the next is looked at, which may end the connection.
    Outbox outbox() {
        const auto to_strand = [self = weak_from_this()](auto call) {
            if (const auto socket = self.lock())
                net::dispatch(socket->stream_.get_executor(),
                              [socket, call = std::move(call)]() mutable { call(*socket); });
        };
        return {[=](std::string text) {
                    to_strand([text = std::move(text)](WebSocket& to) mutable {
                        to.send({false, std::move(text)});
                    });
                },
                [=](std::string bytes) {
                    to_strand([bytes = std::move(bytes)](WebSocket& to) mutable {
                        to.send({true, std::move(bytes)});
                    });
                },
                [=](std::string reason) {
                    to_strand([reason = std::move(reason)](WebSocket& to) {
                        to.close(CloseCode::failed, reason);
                    });
                }};
    }

    void read() {
        stream_.read_message_max(session_->message_limit());
        stream_.async_read(buffer_,
                           beast::bind_front_handler(&WebSocket::on_read, shared_from_this()));
    }

    void on_read(beast::error_code error, std::size_t) {
        if (error) return session_->end();
        const auto data = buffer_.data();
        std::string message(static_cast<const char*>(data.data()), data.size());
        buffer_.consume(buffer_.size());
        buffer_.shrink_to_fit();
        try {
            if (stream_.got_text())
                session_->receive_text(message);
            else
                session_->receive_binary(std::move(message));
        } catch (const BadMessage& bad) {
            if (bad.id) send({false, failed(*bad.id, {bad.what(), ""})});
            return close(bad.code, bad.what());
        } catch (const std::bad_alloc&) {
            return close(CloseCode::too_big, "not enough memory for this message");
        } catch (const std::exception& error) {
            return close(CloseCode::failed, error.what());
        }
        read_when_there_is_room();
    }

    void read_when_there_is_room() {
        if (session_->has_room()) return read();
        room_timer_.expires_after(std::chrono::milliseconds(10));
        room_timer_.async_wait([self = shared_from_this()](beast::error_code error) {
            if (!error && self->stream_.is_open()) self->read_when_there_is_room();
        });
    }

    void send(Outgoing message) {
        if (closing_) return;
        unread_ += message.bytes.size();
        // A page that asks and asks and never listens.
        if (unread_ > context_->settings.limits.unread_bytes)
            return beast::get_lowest_layer(stream_).close();
        waiting_.push_back(std::move(message));
        if (!writing_) write();
    }

    void write() {
        writing_ = true;
        stream_.binary(waiting_.front().is_binary);
        stream_.async_write(net::buffer(waiting_.front().bytes),
                            beast::bind_front_handler(&WebSocket::on_write, shared_from_this()));
    }

    void on_write(beast::error_code error, std::size_t) {
        writing_ = false;
        if (error) return session_->end();
        unread_ -= waiting_.front().bytes.size();
        waiting_.pop_front();
        if (!waiting_.empty()) return write();
        if (closing_) say_goodbye();
    }

    void close(CloseCode code, std::string_view reason) {
        if (closing_) return;
        session_->end();
        // A control frame has room for 123 bytes, in whole characters.
        std::size_t length = std::min<std::size_t>(reason.size(), 120);
        while (length > 0 && length < reason.size() &&
               (static_cast<unsigned char>(reason[length]) & 0xC0) == 0x80)
            --length;
        closing_.emplace(static_cast<websocket::close_code>(code),
                         std::string(reason.substr(0, length)));
        if (!writing_) say_goodbye();
        // Nor is who does not listen waited for.
        goodbye_timer_.expires_after(context_->settings.limits.request_time);
        goodbye_timer_.async_wait([self = shared_from_this()](beast::error_code) {
            beast::get_lowest_layer(self->stream_).close();
        });
    }

    void say_goodbye() {
        stream_.async_close(*closing_, [self = shared_from_this()](beast::error_code) {
            self->goodbye_timer_.cancel();
        });
    }

    std::shared_ptr<Context> context_;
    SocketPlaces places_;
    websocket::stream<beast::tcp_stream> stream_;
    beast::flat_buffer buffer_;
    std::shared_ptr<Session> session_;
    std::deque<Outgoing> waiting_;
    std::size_t unread_ = 0;
    bool writing_ = false;
    std::optional<websocket::close_reason> closing_;
    net::steady_timer goodbye_timer_{stream_.get_executor()};
    net::steady_timer room_timer_{stream_.get_executor()};
};

} // namespace

void serve_web_socket(std::shared_ptr<Context> context, SocketPlaces places,
                      beast::tcp_stream stream, const http::request<http::empty_body>& handshake) {
    std::make_shared<WebSocket>(std::move(context), std::move(places), std::move(stream))
        ->start(handshake);
}

} // namespace knead::studio
