#include <gtest/gtest.h>

#include <set>

#include "guard.hpp"

namespace knead::studio {
namespace {

const Guard guard{"0123456789abcdef", "127.0.0.1", 7411};
const char* const wrong_host =
    "This is not the address of this studio; open the one that knead studio printed.";
const char* const wrong_origin = "Only the studio's own page may ask for this.";
const char* const no_token =
    "The token is missing or of an earlier studio; open the address that knead studio printed.";

TEST(Guard, TheTokenComesWithTheQueryOrTheCookie) {
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "token=0123456789abcdef"}), std::nullopt);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "a=b&token=0123456789abcdef&c"}),
              std::nullopt);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "x=y; knead-7411=0123456789abcdef", ""}),
              std::nullopt);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", ""}), no_token);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "token="}), no_token);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "token=0123456789abcdeF"}), no_token);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "token=0123456789abcdef0"}), no_token);
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "", "xtoken=0123456789abcdef"}), no_token);
    // The cookie of a studio on another port.
    EXPECT_EQ(refusal(guard, {"127.0.0.1:7411", "", "knead-7412=0123456789abcdef", ""}), no_token);
}

TEST(Guard, OnlyNamesOfThisMachineAreItsOwn) {
    for (const char* host : {"127.0.0.1:7411", "localhost:7411", "[::1]:7411"})
        EXPECT_EQ(refusal(guard, {host, "", "", "token=0123456789abcdef"}), std::nullopt) << host;
    for (const char* host : {"", "127.0.0.1", "127.0.0.1:7412", "evil.example:7411",
                             "localhost.evil.example:7411", "192.168.0.7:7411", "[::2]:7411"})
        EXPECT_EQ(refusal(guard, {host, "", "", "token=0123456789abcdef"}), wrong_host) << host;
}

TEST(Guard, BrowsersLeaveOutThePortOfHttp) {
    const Guard usual{"0123456789abcdef", "127.0.0.1", 80};
    for (const char* host : {"127.0.0.1", "localhost", "[::1]", "127.0.0.1:80", "[::1]:80"})
        EXPECT_TRUE(is_own_host(usual, host)) << host;
    for (const char* host : {"", "evil.example", "127.0.0.1:", "127.0.0.1:7411", "[::2]", "::1"})
        EXPECT_FALSE(is_own_host(usual, host)) << host;
    for (const char* host : {"127.0.0.1", "[::1]"}) EXPECT_FALSE(is_own_host(guard, host)) << host;
}

TEST(Guard, AServerForOtherMachinesIsReachedByNumbersOnly) {
    const Guard open{"0123456789abcdef", "0.0.0.0", 7411};
    for (const char* host : {"192.168.0.7:7411", "[fe80::1]:7411", "localhost:7411"})
        EXPECT_TRUE(is_own_host(open, host)) << host;
    // A name can be made to mean this machine by whoever owns it.
    for (const char* host : {"evil.example:7411", "1.2.3.4.evil.example:7411", "192.168.0.7:80"})
        EXPECT_FALSE(is_own_host(open, host)) << host;
}

TEST(Guard, APageFromElsewhereIsRefused) {
    const auto from = [](const char* origin) {
        return refusal(guard, {"127.0.0.1:7411", origin, "knead-7411=0123456789abcdef", ""});
    };
    EXPECT_EQ(from("http://127.0.0.1:7411"), std::nullopt);
    for (const char* origin : {"null", "http://evil.example", "https://127.0.0.1:7411",
                               "http://127.0.0.1:7412", "http://localhost:7411"})
        EXPECT_EQ(from(origin), wrong_origin) << origin;
}

TEST(Guard, RandomNamesAreLongAndDiffer) {
    std::set<std::string> names;
    for (int i = 0; i < 100; ++i) {
        const std::string name = random_name();
        EXPECT_EQ(name.size(), 32u);
        names.insert(name);
    }
    EXPECT_EQ(names.size(), 100u);
}

} // namespace
} // namespace knead::studio
