#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {

class StudioHttp : public StudioTest {
protected:
    StudioHttp() {
        write_file_atomically(folder.path() / "page/index.html", "<!doctype html>the page");
        write_file_atomically(folder.path() / "page/assets/main-1234.js", "let a = 1;");
        settings.page = folder.path() / "page";
    }
    HttpReply get(const std::string& target, Headers headers = {},
                  const std::string& method = "GET") {
        headers.try_emplace("Cookie", fmt::format("knead-{}={}", port(), token()));
        return fetch(port(), target, headers, method);
    }
};

TEST_F(StudioHttp, ThePageComesWithItsTokenAndACookieAfterThat) {
    const HttpReply first = fetch(port(), fmt::format("/?token={}", token()));
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(first.body, "<!doctype html>the page");
    EXPECT_EQ(first.headers.at("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(first.headers.at("Set-Cookie"),
              fmt::format("knead-{}={}; Path=/; HttpOnly; SameSite=Strict", port(), token()));
    EXPECT_EQ(get("/").body, "<!doctype html>the page");
    EXPECT_FALSE(get("/").headers.contains("Set-Cookie"));
}

TEST_F(StudioHttp, FilesOfThePageHaveTheirTypeAndMayBeKept) {
    const HttpReply script = get("/assets/main-1234.js");
    EXPECT_EQ(script.status, 200);
    EXPECT_EQ(script.headers.at("Content-Type"), "text/javascript; charset=utf-8");
    EXPECT_EQ(script.headers.at("Cache-Control"), "private, max-age=31536000, immutable");
    EXPECT_EQ(get("/").headers.at("Cache-Control"), "no-store");
}

TEST_F(StudioHttp, EveryAnswerSaysThatThePageLoadsNothingFromElsewhere) {
    for (const char* target : {"/", "/nothing", "/assets/main-1234.js"}) {
        const HttpReply reply = get(target);
        EXPECT_TRUE(reply.headers.at("Content-Security-Policy").starts_with("default-src 'none'"));
        EXPECT_EQ(reply.headers.at("X-Content-Type-Options"), "nosniff");
        EXPECT_EQ(reply.headers.at("Referrer-Policy"), "no-referrer");
    }
}

TEST_F(StudioHttp, NobodyGetsAnythingWithoutTheToken) {
    for (const char* target : {"/", "/assets/main-1234.js", "/files/x", "/?token=wrong"}) {
        const HttpReply reply = fetch(port(), target);
        EXPECT_EQ(reply.status, 403);
        EXPECT_EQ(reply.body, "The token is missing or of an earlier studio; open the address that "
                              "knead studio printed.\n");
    }
}

TEST_F(StudioHttp, AForeignPageOrNameIsRefusedEvenWithTheCookie) {
    const HttpReply rebound = get("/", {{"Host", fmt::format("evil.example:{}", port())}});
    EXPECT_EQ(rebound.status, 403);
    EXPECT_EQ(rebound.body,
              "This is not the address of this studio; open the one that knead studio printed.\n");
    const HttpReply foreign = get("/", {{"Origin", "http://evil.example"}});
    EXPECT_EQ(foreign.status, 403);
    EXPECT_EQ(foreign.body, "Only the studio's own page may ask for this.\n");
    EXPECT_THROW(PageClient(port(), token(), {{"Origin", "http://evil.example"}}), std::exception);
    EXPECT_THROW(PageClient(port(), ""), std::exception);
}

TEST_F(StudioHttp, WhoAsksIsSaidOnce) {
    for (const char* name : {"Host", "Origin"}) {
        RawClient raw(port());
        raw.send(fmt::format("GET /?token={0} HTTP/1.1\r\nHost: 127.0.0.1:{1}\r\n"
                             "Origin: http://127.0.0.1:{1}\r\n{2}: evil.example\r\n\r\n",
                             token(), port(), name));
        const std::string said = raw.read_to_end(std::chrono::seconds(20)).value_or("");
        EXPECT_TRUE(said.starts_with("HTTP/1.1 400 Bad Request\r\n")) << said;
        EXPECT_TRUE(said.ends_with(fmt::format("\r\n\r\n{} may be said only once.\n", name)))
            << said;
    }
}

TEST_F(StudioHttp, TheAddressForOneBrowserOpensOnce) {
    const auto target = [](const std::string& url) { return url.substr(url.find("/?")); };
    const std::string first = target(studio().opening_url());
    const std::string second = target(studio().opening_url());
    EXPECT_EQ(second.size(), std::string("/?open=").size() + 32);
    EXPECT_EQ(fetch(port(), first).status, 403);
    EXPECT_EQ(fetch(port(), second, {{"Origin", "http://evil.example"}}).status, 403);
    EXPECT_EQ(fetch(port(), "/?open=").status, 403);
    const HttpReply opened = fetch(port(), second);
    EXPECT_EQ(opened.status, 200);
    EXPECT_EQ(opened.headers.at("Set-Cookie"),
              fmt::format("knead-{}={}; Path=/; HttpOnly; SameSite=Strict", port(), token()));
    EXPECT_EQ(fetch(port(), second).status, 403);
    EXPECT_EQ(fetch(port(), "/?open=").status, 403);
    // The browser has the cookie, with which it may load the same address again.
    EXPECT_EQ(get(second).status, 200);
}

TEST_F(StudioHttp, WhatIsNotThereAndWhatIsNotDone) {
    for (const char* target : {"/nothing", "/../balls.json", "/assets/../../balls.json",
                               "/%2e%2e/balls.json", "//etc/passwd", "/files/guess", "/files/../x"})
        EXPECT_EQ(get(target).status, 404) << target;
    EXPECT_EQ(get("/nothing").body, "There is nothing here.\n");
    EXPECT_EQ(get("/files/guess").body, "There is no such file, or not any more.\n");
    const HttpReply post = get("/", {}, "POST");
    EXPECT_EQ(post.status, 405);
    EXPECT_EQ(post.headers.at("Allow"), "GET, HEAD");
    EXPECT_EQ(post.body, "Only GET and HEAD are answered.\n");
    const HttpReply head = get("/", {}, "HEAD");
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.headers.at("Content-Length"), "23");
    EXPECT_EQ(head.body, "");
}

