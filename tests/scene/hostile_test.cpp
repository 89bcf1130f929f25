// Scene files made to break the reader: an error in words, quickly, and no crash.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "own_folder.hpp"
#include "processor_time.hpp"
#include "scene/scene_text.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

class Hostile : public testing::Test {
protected:
    void TearDown() override { EXPECT_LT(time_.milliseconds(), 1000 * sanitizer_slowdown); }

private:
    const ProcessorTime time_{};
};

std::string raw_error(std::string_view text) {
    return input_error([&] { parse_scene(text, "x.json"); });
}

TEST_F(Hostile, NestedTenThousandDeep) {
    EXPECT_EQ(raw_error(std::string(10000, '[')), "x.json:1: nested deeper than 64 levels");
    std::string objects;
    for (int i = 0; i < 10000; ++i) objects += "{\n\"a\":";
    EXPECT_EQ(raw_error(objects), "x.json:65: nested deeper than 64 levels");
}

TEST_F(Hostile, NotJson) {
    EXPECT_EQ(raw_error(""), "x.json: the file is empty, expected a JSON object");
    EXPECT_EQ(raw_error("\n\n"),
              "x.json:2: not JSON: unexpected end of input; expected '[', '{', or "
              "a literal");
    EXPECT_EQ(raw_error("{\"knead\": 1,\n\"fps\": }"),
              "x.json:2: not JSON: unexpected '}'; expected '[', '{', or a literal");
    EXPECT_EQ(raw_error("{\"knead\": 1,\n\"objects\": ["),
              "x.json:2: not JSON: unexpected end of input; expected '[', '{', or a literal");
    EXPECT_EQ(raw_error("{\"knead\": 1} x"), "x.json:1: not JSON: invalid literal");
    EXPECT_EQ(raw_error("{\"fps\": NaN}"), "x.json:1: not JSON: invalid literal");
    EXPECT_EQ(raw_error("{\"fps\": -Infinity}"),
              "x.json:1: not JSON: invalid number; expected digit after '-'");
    EXPECT_EQ(raw_error("{\n\"fps\":\n1e999}"),
              "x.json:3: a number is too large, expected at most 1e100");
    EXPECT_EQ(raw_error("{\"fps\": -1e101}"),
              "x.json:1: a number is too large, expected at most 1e100");
    EXPECT_EQ(raw_error("{\"name\": \"\xFF\xFE\"}"),
              "x.json:1: not JSON: invalid string: ill-formed UTF-8 byte");
    EXPECT_EQ(
        raw_error(std::string("{\"a\0b\": 1}", 10)),
        "x.json:1: not JSON: invalid string: control character U+0000 (NUL) must be escaped to "
        "\\u0000");
}

TEST_F(Hostile, RepeatedKeys) {
    EXPECT_EQ(raw_error("{\"knead\": 1,\n\"fps\": 24,\n\"fps\": 25}"),
              "x.json:3: the key \"fps\" appears twice");
    std::string many = "{";
    for (int i = 0; i < 50000; ++i) many += fmt::format("\"k{}\": 1,\n", i);
    EXPECT_EQ(raw_error(many + "\"k7\": 1}"), "x.json:50001: the key \"k7\" appears twice");
}

TEST_F(Hostile, TooManyValues) {
    std::string many = "[1";
    for (int i = 0; i < 1'000'000; ++i) many += ",1";
    EXPECT_EQ(raw_error(many + "]"),
              "x.json:1: more than 1000000 values, expected a smaller scene");
}

TEST_F(Hostile, LinesAreCountedToTheValueItself) {
    // A number ends only where the next character is read, here a line break.
    EXPECT_EQ(raw_error("{\"knead\":\n2\n\n}"),
              "x.json:2: knead: found 2, expected 1, the version of the format");
    EXPECT_EQ(raw_error("{\"knead\":\r\n\"one\"\r\n\r\n}"),
              "x.json:2: knead: found \"one\", expected 1, the version of the format");
    EXPECT_EQ(raw_error("{\"knead\":\n[\n]\n}"),
              "x.json:2: knead: found an empty list, expected 1, the version of the format");
}

TEST_F(Hostile, LongAndStrangeTextIsCut) {
    EXPECT_EQ(raw_error(fmt::format("{{\"knead\": \"{}\"}}", std::string(100000, 'x'))),
              fmt::format("x.json:1: knead: found \"{}...\", expected 1, the version of the format",
                          std::string(60, 'x')));
    EXPECT_EQ(raw_error("{\"a\\nb\": 1}").substr(0, 35), "x.json:1: [\"a?b\"]: unknown key, exp");
    const std::string long_key = raw_error(fmt::format("{{\"{}\": 1}}", std::string(100000, 'k')));
    EXPECT_LT(long_key.size(), 300u);
}

