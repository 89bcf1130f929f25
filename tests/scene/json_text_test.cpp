#include "knead/scene/format/json.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

TEST(JsonText, IsOneLineThatReadsBackTheSame) {
    const std::string text =
        R"({"b": [1, 0.1, -1e-300, 12345678901234567], "a": {"x": "q\"\\\u00e9\n", "": null}, "c": [true, false, [], {}]})";
    const std::string written = json_text(parse_json(text, "x"));
    EXPECT_EQ(written.find('\n'), std::string::npos);
    EXPECT_EQ(json_text(parse_json(written, "x")), written);
    // Keys keep their order, and numbers all their digits.
    EXPECT_TRUE(written.starts_with(R"({"b": [1, 0.1, -1e-300, )")) << written;
    const JsonValue back = parse_json(written, "x");
    EXPECT_EQ(*(*back.find("b")->list())[3].number(), 12345678901234567.0);
    EXPECT_EQ(*back.find("a")->find("x")->text(), "q\"\\\u00e9\n");
}

TEST(JsonText, IsIndentedWhereALineWouldBeLong) {
    const std::string text = R"({"short": [1, 2, 3], "long": [")" + std::string(60, 'x') +
                             R"(", ")" + std::string(60, 'y') + R"("]})";
    EXPECT_EQ(indented_json(parse_json(text, "x")),
              "{\n  \"short\": [1, 2, 3],\n  \"long\": [\n    \"" + std::string(60, 'x') +
                  "\",\n    \"" + std::string(60, 'y') + "\"\n  ]\n}\n");
    EXPECT_EQ(indented_json(parse_json("{\"a\": [1, 2]}", "x")), "{\"a\": [1, 2]}\n");
}

} // namespace
} // namespace knead
