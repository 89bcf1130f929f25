#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "context.hpp"

namespace knead::studio {

/// Takes care of a connection from its first byte: answers requests, or makes it a WebSocket. A
/// place among the context's connections must have been taken; it is given back at the end.
void serve_connection(std::shared_ptr<Context> context, boost::asio::ip::tcp::socket socket);

} // namespace knead::studio
