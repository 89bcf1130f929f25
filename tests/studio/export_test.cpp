#include "knead/io/mesh_file.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <boost/crc.hpp>
#include <cstring>
#include <filesystem>

#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {
namespace fs = std::filesystem;

class StudioExport : public StudioTest {
protected:
    static std::uint32_t number(const std::string& bytes, std::size_t at, int size) {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + at, static_cast<std::size_t>(size));
        return value;
    }
    // Name -> content, as the archive's directory at its end lists them.
    static std::map<std::string, std::string> unzip(const std::string& archive) {
        std::map<std::string, std::string> files;
        const std::size_t end = archive.size() - 22;
        EXPECT_EQ(number(archive, end, 4), 0x06054B50u);
        std::size_t at = number(archive, end + 16, 4);
        for (std::uint32_t i = 0; i < number(archive, end + 10, 2); ++i) {
            EXPECT_EQ(number(archive, at, 4), 0x02014B50u);
            const std::uint32_t crc = number(archive, at + 16, 4),
                                size = number(archive, at + 20, 4);
            const std::uint32_t name_size = number(archive, at + 28, 2);
            const std::size_t local = number(archive, at + 42, 4);
            const std::string name = archive.substr(at + 46, name_size);
            EXPECT_EQ(number(archive, local, 4), 0x04034B50u);
            EXPECT_EQ(archive.substr(local + 30, name_size), name);
            files[name] = archive.substr(local + 30 + name_size, size);
            boost::crc_32_type sum;
            sum.process_bytes(files[name].data(), size);
            EXPECT_EQ(sum.checksum(), crc);
            at += 46 + name_size;
        }
        return files;
    }
    HttpReply download(const TestJson& answer) {
        return fetch(port(), answer.at("url"),
                     {{"Cookie", fmt::format("knead-{}={}", port(), token())}});
    }
    // Every format of the same frames, as `knead run` writes them.
    fs::path run(const std::string& format) {
        RunSettings run_settings;
        run_settings.out = folder.path() / fmt::format("run-{}", format);
        run_settings.format = *output_format(format);
        run_settings.frames = FrameSequence{1, 3, 1};
        run_scene(load_scene(parse_scene(balls().dump(), folder.path() / "balls.json")),
                  run_settings);
        return run_settings.out;
    }
};

TEST_F(StudioExport, WritesWhatTheProgramWritesInEveryFormat) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    for (const std::string format : {"obj", "ply", "pc2", "glb", "usda"}) {
        const TestJson answer = page.ask({{"do", "export"},
                                          {"frames", {1, 3}},
                                          {"step", 1},
                                          {"format", format},
                                          {"to", "folder"},
                                          {"path", fmt::format("out/{}", format)}});
        ASSERT_TRUE(answer.at("ok")) << answer;
        EXPECT_EQ(answer.at("path"), fmt::format("out/{}", format));
        const fs::path expected = run(format);
        for (const TestJson& file : answer.at("files")) {
            if (file == "report.json") continue;
            EXPECT_EQ(read_text_file(folder.path() / "out" / format / file.get<std::string>()),
                      read_text_file(expected / file.get<std::string>()))
                << file;
        }
        EXPECT_EQ(answer.at("files").size(), format == "obj" || format == "ply" ? 7u : 3u);
    }
}

TEST_F(StudioExport, TellsHowFarItIs) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    page.ask({{"do", "export"}, {"format", "obj"}, {"to", "folder"}, {"path", "out"}});
    double last = 0;
    ASSERT_FALSE(page.heard.empty());
    for (const TestJson& message : page.heard) {
        if (!message.contains("progress")) continue;
        EXPECT_EQ(message.at("id"), page.last_id);
        EXPECT_GT(message.at("progress"), last);
        last = message.at("progress");
    }
    EXPECT_EQ(last, 1);
    EXPECT_EQ(page.heard.back().at("frame"), 10);
}

TEST_F(StudioExport, SeveralFilesAreDownloadedAsOneArchive) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    const TestJson answer =
        page.ask({{"do", "export"}, {"frames", {1, 3}}, {"format", "obj"}, {"to", "download"}});
    ASSERT_TRUE(answer.at("ok")) << answer;
    const HttpReply reply = download(answer);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.headers.at("Content-Type"), "application/zip");
    EXPECT_EQ(reply.headers.at("Content-Disposition"), "attachment; filename=\"balls.zip\"");
    const auto files = unzip(reply.body);
    EXPECT_EQ(files.size(), 7u);
    const fs::path expected = run("obj");
    EXPECT_EQ(files.at("left.0003.obj"), read_text_file(expected / "left.0003.obj"));
    // The address is all that is needed, and it cannot be had without the token.
    EXPECT_EQ(fetch(port(), answer.at("url")).status, 403);
}

TEST_F(StudioExport, OneFileIsDownloadedAsItIs) {
    PageClient page = connect();
    TestJson document = balls();
    document["objects"].erase(1);
    page.ask({{"do", "document"}, {"document", document}});
    const TestJson answer =
        page.ask({{"do", "export"}, {"frames", {1, 1}}, {"format", "ply"}, {"to", "download"}});
    const HttpReply reply = download(answer);
    EXPECT_EQ(reply.headers.at("Content-Disposition"), "attachment; filename=\"left.0001.ply\"");
    EXPECT_EQ(reply.body.substr(0, 4), "ply\n");
    EXPECT_EQ(answer.at("files"), TestJson::parse(R"(["left.0001.ply"])"));
}

