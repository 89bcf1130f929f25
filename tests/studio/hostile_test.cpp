#include <future>
#include <thread>

#include "context.hpp"
#include "session.hpp"
#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {
using namespace std::chrono_literals;

class StudioHostile : public StudioTest {
protected:
    StudioHostile() {
        settings.limits.request_time = 300ms;
        settings.limits.idle_time = 600ms;
    }
    // Somebody else is served all the same.
    void still_answers() {
        PageClient page = connect();
        EXPECT_TRUE(page.ask({{"do", "hello"}}).at("ok"));
    }
    std::string handshake() {
        return fmt::format("GET /socket?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n"
                           "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                           "Sec-WebSocket-Version: 13\r\n\r\n",
                           token(), port());
    }
    // A masked frame whose head says `length`, with `content` behind it.
    static std::string frame(int opcode, std::size_t length, const std::string& content) {
        std::string bytes{static_cast<char>(0x80 | opcode)};
        if (length < 126) {
            bytes += static_cast<char>(0x80 | length);
        } else {
            bytes += static_cast<char>(0xFF);
            for (int shift = 56; shift >= 0; shift -= 8)
                bytes += static_cast<char>((length >> shift) & 0xFF);
        }
        return bytes + std::string(4, '\0') + content;
    }
};

TEST_F(StudioHostile, WhatIsNotUnderstoodClosesThatConnectionOnly) {
    PageClient bystander = connect();
    struct Case {
        const char* text;
        int code;
        const char* answer;
    };
    for (const Case& wrong :
         {Case{"not json", 1007, nullptr}, Case{"{\"id\": 1, ", 1007, nullptr},
          Case{"[]", 1008, nullptr}, Case{R"({"do": "hello"})", 1008, nullptr},
          Case{R"({"id": 3})", 1008, "expected what to do"},
          Case{R"({"id": 3, "do": "erase"})", 1008, "found the unknown action \"erase\""}}) {
        PageClient page = connect();
        page.send_text(wrong.text);
        if (wrong.answer != nullptr) {
            const TestJson answer = TestJson::parse(page.next().bytes);
            EXPECT_EQ(answer.at("id"), 3);
            EXPECT_EQ(answer.at("error"), wrong.answer);
        }
        EXPECT_EQ(page.wait_for_close(), wrong.code) << wrong.text;
    }
    EXPECT_TRUE(bystander.ask({{"do", "hello"}}).at("ok"));
}

TEST_F(StudioHostile, BytesThatNobodyAnnouncedAreRefused) {
    PageClient page = connect();
    page.send_binary("boo");
    EXPECT_EQ(page.wait_for_close(), 1008);
    PageClient other = connect();
    other.send({{"id", 1}, {"do", "asset"}, {"name", "a.obj"}, {"bytes", 3000}});
    other.send({{"id", 2}, {"do", "hello"}});
    EXPECT_EQ(other.wait_for_close(), 1008);
    still_answers();
}

TEST_F(StudioHostile, MessagesAreBounded) {
    settings.limits.message_bytes = 5000;
    settings.limits.asset_bytes = 8000;
    PageClient page = connect();
    page.send({{"id", 1}, {"do", "demo"}, {"name", std::string(6000, 'x')}});
    EXPECT_EQ(page.wait_for_close(), 1009);
    PageClient other = connect();
    other.send({{"id", 1}, {"do", "asset"}, {"name", "a.obj"}, {"bytes", 10}});
    other.send_binary(std::string(6000, 'x'));
    EXPECT_EQ(other.wait_for_close(), 1009);
    // Refused by its head alone: not one byte of it comes.
    settings.limits.idle_time = 60s;
    stop();
    RawClient raw(port());
    raw.send_and_wait_for_head(handshake());
    raw.send(frame(1, std::size_t(1) << 40, ""));
    EXPECT_TRUE(raw.read_to_end(20s));
    still_answers();
}

TEST_F(StudioHostile, TruncatedAndBrokenFramesEndTheConnection) {
    settings.limits.idle_time = 60s;
    {
        RawClient raw(port());
        raw.send_and_wait_for_head(handshake());
        raw.send(frame(1, 100, "{\"id\": 1,"));
    }
    for (const std::string& broken :
         {std::string("\x81\x05hello"), frame(3, 2, "ab"), frame(1, 2, "\xC3\x28"),
          std::string("\xC1\x80\0\0\0\0", 6)}) {
        RawClient raw(port());
        EXPECT_TRUE(raw.send_and_wait_for_head(handshake()).starts_with("HTTP/1.1 101"));
        raw.send(broken);
        EXPECT_TRUE(raw.read_to_end(20s));
    }
    RawClient hasty(port());
    hasty.send(handshake() + frame(1, 2, "{}"));
    const std::string said = hasty.read_to_end(20s).value_or("");
    EXPECT_TRUE(said.starts_with("HTTP/1.1 400 Bad Request\r\n")) << said;
    EXPECT_TRUE(said.ends_with("Nothing may be sent before the handshake is answered.\n")) << said;
    still_answers();
}

