#include "studio/fuzz_run.hpp"

#include "knead/base/file.hpp"

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "server/studio.hpp"
#include "studio/message_mill.hpp"

namespace knead::studio {
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
using Kind = PageClient::Message::Kind;

// For an answer, and for a place among the sessions while one that has hung up still computes. With
// sanitizers on a busy machine the largest blob takes minutes.
constexpr auto fuzz_patience = std::chrono::minutes(20);

void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error(what);
}

struct Address {
    int port = 0;
    std::string token;
};

PageClient connect(const Address& address) {
    for (const auto until = Clock::now() + fuzz_patience;;) {
        try {
            return PageClient(address.port, address.token);
        } catch (const std::runtime_error&) {
            if (Clock::now() > until) throw;
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
}

// What is not spoiled beyond recognition must be answered.
std::optional<unsigned> id_of(const PageMessage& message) {
    if (message.way != PageMessage::Way::text) return std::nullopt;
    const TestJson json = TestJson::parse(message.bytes, nullptr, false);
    if (!json.is_object() || !json.contains("id") || !json["id"].is_number()) return std::nullopt;
    const double id = json["id"];
    if (id < 0 || id > 4294967295.0) return std::nullopt;
    return static_cast<unsigned>(id);
}

bool is_export(const PageMessage& message) {
    const TestJson json = TestJson::parse(message.bytes, nullptr, false);
    return json.is_object() && json.contains("do") && json["do"] == "export";
}

// All of one page, from its connection to its end.
class Conversation {
public:
    Conversation(const Address& address, FuzzCounts& counts)
        : page_(connect(address)), counts_(counts) {}

    void hold(const std::vector<PageMessage>& messages, const TestJson& document) {
        std::vector<unsigned> exports;
        unsigned last = 1'000'000;
        for (const PageMessage& message : messages) {
            if (message.waits) answer_all_but_solves(++last);
            std::this_thread::sleep_for(message.pause);
            hear(std::chrono::milliseconds(0));
            if (is_closed_) break;
            ++counts_.messages;
            if (message.way == PageMessage::Way::broken_off) {
                page_.break_off(message.bytes);
                ++counts_.closed;
                return;
            }
            if (message.way == PageMessage::Way::binary) {
                page_.send_binary(message.bytes);
                continue;
            }
            if (const auto id = id_of(message)) {
                unanswered_.insert(*id);
                if (is_export(message)) exports.push_back(*id);
            }
            page_.send_text(message.bytes);
        }
        // What may take forever, simulations and exports, is brought to an end: nothing is left
        // without an answer then.
        answer_all_but_solves(++last);
        ask({{"id", ++last}, {"do", "solve"}, {"frame", 1}, {"document", document}});
        for (const unsigned id : exports) ask({{"id", ++last}, {"do", "cancel"}, {"of", id}});
        while (!is_closed_ && !unanswered_.empty()) hear_something();
        if (is_closed_) ++counts_.closed;
    }

private:
    void ask(const TestJson& request) {
        unanswered_.insert(request.at("id").get<unsigned>());
        page_.send(request);
    }

    // Requests are done in order, except that a simulation lets others go first.
    void answer_all_but_solves(unsigned id) {
        if (is_closed_) return;
        ask({{"id", id}, {"do", "demo"}, {"name", "pair"}});
        while (!is_closed_ && unanswered_.contains(id)) hear_something();
    }

    void hear_something() {
        require(hear(fuzz_patience),
                fmt::format("nothing was heard for {} minutes, {} requests are not answered",
                            fuzz_patience.count(), unanswered_.size()));
    }

    bool hear(std::chrono::milliseconds within) {
        bool heard = false;
        while (!is_closed_) {
            const auto message = page_.next_within(heard ? std::chrono::milliseconds(0) : within);
            if (!message) break;
            heard = true;
            take(*message);
        }
        return heard;
    }

    void take(const PageClient::Message& message) {
        if (message.kind == Kind::closed) {
            const std::set<int> expected = {1007, 1008, 1009};
            require(expected.contains(message.close_code),
                    fmt::format("closed with the code {}", message.close_code));
            is_closed_ = true;
            return;
        }
        if (message.kind == Kind::binary) {
            const BinaryAnswer answer = take_apart(message.bytes);
            for (const TestJson& block : answer.json.at("blocks"))
                require(block.at("offset").get<std::size_t>() +
                                4 * block.at("count").get<std::size_t>() *
                                    block.at("components").get<std::size_t>() <=
                            answer.bytes.size(),
                        "a block lies outside of its message");
            if (!answer.json.value("on_the_way", false)) answered(answer.id);
            return;
        }
        const TestJson json = TestJson::parse(message.bytes);
        if (json.contains("event") || json.contains("progress")) return;
        if (!json.at("ok").get<bool>()) {
            ++counts_.refusals;
            require(json.contains("superseded") || !json.at("error").get<std::string>().empty(),
                    "refused without a reason");
        }
        answered(json.at("id"));
    }

    void answered(unsigned id) {
        const auto asked = unanswered_.find(id);
        require(asked != unanswered_.end(),
                fmt::format("an answer to {}, which nobody waits for", id));
        unanswered_.erase(asked);
        ++counts_.answers;
    }

    PageClient page_;
    FuzzCounts& counts_;
    std::multiset<unsigned> unanswered_;
    bool is_closed_ = false;
};

TestJson two_balls() {
    const TestJson mesh = {{"sphere", {{"subdivisions", 2}}}};
    return {{"knead", 1},
            {"frames", {1, 10}},
            {"objects",
             {{{"name", "left"}, {"mesh", mesh}},
              {{"name", "right"}, {"mesh", mesh}, {"transform", {{"translate", {1.6, 0, 0}}}}}}}};
}

// A page that works on something of its own, and must not notice the others.
class Bystander {
public:
    explicit Bystander(const Address& address) : page_(connect(address)) {
        page_.ask({{"do", "document"}, {"document", two_balls()}});
        expected_ = look();
    }
    void check() { require(look() == expected_, "another page sees other positions than before"); }

private:
    std::string look() {
        page_.heard.clear();
        return page_.ask_for_numbers({{"do", "solve"}, {"frame", 1}}).bytes;
    }

    PageClient page_;
    std::string expected_;
};

struct Shared {
    const FuzzSettings& settings;
    MillStock stock;
    Address address;
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> messages{0};
    std::mutex lock;
    FuzzCounts counts;
    std::string failure; ///< the first
};

void talk(Shared& shared) {
    const FuzzSettings& settings = shared.settings;
    std::uint64_t number = 0;
    FuzzCounts counts;
    std::string failure;
    try {
        Bystander bystander(shared.address);
        while (shared.messages < settings.messages) {
            number = settings.only ? *settings.only : shared.next++;
            const int before = counts.messages;
            // Seeds that are neighbours give series that have nothing in common.
            Conversation(shared.address, counts)
                .hold(make_conversation(shared.stock, (settings.seed << 32) + number), two_balls());
            ++counts.conversations;
            shared.messages += counts.messages - before;
            bystander.check();
            if (settings.only) break;
        }
    } catch (const std::exception& error) {
        failure = fmt::format("seed {}, conversation {}: {}", settings.seed, number, error.what());
    }
    const std::lock_guard guard(shared.lock);
    shared.counts.messages += counts.messages;
    shared.counts.conversations += counts.conversations;
    shared.counts.answers += counts.answers;
    shared.counts.refusals += counts.refusals;
    shared.counts.closed += counts.closed;
    if (!failure.empty()) {
        if (shared.failure.empty()) shared.failure = failure;
        shared.messages = settings.messages;
    }
}

} // namespace

FuzzCounts fuzz_studio(const FuzzSettings& settings) {
    const fs::path inside = settings.folder / "studio";
    StudioSettings serving;
    serving.scene = inside / "balls.json";
    write_file_atomically(*serving.scene, two_balls().dump());
    serving.demos = {{"pair", "Two balls.", two_balls().dump()}};
    // One that has hung up may compute for a while.
    serving.limits.sessions = 4 * settings.pages;
    // Bystanders do not listen while others talk.
    serving.limits.idle_time = std::chrono::hours(1);
    Studio studio(std::move(serving));
    const std::string url = studio.url();
    Shared shared{settings,
                  read_stock(settings.scenes, settings.meshes),
                  {studio.port(), url.substr(url.find('=') + 1)},
                  0,
                  0,
                  {},
                  {},
                  {}};
    std::vector<std::thread> pages;
    for (int i = 0; i < (settings.only ? 1 : settings.pages); ++i)
        pages.emplace_back(talk, std::ref(shared));
    for (std::thread& page : pages) page.join();
    require(shared.failure.empty(), shared.failure);
    for (const auto& entry : fs::directory_iterator(settings.folder))
        require(entry.path() == inside, fmt::format("{} was written outside of the studio's folder",
                                                    entry.path().filename().string()));
    return shared.counts;
}

} // namespace knead::studio