TEST_F(Hostile, APathThatLeavesTheFolder) {
    const std::string expected = ", which leaves the scene's folder; expected a path below it or "
                                 "below a folder given by --assets";
    for (const std::string path :
         {"../../etc/passwd", "/etc/passwd", "a/../../b.obj", "..", "x/../../../etc/./passwd"})
        EXPECT_EQ(scene_error(fmt::format("{{'knead': 1, 'objects': [\n"
                                          "{{'name': 'a', 'mesh':\n'{}'}}]}}",
                                          path)),
                  fmt::format("ball.json:3: objects[0].mesh: found \"{}\"{}", path, expected));
    EXPECT_EQ(ball_error("'proxy': '../p.obj'"), ".proxy: found \"../p.obj\"" + expected);
    EXPECT_EQ(ball_error("'attributes': {'w': '../w.csv'}"),
              ".attributes.w: found \"../w.csv\"" + expected);
    EXPECT_EQ(ball_error("'skin': {'skeleton': '/s.glb'}"),
              ".skin.skeleton: found \"/s.glb\"" + expected);
    EXPECT_EQ(ball_error("'attributes': {'w': 'a\\u0000b'}"),
              ".attributes.w: found \"a?b\", expected the path of a file");
    EXPECT_EQ(ball_error("'proxy': 'a/../b.obj'"), "no error");
}

TEST_F(Hostile, ALinkThatLeavesTheFolder) {
    const OwnFolder own;
    const fs::path& folder = own.path();
    fs::create_directories(folder / "scene");
    fs::create_directories(folder / "assets");
    std::ofstream(folder / "assets" / "b.obj") << "v 0 0 0\n";
    fs::create_symlink(folder / "assets" / "b.obj", folder / "scene" / "link.obj");
    fs::create_symlink("loop.obj", folder / "scene" / "loop.obj");
    const auto error = [&](const std::string& path, const SceneOptions& options) {
        return input_error([&] {
            parse_scene(json(fmt::format(
                            "{{'knead': 1, 'objects': [{{'name': 'a', 'mesh': '{}'}}]}}", path)),
                        folder / "scene" / "s.json", options);
        });
    };
    const std::string begin = (folder / "scene" / "s.json").string() + ":1: objects[0].mesh: ";
    EXPECT_EQ(error("link.obj", {}),
              begin +
                  "found \"link.obj\", which leaves the scene's folder; expected a path below it "
                  "or below a folder given by --assets");
    EXPECT_EQ(error("link.obj", {{folder / "assets"}, {}}), "no error");
    EXPECT_EQ(error("../assets/b.obj", {{folder / "assets"}, {}}), "no error");
    EXPECT_EQ(error("b.obj", {{folder / "assets"}, {}}), "no error");
    EXPECT_EQ(error("loop.obj", {}), begin +
                                         "the path \"loop.obj\" cannot be used: Too many levels "
                                         "of symbolic links");
    EXPECT_EQ(error("b.obj", {{folder / "none"}, {}}),
              "--assets " + (folder / "none").string() + ": no such folder");
}

TEST_F(Hostile, ACyclicSkeleton) {
    EXPECT_EQ(
        ball_error("'skin': {'skeleton': [{'name': 'a', 'parent': 'c', 'position': [0, 0, 0]}, "
                   "{'name': 'b', 'parent': 'a', 'position': [0, 0, 0]}, "
                   "{'name': 'c', 'parent': 'b', 'position': [0, 0, 0]}]}"),
        ".skin.skeleton[0].parent: the joint \"a\" is its own ancestor");
    EXPECT_EQ(ball_error("'skin': {'skeleton': [{'name': 'a', 'parent': 'a', 'position': [0, 0, "
                         "0]}]}"),
              ".skin.skeleton[0].parent: the joint \"a\" is its own ancestor");
}

TEST_F(Hostile, ManyKeysAreStillFast) {
    std::string keys = "'stiffness': {'keys': [[0, 1]";
    for (int i = 1; i < 100'000; ++i) keys += fmt::format(",[{},1]", i);
    EXPECT_EQ(ball(keys + "]}").stiffness.value.frames.size(), 100'000u);
}

TEST_F(Hostile, FilesThatAreNoScene) {
    EXPECT_EQ(input_error([] { read_scene("/nonexistent/x.json"); }),
              "/nonexistent/x.json: no such file");
    EXPECT_EQ(input_error([] { read_scene("/"); }),
              "/: is a folder, expected a scene file (.json)");
    const OwnFolder folder;
    const fs::path huge = folder.path() / "huge.json";
    std::ofstream(huge) << "{";
    fs::resize_file(huge, (64u << 20) + 1);
    EXPECT_EQ(input_error([&] { read_scene(huge); }),
              huge.string() + ": the file has 67108865 bytes, expected at most 67108864");
}

} // namespace
} // namespace knead
