#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <memory>

#include "context.hpp"

namespace knead::studio {

/// The place that a connection has taken among the context's; it goes with the last who holds it.
class ConnectionPlace {
public:
    explicit ConnectionPlace(std::shared_ptr<Context> context) : context_(std::move(context)) {}
    ~ConnectionPlace() { context_->connections.give_back(); }
    ConnectionPlace(const ConnectionPlace&) = delete;
    ConnectionPlace& operator=(const ConnectionPlace&) = delete;

private:
    std::shared_ptr<Context> context_;
};

/// Answers the handshake, whose sender has been looked at already, and runs a session over it. A
/// place among the context's sessions must have been taken.
void serve_web_socket(std::shared_ptr<Context> context, std::shared_ptr<ConnectionPlace> place,
                      boost::beast::tcp_stream stream,
                      boost::beast::http::request<boost::beast::http::empty_body> handshake);

} // namespace knead::studio