TEST_F(StudioExport, OldDownloadsMakeRoom) {
    settings.limits.downloads = 2;
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    std::vector<TestJson> answers;
    for (int i = 0; i < 3; ++i)
        answers.push_back(page.ask(
            {{"do", "export"}, {"frames", {1, 1}}, {"format", "obj"}, {"to", "download"}}));
    EXPECT_EQ(download(answers[0]).status, 404);
    EXPECT_EQ(download(answers[1]).status, 200);
    EXPECT_EQ(download(answers[2]).status, 200);
}

TEST_F(StudioExport, CanBeCancelledWhileThePageGoesOn) {
    PageClient page = connect();
    TestJson document = balls();
    document["frames"] = {1, 100000};
    page.ask({{"do", "document"}, {"document", document}});
    page.send(
        {{"id", 500}, {"do", "export"}, {"format", "obj"}, {"to", "folder"}, {"path", "out"}});
    ASSERT_TRUE(comes_true([&] { return fs::exists(folder.path() / "out/left.0001.obj"); }));
    EXPECT_EQ(page.ask_for_numbers({{"do", "solve"}, {"frame", 10}}).kind, 1);
    EXPECT_EQ(page.ask({{"do", "export"}, {"format", "obj"}, {"to", "download"}}).at("error"),
              "an export is under way already, expected it to end or to be cancelled");
    page.heard.clear();
    EXPECT_TRUE(page.ask({{"do", "cancel"}, {"of", 500}}).at("ok"));
    TestJson answer;
    const auto is_answer = [](const TestJson& json) {
        return json.value("id", 0) == 500 && json.contains("ok");
    };
    for (const TestJson& heard : page.heard)
        if (is_answer(heard)) answer = heard;
    while (answer.is_null()) {
        const PageClient::Message message = page.next();
        ASSERT_EQ(message.kind, PageClient::Message::Kind::text);
        const TestJson json = TestJson::parse(message.bytes);
        if (is_answer(json)) answer = json;
    }
    EXPECT_EQ(answer.at("ok"), false);
    EXPECT_EQ(answer.at("cancelled"), true);
    EXPECT_FALSE(answer.at("error").get<std::string>().empty());
    for (const auto& entry : fs::directory_iterator(folder.path() / "out"))
        if (entry.path().extension() == ".obj") {
            EXPECT_EQ(read_mesh(entry.path()).mesh.vertex_count(), 642);
        } else {
            EXPECT_EQ(entry.path().filename(), "report.json");
        }
    EXPECT_EQ(page.ask({{"do", "cancel"}, {"of", 500}}).at("error"),
              "of: found 500, expected the id of an export that is under way");
}

TEST_F(StudioExport, WhatTheSceneReadsIsNotReplaced) {
    PageClient page = connect();
    const std::string original = read_text_file(run("glb") / "left.glb");
    write_file_atomically(folder.path() / "left.glb", original);
    TestJson document = balls();
    document["objects"][0]["mesh"] = "left.glb";
    ASSERT_TRUE(page.ask({{"do", "document"}, {"document", document}}).at("ok"));
    TestJson order = {
        {"do", "export"}, {"frames", {1, 2}}, {"format", "glb"}, {"to", "folder"}, {"path", "."}};
    EXPECT_EQ(page.ask(order).at("error"),
              "left.glb: writing this would replace a file that is read by object 'left' "
              "(balls.json:1: objects[0].mesh); choose another folder");
    EXPECT_EQ(read_text_file(folder.path() / "left.glb"), original);
    EXPECT_FALSE(fs::exists(folder.path() / "right.glb"));
    order["path"] = "out";
    EXPECT_TRUE(page.ask(order).at("ok"));
    // What was dropped on the page will be read from there when the scene is saved.
    page.send_asset("right.glb", original);
    document = balls();
    document["objects"][1]["mesh"] = "right.glb";
    ASSERT_TRUE(page.ask({{"do", "document"}, {"document", document}}).at("ok"));
    order["path"] = ".";
    EXPECT_EQ(page.ask(order).at("error"),
              "right.glb: writing this would replace a file that is read by object 'right' "
              "(balls.json:1: objects[1].mesh); choose another folder");
}

TEST_F(StudioExport, WhatCannotBeExported) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    const auto complaint = [&](const char* order) {
        TestJson request = TestJson::parse(order);
        request["do"] = "export";
        return page.ask(request).at("error").get<std::string>();
    };
    EXPECT_EQ(complaint(R"({"format": "fbx", "to": "download"})"),
              "format: found \"fbx\", expected \"obj\", \"ply\", \"pc2\", \"glb\" or \"usda\"");
    EXPECT_EQ(complaint(R"({"format": "obj", "to": "mail"})"),
              "to: found \"mail\", expected \"folder\" or \"download\"");
    EXPECT_EQ(complaint(R"({"format": "obj", "to": "folder"})"),
              "path: missing, expected a folder");
    EXPECT_EQ(complaint(R"({"format": "obj", "to": "download", "frames": [5, 2]})"),
              "frames: the range 5:2 runs backwards");
    EXPECT_EQ(complaint(R"({"format": "obj", "to": "download", "step": 0})"),
              "step: found 0, expected a positive number");
}

} // namespace
} // namespace knead::studio
