#include "session.hpp"

#include "knead/base/parallel.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <thread>

#include "actions.hpp"
#include "answers.hpp"
#include "assets.hpp"
#include "export.hpp"
#include "idle.hpp"
#include "scene_files.hpp"

namespace knead::studio {
namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// A hand that moves a slider sends more often than this; measuring in between would hold it up.
constexpr auto pause_before_measures = 80ms;
constexpr auto between_looks_at_file = 1000ms;

} // namespace

struct Session::State {
    struct Waiting {
        Request request;
        bool is_superseded = false; ///< only its document is still wanted
        std::optional<AnnouncedAsset> asset = std::nullopt;
        std::string content = {};                      ///< of the asset
        std::size_t bytes = 0;                         ///< of the message
        std::shared_ptr<const LoadedDocument> of = {}; ///< of one that has begun

        bool brings_document() const { return studio::brings_document(request); }
    };

    // A file that comes with the next message.
    struct Expected {
        Request request;
        std::optional<AnnouncedAsset> asset; ///< nothing: it was refused, and is thrown away
        std::size_t bytes = 0;
    };

    Place place;
    SessionState session; ///< of the session's thread alone
    Outbox outbox;
    std::optional<Expected> expected; ///< of the connection's side alone

    std::mutex lock; ///< of what follows
    std::condition_variable changed;
    std::deque<Waiting> waiting;
    std::size_t waiting_bytes = 0;
    bool ending = false;
    std::stop_source hurry; ///< asked to stop when a request comes in
    bool solving = false;
    std::stop_source at_work; ///< of the request that is being done

    // Of those that wait, a solve gives way to a newer one. What it carries is still done when
    // nothing that comes later carries a document.
    void supersede_solves(const Request& newer) {
        bool newer_document = brings_document(newer);
        for (auto at = waiting.end(); at != waiting.begin();) {
            --at;
            if (at->request.action == "solve" && !at->is_superseded) {
                if (at->brings_document() && !newer_document) {
                    at->is_superseded = true;
                } else {
                    outbox.text(superseded(at->request.id));
                    waiting_bytes -= at->bytes;
                    at = waiting.erase(at);
                    continue;
                }
            }
            newer_document = newer_document || at->brings_document();
        }
    }

    void add(Waiting job) {
        const std::lock_guard guard(lock);
        if (job.request.action == "solve") {
            supersede_solves(job.request);
            if (solving) at_work.request_stop();
        }
        const std::size_t most = session.context->settings.limits.waiting_requests;
        if (waiting.size() >= most)
            throw BadMessage(CloseCode::refused, fmt::format("{} requests wait already", most),
                             job.request.id);
        waiting_bytes += job.bytes;
        waiting.push_back(std::move(job));
        hurry.request_stop();
        changed.notify_all();
    }

    // What has begun goes on when those that came meanwhile are done, unless one is to take its
    // place.
    void go_on_later(Waiting job) {
        const std::lock_guard guard(lock);
        if (std::any_of(waiting.begin(), waiting.end(),
                        [](const Waiting& other) { return other.request.action == "solve"; }))
            return outbox.text(superseded(job.request.id));
        job.request.begun = true;
        job.of = session.document;
        job.bytes = 0;
        waiting.push_back(std::move(job));
    }

    // The next request; nothing when the session ends. While there is none, the time is used.
    std::optional<Waiting> next() {
        for (;;) {
            std::unique_lock guard(lock);
            solving = false;
            const auto patience =
                session.unmeasured ? pause_before_measures : between_looks_at_file;
            const bool called =
                changed.wait_for(guard, patience, [this] { return ending || !waiting.empty(); });
            if (ending) return std::nullopt;
            if (called) {
                Waiting first = std::move(waiting.front());
                waiting.pop_front();
                waiting_bytes -= first.bytes;
                solving = first.request.action == "solve";
                at_work = std::stop_source();
                session.progress.stop = at_work.get_token();
                return first;
            }
            hurry = std::stop_source();
            const std::stop_token stop = hurry.get_token();
            guard.unlock();
            tell_measures(session, outbox, stop);
            look_at_file(session, outbox);
        }
    }

    // What nobody foresaw ends this page and not the studio, which others use, too.
    void serve() {
        std::string problem = "something that is not known";
        try {
            while (auto job = next()) handle(std::move(*job));
            return;
        } catch (const std::exception& error) {
            problem = error.what();
        } catch (...) {
        }
        try {
            outbox.give_up(problem);
        } catch (...) { // then the page finds out by itself
        }
    }

    Complaint complaint_about(const Request& request, const std::string& what) const {
        const std::string name = session.read_as.string();
        Complaint result =
            complaint(what, !name.empty() && what.starts_with(name) ? name : request.action);
        // Where the page's files are kept is nothing to a person, who gave them a name.
        leave_out_folder(session.assets, result.sentence);
        leave_out_folder(session.context->folder, result.sentence);
        if (result.sentence.find(result.path) != 0) result.path.clear();
        return result;
    }

