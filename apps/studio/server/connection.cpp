#include "connection.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/beast/core/bind_handler.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/file_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "http_answer.hpp"
#include "web_socket.hpp"

namespace knead::studio {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace net = boost::asio;

std::string_view view(beast::string_view text) {
    return {text.data(), text.size()};
}

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(std::shared_ptr<Context> context, Place place, net::ip::tcp::socket socket)
        : context_(std::move(context)), place_(std::move(place)), stream_(std::move(socket)) {}

    ~Connection() { context_->waiting_connections.take_back(waiting_); }

    void start() {
        net::dispatch(stream_.get_executor(),
                      beast::bind_front_handler(&Connection::read, shared_from_this()));
    }

private:
    void read() {
        parser_.emplace();
        // Not one byte of a body is wanted.
        parser_->body_limit(0);
        stream_.expires_after(context_->settings.limits.request_time);
        waiting_ = context_->waiting_connections.add(
            std::move(place_), [self = weak_from_this(), executor = stream_.get_executor()] {
                net::dispatch(executor, [self] {
                    if (const auto connection = self.lock()) connection->stream_.close();
                });
            });
        http::async_read_header(
            stream_, buffer_, *parser_,
            beast::bind_front_handler(&Connection::on_read, shared_from_this()));
    }

    void on_read(beast::error_code error, std::size_t) {
        place_ = context_->waiting_connections.take_back(waiting_);
        if (error || !place_) return;
        const auto& request = parser_->get();
        // Which of two says who asks, different readers answer differently.
        for (const http::field name : {http::field::host, http::field::origin})
            if (request.count(name) > 1)
                return send({400,
                             {{"Content-Type", "text/plain; charset=utf-8"}},
                             std::string(http::to_string(name)) + " may be said only once.\n",
                             {}});
        const HttpRequest asked{view(request.method_string()),
                                view(request.target()),
                                {view(request[http::field::host]),
                                 view(request[http::field::origin]),
                                 view(request[http::field::cookie]),
                                 {}}};
        try {
            if (beast::websocket::is_upgrade(request)) {
                if (auto refused = refuse_socket(*context_, asked))
                    return send(std::move(*refused));
                // Whoever does not wait for the answer is no browser.
                if (buffer_.size() > 0)
                    return send({400,
                                 {{"Content-Type", "text/plain; charset=utf-8"}},
                                 "Nothing may be sent before the handshake is answered.\n",
                                 {}});
                Place session = take_place(context_, &Context::sessions);
                if (!session)
                    return send({503,
                                 {{"Content-Type", "text/plain; charset=utf-8"}},
                                 "The studio has as many pages open as it can serve; close one.\n",
                                 {}});
                return serve_web_socket(context_, {place_, std::move(session)}, std::move(stream_),
                                        parser_->release());
            }
            send(answer_http(*context_, asked));
        } catch (const std::exception& problem) {
            send({500,
                  {{"Content-Type", "text/plain; charset=utf-8"}},
                  std::string(problem.what()) + "\n",
                  {}});
        }
    }

    template <typename Body>
    std::shared_ptr<http::response<Body>> response(const HttpAnswer& answer) const {
        const auto& request = parser_->get();
        auto result = std::make_shared<http::response<Body>>();
        result->version(request.version());
        result->result(static_cast<unsigned>(answer.status));
        for (const auto& [name, value] : answer.headers) result->insert(name, value);
        // A body that was not read would be taken for the next request.
        result->keep_alive(request.keep_alive() && request.method_string() == "GET" &&
                           parser_->is_done() && answer.status != 400);
        return result;
    }

    template <typename Body>
    void write(std::shared_ptr<http::response<Body>> answer) {
        stream_.expires_after(context_->settings.limits.request_time);
        const auto done = [self = shared_from_this(), answer](beast::error_code error,
                                                              std::size_t) {
            if (error) return;
            if (answer->keep_alive()) return self->read();
            self->stream_.socket().shutdown(net::ip::tcp::socket::shutdown_send, error);
        };
        if (parser_->get().method() != http::verb::head)
            return http::async_write(stream_, *answer, done);
        auto head = std::make_shared<http::response_serializer<Body>>(*answer);
        http::async_write_header(
            stream_, *head,
            [head, done](beast::error_code error, std::size_t size) { done(error, size); });
    }

    void send(HttpAnswer answer) {
        if (answer.file) {
            auto file = response<http::file_body>(answer);
            beast::error_code error;
            file->body().open(answer.file->c_str(), beast::file_mode::scan, error);
            if (!error) {
                file->prepare_payload();
                return write(std::move(file));
            }
            answer = {404, {}, "The file is gone.\n", {}};
        }
        auto text = response<http::string_body>(answer);
        text->body() = std::move(answer.body);
        text->prepare_payload();
        write(std::move(text));
    }

    std::shared_ptr<Context> context_;
    Place place_; ///< while a request is under way
    WaitingConnections::Number waiting_ = 0;
    beast::tcp_stream stream_;
    beast::flat_buffer buffer_{std::size_t(16) << 10};
    std::optional<http::request_parser<http::empty_body>> parser_;
};

} // namespace

void serve_connection(std::shared_ptr<Context> context, Place place, net::ip::tcp::socket socket) {
    std::make_shared<Connection>(std::move(context), std::move(place), std::move(socket))->start();
}

} // namespace knead::studio
