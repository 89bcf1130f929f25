#include "studio.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <cctype>
#include <optional>
#include <thread>

#include "connection.hpp"
#include "page.hpp"
#include "scene_files.hpp"
#include "scratch_folder.hpp"
#include "session.hpp"

namespace knead::studio {
namespace fs = std::filesystem;
namespace net = boost::asio;
using net::ip::tcp;

namespace {

// One may be parsing a long message while another answers.
constexpr int io_threads = 2;

// Below it scenes are read and written.
fs::path scene_folder(const StudioSettings& settings) {
    if (!settings.scene) return fs::canonical(fs::current_path());
    std::error_code error;
    if (!fs::is_regular_file(*settings.scene, error))
        throw InputError(fmt::format("{}: no such file", settings.scene->string()));
    return fs::canonical(fs::absolute(*settings.scene).parent_path());
}

bool is_token(const std::string& text) {
    return text.size() >= 16 && text.size() <= 200 &&
           std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

tcp::endpoint endpoint_of(const StudioSettings& settings) {
    boost::system::error_code error;
    const net::ip::address address =
        net::ip::make_address(settings.host == "localhost" ? "127.0.0.1" : settings.host, error);
    if (error)
        throw InputError(
            fmt::format("--host {}: expected a numeric address such as 127.0.0.1", settings.host));
    return {address, static_cast<unsigned short>(settings.port)};
}

} // namespace

struct Studio::State {
    std::shared_ptr<Context> context;
    std::optional<ScratchFolder> scratch;
    net::io_context io{io_threads};
    tcp::acceptor acceptor{io};
    std::vector<std::thread> threads;

    std::string address() const {
        const net::ip::address address = endpoint_of(context->settings).address();
        return fmt::format("http://{}:{}/",
                           address.is_v6() ? fmt::format("[{}]", address.to_string())
                                           : address.to_string(),
                           context->guard.port);
    }

    void listen() {
        const tcp::endpoint endpoint = endpoint_of(context->settings);
        boost::system::error_code error;
        acceptor.open(endpoint.protocol(), error);
        if (!error) acceptor.set_option(net::socket_base::reuse_address(true), error);
        if (!error) acceptor.bind(endpoint, error);
        if (!error) acceptor.listen(net::socket_base::max_listen_connections, error);
        if (error)
            throw InputError(fmt::format("--port {}: cannot listen on {}: {}",
                                         context->settings.port, context->settings.host,
                                         error.message()));
        context->guard.port = acceptor.local_endpoint().port();
    }

    // What a handler throws ends the connection whose handler it was, and none of the others.
    void serve() {
        for (;;) {
            try {
                io.run();
                return;
            } catch (const std::exception&) {
            }
        }
    }

    Place place_for_connection() {
        Place place = take_place(context, &Context::connections);
        return place ? place : context->waiting_connections.take_from_oldest();
    }

    void accept() {
        acceptor.async_accept(
            net::make_strand(io), [this](boost::system::error_code error, tcp::socket socket) {
                if (!acceptor.is_open()) return;
                // Without a place the socket goes out of scope, and the connection with it.
                try {
                    if (Place place = error ? nullptr : place_for_connection()) {
                        socket.set_option(tcp::no_delay(true), error);
                        serve_connection(context, std::move(place), std::move(socket));
                    }
                } catch (const std::exception&) {
                    // This one cannot be served; others may come.
                }
                accept();
            });
    }
};

Studio::Studio(StudioSettings settings) : state_(new State) {
    if (settings.page) read_page(*settings.page);
    if (!settings.token.empty() && !is_token(settings.token))
        throw InputError("--token: expected 16 to 200 letters, digits, '-' and '_'");
    auto context = std::make_shared<Context>(std::move(settings));
    context->folder = scene_folder(context->settings);
    context->guard.host = context->settings.host;
    context->guard.token =
        context->settings.token.empty() ? random_name() : context->settings.token;
    if (context->settings.scene) open_scene(*context, *context->settings.scene);
    state_->context = context;
    state_->listen();
    state_->scratch.emplace();
    context->scratch = state_->scratch->path();
    state_->accept();
    for (int i = 0; i < io_threads; ++i) state_->threads.emplace_back([this] { state_->serve(); });
}

Studio::~Studio() {
    stop(std::chrono::milliseconds(0));
    state_->context->workers.wait_until_empty();
}

int Studio::port() const {
    return state_->context->guard.port;
}

std::string Studio::url() const {
    return state_->address() + "?token=" + state_->context->guard.token;
}

std::string Studio::opening_url() {
    const std::string key = random_name();
    const std::lock_guard guard(state_->context->lock);
    state_->context->opening_key = key;
    return state_->address() + "?open=" + key;
}

bool Studio::stop(std::chrono::milliseconds patience) {
    state_->io.stop();
    for (std::thread& thread : state_->threads) thread.join();
    state_->threads.clear();
    {
        const std::lock_guard guard(state_->context->lock);
        for (const auto& known : state_->context->open_sessions)
            if (const auto session = known.lock()) session->end();
    }
    const bool ended = state_->context->workers.wait_until_empty(patience);
    state_->scratch->remove();
    return ended;
}

} // namespace knead::studio
