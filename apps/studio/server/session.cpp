#include "session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <thread>

#include "actions.hpp"
#include "answers.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

struct Waiting {
    Request request;
    bool is_superseded = false; ///< only its document is still wanted
};

bool has_document(const Request& request) {
    return request.body.find("document") != nullptr;
}

} // namespace

struct Session::State {
    SessionState session; ///< of the session's thread alone
    Outbox outbox;
    std::mutex lock;
    std::condition_variable changed;
    std::deque<Waiting> waiting;
    bool ending = false;

    // Of those that wait, a solve gives way to a newer one. What it carries is still done when
    // nothing that comes later carries a document.
    void supersede_solves(const Request& newer) {
        bool newer_document = has_document(newer);
        for (auto at = waiting.end(); at != waiting.begin();) {
            --at;
            if (at->request.action == "solve" && !at->is_superseded) {
                if (has_document(at->request) && !newer_document) {
                    at->is_superseded = true;
                } else {
                    outbox.text(superseded(at->request.id));
                    at = waiting.erase(at);
                    continue;
                }
            }
            newer_document = newer_document || has_document(at->request);
        }
    }

    std::optional<Waiting> next() {
        std::unique_lock guard(lock);
        changed.wait(guard, [this] { return ending || !waiting.empty(); });
        if (ending) return std::nullopt;
        Waiting first = std::move(waiting.front());
        waiting.pop_front();
        return first;
    }

    void fail(const Request& request, const std::string& what) {
        const std::string name = session.scene_path.string();
        outbox.text(
            failed(request.id, complaint(what, what.starts_with(name) ? name : request.action)));
    }

    void handle(const Waiting& job) {
        try {
            if (job.is_superseded) {
                take_document(session, job.request);
                outbox.text(superseded(job.request.id));
            } else {
                act(session, job.request, outbox);
            }
        } catch (const std::bad_alloc&) {
            fail(job.request, "not enough memory for this");
        } catch (const std::exception& error) {
            fail(job.request, error.what());
        }
    }
};

Session::Session(std::shared_ptr<Context> context, Outbox outbox) : state_(new State) {
    state_->outbox = std::move(outbox);
    SessionState& session = state_->session;
    session.assets = context->scratch / random_name();
    fs::create_directories(session.assets);
    session.scene_path = context->settings.scene
                             ? context->folder / context->settings.scene->filename()
                             : context->folder / "scene.json";
    session.context = std::move(context);
}

Session::~Session() {
    std::error_code ignored;
    fs::remove_all(state_->session.assets, ignored);
    state_->session.context->sessions.give_back();
}

std::shared_ptr<Session> Session::start(std::shared_ptr<Context> context, Outbox outbox) {
    std::shared_ptr<Session> session(new Session(context, std::move(outbox)));
    {
        const std::lock_guard guard(context->lock);
        std::erase_if(context->open_sessions, [](const auto& known) { return known.expired(); });
        context->open_sessions.push_back(session);
    }
    // The thread outlives the connection while it computes; `Studio` waits for it.
    context->workers.take();
    std::thread([session, context]() mutable {
        while (const std::optional<Waiting> job = session->state_->next())
            session->state_->handle(*job);
        session.reset();
        context->workers.give_back();
    }).detach();
    return session;
}

void Session::receive_text(std::string_view text) {
    Request request = parse_request(text);
    if (!is_action(request.action))
        throw BadMessage(
            CloseCode::refused,
            fmt::format("message: found the unknown action {}", in_quotes(request.action)),
            request.id);
    const std::lock_guard guard(state_->lock);
    if (request.action == "solve") state_->supersede_solves(request);
    const std::size_t most = state_->session.context->settings.limits.waiting_requests;
    if (state_->waiting.size() >= most)
        throw BadMessage(CloseCode::refused, fmt::format("message: {} requests wait already", most),
                         request.id);
    state_->waiting.push_back({std::move(request)});
    state_->changed.notify_all();
}

void Session::receive_binary(std::string) {
    throw BadMessage(CloseCode::refused, "message: found bytes that were not announced");
}

std::size_t Session::message_limit() const {
    return state_->session.context->settings.limits.message_bytes;
}

void Session::end() {
    const std::lock_guard guard(state_->lock);
    state_->ending = true;
    state_->changed.notify_all();
}

} // namespace knead::studio