TEST_F(StudioHttp, WhatCannotBeServedIsSaidAtTheStart) {
    const auto complaint = [](StudioSettings wrong) -> std::string {
        try {
            Studio studio(std::move(wrong));
        } catch (const std::exception& error) {
            return error.what();
        }
        return "started";
    };
    StudioSettings wrong = settings;
    wrong.scene = "/nowhere/x.json";
    EXPECT_EQ(complaint(wrong), "/nowhere/x.json: no such file");
    wrong = settings;
    wrong.page = "/nowhere";
    EXPECT_EQ(complaint(wrong), "--page /nowhere: no such folder");
    wrong = settings;
    wrong.token = "short";
    EXPECT_EQ(complaint(wrong), "--token: expected 16 to 200 letters, digits, '-' and '_'");
    wrong = settings;
    wrong.host = "example.org";
    EXPECT_EQ(complaint(wrong), "--host example.org: expected a numeric address such as 127.0.0.1");
    wrong = settings;
    wrong.port = port();
    EXPECT_EQ(complaint(wrong),
              fmt::format("--port {}: cannot listen on 127.0.0.1: Address already in use", port()));
    wrong = settings;
    write_file_atomically(folder.path() / "broken.json", "{\"knead\": ");
    wrong.scene = folder.path() / "broken.json";
    EXPECT_TRUE(complaint(wrong).starts_with(wrong.scene->string() + ":1: not JSON"))
        << complaint(wrong);
}

TEST_F(StudioHttp, ATokenOfOnesOwnSurvivesARestart) {
    settings.token = "0123456789abcdefgh";
    EXPECT_EQ(studio().url(), fmt::format("http://127.0.0.1:{}/?token=0123456789abcdefgh", port()));
    settings.port = port();
    stop();
    EXPECT_EQ(fetch(port(), "/?token=0123456789abcdefgh").status, 200);
}

} // namespace
} // namespace knead::studio