TEST_F(StudioHostile, WhoIsSlowIsNotWaitedFor) {
    // Half a request, half a handshake, nothing at all, and a head without end.
    for (const std::string& half :
         {std::string("GET / HT"), handshake().substr(0, 60), std::string()}) {
        RawClient raw(port());
        raw.send(half);
        EXPECT_TRUE(raw.read_to_end(20s)) << half;
    }
    RawClient endless(port());
    std::string head = "GET / HTTP/1.1\r\n";
    for (int i = 0; i < 2000; ++i) head += fmt::format("X-{}: {}\r\n", i, std::string(100, 'x'));
    endless.send(head);
    EXPECT_TRUE(endless.read_to_end(20s));
    still_answers();
}

TEST_F(StudioHostile, WhoNeverAnswersAPingIsGone) {
    RawClient raw(port());
    raw.send(handshake());
    const auto said = raw.read_to_end(20s);
    ASSERT_TRUE(said);
    EXPECT_TRUE(said->starts_with("HTTP/1.1 101"));
    // One that does, by reading, stays.
    PageClient page = connect();
    EXPECT_FALSE(page.next_within(1500ms));
    still_answers();
}

TEST_F(StudioHostile, APageThatNeverListensIsCutOff) {
    settings.limits.unread_bytes = 3 << 20;
    settings.limits.idle_time = 60s;
    RawClient raw(port());
    const std::string document =
        TestJson{{"id", 1}, {"do", "document"}, {"document", balls()}}.dump();
    raw.send_and_wait_for_head(handshake());
    raw.send(frame(1, document.size(), document));
    const std::string ask = R"({"id": 2, "do": "mesh", "object": "left"})";
    EXPECT_TRUE(comes_true([&] { return !raw.send(frame(1, ask.size(), ask)); }));
    still_answers();
}

TEST_F(StudioHostile, RequestsThatWaitAreBounded) {
    settings.limits.waiting_requests = 10;
    settings.limits.waiting_bytes = 10 << 20;
    PageClient page = connect();
    for (unsigned i = 1; i <= 60; ++i)
        page.send({{"id", i}, {"do", "document"}, {"document", balls()}});
    std::string last;
    for (;;) {
        const PageClient::Message message = page.next();
        if (message.kind == PageClient::Message::Kind::closed) {
            EXPECT_EQ(message.close_code, 1008);
            break;
        }
        last = message.bytes;
    }
    EXPECT_EQ(TestJson::parse(last).at("error"), "10 requests wait already");
    still_answers();
}

TEST_F(StudioHostile, WhatWaitsIsBoundedByReadingNoMore) {
    settings.limits.waiting_bytes = 100;
    settings.limits.waiting_requests = 5;
    settings.limits.idle_time = 60s;
    PageClient page = connect();
    // Far more than may wait; all of them are answered, since they are not read too early.
    for (unsigned i = 1; i <= 60; ++i)
        page.send({{"id", i}, {"do", "document"}, {"document", balls()}});
    for (unsigned i = 1; i <= 60; ++i) {
        const TestJson answer = TestJson::parse(page.next().bytes);
        EXPECT_EQ(answer.at("id"), i);
        EXPECT_TRUE(answer.at("ok"));
    }
}

TEST_F(StudioHostile, PagesAndConnectionsAreBounded) {
    settings.limits.sessions = 2;
    settings.limits.connections = 2;
    settings.limits.request_time = 60s;
    settings.limits.idle_time = 60s;
    {
        PageClient first = connect(), second = connect();
        EXPECT_TRUE(first.ask({{"do", "hello"}}).at("ok"));
        // No place is left, and none of those who have one waits.
        RawClient third(port());
        EXPECT_EQ(third.read_to_end(20s), "");
        EXPECT_TRUE(second.ask({{"do", "hello"}}).at("ok"));
        EXPECT_TRUE(first.ask({{"do", "hello"}}).at("ok"));
    }
    EXPECT_TRUE(comes_true([&] {
        try {
            connect();
            return true;
        } catch (const std::exception&) {
            return false;
        }
    }));
}

