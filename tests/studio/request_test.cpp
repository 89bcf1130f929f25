#include <gtest/gtest.h>

#include "request.hpp"

namespace knead::studio {
namespace {

std::string refused(const std::string& text) {
    try {
        parse_request(text);
    } catch (const BadMessage& bad) {
        return fmt::format("{} {}: {}", static_cast<int>(bad.code), bad.id ? int(*bad.id) : -1,
                           bad.what());
    }
    return "taken";
}

TEST(StudioRequest, HasAnIdAndSomethingToDo) {
    const Request request = parse_request(R"({"id": 7, "do": "solve", "frame": 3})");
    EXPECT_EQ(request.id, 7u);
    EXPECT_EQ(request.action, "solve");
    EXPECT_EQ(RequestReader(request).find("nothing"), std::nullopt);
    EXPECT_EQ(refused(R"({"id": 7})"), "1008 7: expected what to do");
    for (const char* id :
         {R"({"do": "a"})", R"({"id": -1, "do": "a"})", R"({"id": 0.5, "do": "a"})",
          R"({"id": 4294967296, "do": "a"})", R"([1, 2])", R"("id")"})
        EXPECT_EQ(refused(id), "1008 -1: expected an object with an id, a whole number from 0 on");
}

TEST(StudioRequest, WhatIsNotJsonIsNotUnderstood) {
    EXPECT_EQ(refused("").substr(0, 8), "1007 -1:");
    EXPECT_EQ(refused("{\"id\": 1,").substr(0, 8), "1007 -1:");
    EXPECT_EQ(refused(std::string(100, '[')), "1007 -1: message:1: nested deeper than 64 levels");
}

TEST(StudioRequest, AComplaintBeginsWithTheKeyThatItIsAbout) {
    const auto about = [](const char* what) {
        const Complaint c = complaint(what, "/a/b.json");
        return c.path + " | " + c.sentence;
    };
    EXPECT_EQ(about("/a/b.json:1: objects[0].stiffness: found -1"),
              "objects[0].stiffness | objects[0].stiffness: found -1");
    EXPECT_EQ(about("/a/b.json:12: objects[0].attributes[\"my: map\"].strokes[1]: no"),
              "objects[0].attributes[\"my: map\"].strokes[1] | "
              "objects[0].attributes[\"my: map\"].strokes[1]: no");
    EXPECT_EQ(about("/a/b.json:1: not JSON: oops"), " | not JSON: oops");
    EXPECT_EQ(about("/a/b.json: frame 3: no"), " | /a/b.json: frame 3: no");
    EXPECT_EQ(about("/a/c.json:1: objects: no"), " | /a/c.json:1: objects: no");
}

} // namespace
} // namespace knead::studio
