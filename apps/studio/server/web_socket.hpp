#pragma once

#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <memory>

#include "context.hpp"

namespace knead::studio {

/// What a page takes up.
struct SocketPlaces {
    Place connection, session;
};

/// Answers the handshake, whose sender has been looked at already, and runs a session over it.
void serve_web_socket(std::shared_ptr<Context> context, SocketPlaces places,
                      boost::beast::tcp_stream stream,
                      const boost::beast::http::request<boost::beast::http::empty_body>& handshake);

} // namespace knead::studio
