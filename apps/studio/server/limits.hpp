#pragma once

#include <chrono>
#include <cstddef>

namespace knead::studio {

/// What one connection, and all of them together, may ask of the server.
struct Limits {
    std::size_t message_bytes = std::size_t(16) << 20;  ///< of a text message
    std::size_t asset_bytes = std::size_t(256) << 20;   ///< of one file sent by the page
    std::size_t all_asset_bytes = std::size_t(1) << 30; ///< of all files of a session
    int assets = 200;                                   ///< files of a session
    int connections = 64;
    int sessions = 8;                                  ///< connections that have become WebSockets
    std::size_t waiting_requests = 200;                ///< of a session, not yet begun
    std::size_t unread_bytes = std::size_t(512) << 20; ///< answers that a page has not taken yet
    std::size_t waiting_bytes = std::size_t(64) << 20; ///< of theirs; then no more is read
    /// Frames of a simulation that a session keeps; then the first that were kept go.
    std::size_t simulated_bytes = std::size_t(512) << 20;
    std::size_t downloads = 16; ///< results of exports kept for download; the oldest go
    std::chrono::milliseconds request_time{10'000}; ///< for a request, a handshake or an answer
    std::chrono::milliseconds idle_time{60'000};    ///< of a WebSocket; half of it, then a ping
};

} // namespace knead::studio
