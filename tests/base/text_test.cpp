#include "knead/base/text.hpp"

#include <gtest/gtest.h>

#include <array>

namespace knead {
namespace {

constexpr std::array<std::string_view, 4> keys = {"stiffness", "extent", "bulge", "bulge_map"};

TEST(Text, FindsTheNearestWord) {
    EXPECT_EQ(nearest_word("stifness", keys), "stiffness");
    EXPECT_EQ(nearest_word("Bulge", keys), "bulge");
    EXPECT_EQ(nearest_word("bulgemap", keys), "bulge_map");
    EXPECT_EQ(nearest_word("qqqqqqqq", keys), std::nullopt);
    EXPECT_EQ(nearest_word("x", {}), std::nullopt);
}

TEST(Text, ParsesWholeNumbersOnly) {
    EXPECT_EQ(parse_double("1.5e3"), 1500.0);
    EXPECT_EQ(parse_double("+2"), 2.0);
    EXPECT_EQ(parse_double("2x"), std::nullopt);
    EXPECT_EQ(parse_double(""), std::nullopt);
    EXPECT_EQ(parse_double("1,5"), std::nullopt);
    EXPECT_EQ(parse_int("-7"), -7);
    EXPECT_EQ(parse_int("99999999999"), std::nullopt);
}

TEST(Text, ShortestNumbersReadBackExactly) {
    for (const double value : {0.1, 1.0 / 3, -1e-300, 123456789.0, 5e-324, 0.0})
        EXPECT_EQ(parse_double(shortest(value)), value);
    EXPECT_EQ(shortest(0.1), "0.1");
}

TEST(Text, QuotesWhateverComesIn) {
    EXPECT_EQ(single_quoted("a\nb"), "'a?b'");
    EXPECT_EQ(single_quoted("abcdef", 3), "'abc...'");
    EXPECT_EQ(single_quoted("ab\xC3\xA4", 3), "'ab...'");
}

TEST(Text, CountsInWords) {
    EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
    EXPECT_EQ(counted(0, "vertex", "vertices"), "0 vertices");
}

} // namespace
} // namespace knead
