#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "context.hpp"

namespace knead::studio {

/// Takes care of a connection, which has its place among the context's, from its first byte:
/// answers requests, or makes it a WebSocket.
void serve_connection(std::shared_ptr<Context> context, Place place,
                      boost::asio::ip::tcp::socket socket);

} // namespace knead::studio