TEST_F(StudioHostile, PagesAreBounded) {
    settings.limits.sessions = 2;
    const PageClient first = connect(), second = connect();
    const HttpReply full = fetch(port(), fmt::format("/socket?token={}", token()),
                                 {{"Upgrade", "websocket"},
                                  {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="},
                                  {"Sec-WebSocket-Version", "13"},
                                  {"Connection", "upgrade"}});
    EXPECT_EQ(full.status, 503);
    EXPECT_EQ(full.body, "The studio has as many pages open as it can serve; close one.\n");
}

TEST_F(StudioHostile, WhoOnlyWaitsMakesRoomForOthers) {
    settings.limits.request_time = 60s;
    settings.limits.idle_time = 60s;
    PageClient page = connect();
    std::vector<std::unique_ptr<RawClient>> idlers;
    for (int i = 0; i < settings.limits.connections; ++i) {
        idlers.push_back(std::make_unique<RawClient>(port()));
        idlers.back()->send("GET / HT");
    }
    // With the page they are one too many: the first has gone.
    EXPECT_EQ(idlers.front()->read_to_end(20s), "");
    EXPECT_EQ(fetch(port(), "/").status, 403);
    EXPECT_EQ(idlers[1]->read_to_end(20s), "");
    PageClient another = connect();
    EXPECT_TRUE(another.ask({{"do", "hello"}}).at("ok"));
    EXPECT_TRUE(page.ask({{"do", "hello"}}).at("ok"));
    EXPECT_EQ(idlers.back()->read_to_end(0ms), std::nullopt);
}

TEST_F(StudioHostile, AFloodFromAllSidesIsSurvived) {
    settings.limits.request_time = 2s;
    settings.limits.idle_time = 60s;
    settings.limits.sessions = 8;
    studio();
    std::vector<std::thread> flood;
    for (int t = 0; t < 4; ++t)
        flood.emplace_back([this, t] {
            for (int i = 0; i < 40; ++i) {
                try {
                    if (t == 0) {
                        RawClient raw(port());
                        raw.send(std::string(static_cast<std::size_t>(1000 * i), '\xFF'));
                    } else if (t == 1) {
                        PageClient page = connect();
                        page.send_text(std::string(static_cast<std::size_t>(i + 1), '{'));
                        page.hang_up();
                    } else if (t == 2) {
                        PageClient page = connect();
                        for (unsigned k = 1; k < 20; ++k)
                            page.send(
                                {{"id", k}, {"do", "solve"}, {"frame", k}, {"document", balls()}});
                        page.hang_up();
                    } else {
                        fetch(port(), std::string(static_cast<std::size_t>(200 * i), '/'));
                    }
                } catch (const std::exception&) {
                    // Refused, which is fine.
                }
            }
        });
    for (std::thread& thread : flood) thread.join();
    ASSERT_TRUE(comes_true([&] {
        try {
            PageClient page = connect();
            return page.ask({{"do", "hello"}}).at("ok").get<bool>();
        } catch (const std::exception&) {
            return false;
        }
    }));
    PageClient page = connect();
    EXPECT_EQ(page.ask_for_numbers({{"do", "solve"}, {"frame", 10}, {"document", balls()}}).kind,
              1);
}

TEST(StudioSessions, WhatASessionThrowsEndsThatSessionOnly) {
    const OwnFolder folder;
    const auto context = std::make_shared<Context>(StudioSettings{});
    context->folder = context->scratch = folder.path();
    for (const bool known : {true, false}) {
        std::promise<std::string> given_up;
        const auto fail = [known](const std::string&) {
            if (known) throw std::runtime_error("nobody can be told");
            throw 1;
        };
        const auto session =
            Session::start(context, take_place(context, &Context::sessions),
                           {fail, fail, [&](const std::string& why) { given_up.set_value(why); }});
        session->receive_text(R"({"id": 1, "do": "scenes"})");
        EXPECT_EQ(given_up.get_future().get(),
                  known ? "nobody can be told" : "something that is not known");
    }
    context->workers.wait_until_empty();
}

TEST_F(StudioHostile, StopsAtOnceWhateverIsGoingOn) {
    settings.limits.idle_time = 60s;
    PageClient page = connect(), idle = connect();
    RawClient half(port());
    half.send("GET / HT");
    TestJson document = balls();
    document["frames"] = {1, 100000};
    page.ask({{"do", "document"}, {"document", document}});
    page.send(
        {{"id", 500}, {"do", "export"}, {"format", "obj"}, {"to", "folder"}, {"path", "out"}});
    ASSERT_TRUE(comes_true([&] { return std::filesystem::exists(folder.path() / "out"); }));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(studio().stop(10s));
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
    stop();
    // Nothing half-written is left.
    for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "out"))
        EXPECT_TRUE(entry.path().extension() == ".obj" || entry.path().filename() == "report.json")
            << entry.path();
}

} // namespace
} // namespace knead::studio