    void handle(Waiting job) {
        const Request& request = job.request;
        try {
            if (request.begun && job.of != session.document) {
                outbox.text(superseded(request.id));
            } else if (job.is_superseded) {
                take_document(session, request);
                outbox.text(superseded(request.id));
            } else if (job.asset) {
                const std::string hash = store_asset(session, *job.asset, job.content);
                outbox.text(done(request, {{"name", job.asset->name}, {"hash", hash}}));
            } else {
                act(session, request, outbox);
            }
        } catch (const GivesWay&) {
            go_on_later(std::move(job));
        } catch (const Cancelled&) {
            outbox.text(superseded(request.id));
        } catch (const Conflict& conflict) {
            outbox.text(failed(request.id, complaint_about(request, conflict.what()), "conflict"));
        } catch (const std::bad_alloc&) {
            outbox.text(failed(request.id, {"not enough memory for this", ""}));
        } catch (const std::exception& error) {
            outbox.text(failed(request.id, complaint_about(request, error.what())));
        }
    }

    // The announcement of a file that is refused is answered at once; the file comes all the same.
    void expect_asset(Request request) {
        const Limits& limits = session.context->settings.limits;
        Expected next{std::move(request), {}, limits.asset_bytes};
        try {
            next.asset = read_announcement(limits, next.request);
            next.bytes = next.asset->bytes;
        } catch (const InputError& error) {
            outbox.text(failed(next.request.id, complaint(error.what(), next.request.action)));
        }
        expected = std::move(next);
    }

    void cancel(const Request& request) {
        try {
            const RequestReader reader(request);
            const SceneValue of = reader.require("of", "the id of an export");
            const double id = of.number(bounds::not_negative);
            if (id > 4294967295.0 || !session.exporter->cancel(static_cast<std::uint32_t>(id)))
                of.expected("the id of an export that is under way");
            outbox.text(done(request, Json::object()));
        } catch (const InputError& error) {
            outbox.text(failed(request.id, complaint(error.what(), request.action)));
        }
    }
};

Session::Session(std::shared_ptr<Context> context, Place place, Outbox outbox) : state_(new State) {
    state_->place = std::move(place);
    state_->outbox = std::move(outbox);
    SessionState& session = state_->session;
    session.assets = context->scratch / random_name();
    session.exporter = std::make_shared<Exporter>();
    session.scene_path = context->settings.scene
                             ? context->folder / context->settings.scene->filename()
                             : context->folder / "scene.json";
    session.context = std::move(context);
    session.others_wait = [state = state_.get()] {
        const std::lock_guard guard(state->lock);
        return !state->waiting.empty();
    };
    fs::create_directories(session.assets);
}

Session::~Session() {
    std::error_code ignored;
    fs::remove_all(state_->session.assets, ignored);
}

std::shared_ptr<Session> Session::start(const std::shared_ptr<Context>& context, Place place,
                                        Outbox outbox) {
    std::shared_ptr<Session> session(new Session(context, std::move(place), std::move(outbox)));
    {
        const std::lock_guard guard(context->lock);
        std::erase_if(context->open_sessions, [](const auto& known) { return known.expired(); });
        context->open_sessions.push_back(session);
    }
    // The thread outlives the connection while it computes; `Studio` waits for it.
    Place at_work = take_place(context, &Context::workers);
    std::thread([session, threads = context->settings.threads,
                 at_work = std::move(at_work)]() mutable {
        const ThreadLimit limit(threads);
        session->state_->serve();
        session->state_->session.exporter->finish();
        session.reset();
        at_work.reset();
    }).detach();
    return session;
}

void Session::receive_text(std::string_view text) {
    if (state_->expected)
        throw BadMessage(CloseCode::refused, "found text, expected the bytes of a file");
    Request request = parse_request(text);
    if (request.action == "asset") return state_->expect_asset(std::move(request));
    if (request.action == "cancel") return state_->cancel(request);
    if (!is_action(request.action))
        throw BadMessage(CloseCode::refused,
                         fmt::format("found the unknown action {}", in_quotes(request.action)),
                         request.id);
    state_->add({std::move(request), false, {}, {}, text.size()});
}

void Session::receive_binary(std::string bytes) {
    if (!state_->expected)
        throw BadMessage(CloseCode::refused, "found bytes that were not announced");
    State::Expected expected = std::move(*state_->expected);
    state_->expected.reset();
    if (!expected.asset) return;
    const std::size_t size = bytes.size();
    state_->add(
        {std::move(expected.request), false, std::move(expected.asset), std::move(bytes), size});
}

bool Session::has_room() const {
    const std::lock_guard guard(state_->lock);
    return state_->waiting_bytes <= state_->session.context->settings.limits.waiting_bytes;
}

std::size_t Session::message_limit() const {
    // Not 0, which stands for any length.
    return state_->expected ? std::max<std::size_t>(1, state_->expected->bytes)
                            : state_->session.context->settings.limits.message_bytes;
}

void Session::end() {
    const std::lock_guard guard(state_->lock);
    state_->ending = true;
    state_->hurry.request_stop();
    state_->at_work.request_stop();
    state_->changed.notify_all();
    state_->session.exporter->cancel();
}

} // namespace knead::studio
