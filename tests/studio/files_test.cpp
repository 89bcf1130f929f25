#include <filesystem>
#include <set>

#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {
namespace fs = std::filesystem;

const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                                "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class StudioFiles : public StudioTest {
protected:
    static TestJson with_mesh(const std::string& name) {
        TestJson document = balls();
        document["objects"][0]["mesh"] = name;
        return document;
    }
    std::string on_disk(const std::string& name) { return read_text_file(folder.path() / name); }
};

TEST_F(StudioFiles, AFileThatThePageSentCanBeUsed) {
    PageClient page = connect();
    const TestJson sent = page.send_asset("drop.obj", tetrahedron);
    EXPECT_EQ(sent.at("name"), "drop.obj");
    EXPECT_EQ(sent.at("hash").get<std::string>().size(), 16u);
    const TestJson answer = page.ask({{"do", "document"}, {"document", with_mesh("drop.obj")}});
    EXPECT_EQ(answer.at("objects").at(0).at("vertices"), 4);
    // Nothing on disk but by saving.
    EXPECT_FALSE(fs::exists(folder.path() / "drop.obj"));
    EXPECT_EQ(page.send_asset("drop.obj", "v 0 0 0\nf 1 2 3\n").at("ok"), true);
    EXPECT_EQ(
        page.ask({{"do", "document"}, {"document", with_mesh("drop.obj")}}).at("error"),
        "objects[0].mesh: drop.obj: line 2: the vertex index is 2, but the file has 1 vertices");
}

TEST_F(StudioFiles, WhatThePageSentStandsForTheFileOnDisk) {
    write_file_atomically(folder.path() / "both.obj", tetrahedron);
    PageClient page = connect();
    const auto vertices = [&] {
        return page.ask({{"do", "document"}, {"document", with_mesh("both.obj")}})
            .at("objects")
            .at(0)
            .at("vertices")
            .get<int>();
    };
    EXPECT_EQ(vertices(), 4);
    page.send_asset("both.obj", tetrahedron + "v 2 2 2\nf 1 2 5\n");
    EXPECT_EQ(vertices(), 5);
}

TEST_F(StudioFiles, NamesAndSizesOfFilesAreBounded) {
    settings.limits.assets = 2;
    settings.limits.asset_bytes = 1000;
    settings.limits.all_asset_bytes = 1500;
    PageClient page = connect();
    for (const char* name : {"../up.obj", "a/b.obj", "/etc/x.obj", "x.exe", ".obj", "", ".a.obj",
                             "x.obj.", "sp ace.obj"})
        EXPECT_EQ(page.send_asset(name, "v").at("ok"), false) << name;
    EXPECT_EQ(page.send_asset("x.exe", "v").at("error"),
              "name: found \"x.exe\", expected at most 100 letters, digits, '.', '_' and '-' that "
              "end in .obj, .ply, .stl, .off, .glb, .gltf, .bin or .csv");
    // What is too long is not waited for.
    PageClient other = connect();
    other.send({{"id", 1}, {"do", "asset"}, {"name", "big.obj"}, {"bytes", 1001}});
    other.send_binary(std::string(1001, 'x'));
    EXPECT_EQ(TestJson::parse(other.next().bytes).at("error"),
              "bytes: found 1001, expected at most 1000");
    EXPECT_EQ(other.wait_for_close(), 1009);
    EXPECT_TRUE(page.send_asset("a.obj", std::string(900, 'x')).at("ok"));
    EXPECT_EQ(page.send_asset("b.obj", std::string(900, 'x')).at("error"),
              "bytes: found 1800 bytes in all files, expected at most 1500");
    EXPECT_TRUE(page.send_asset("a.obj", std::string(800, 'x')).at("ok"));
    EXPECT_TRUE(page.send_asset("b.obj", "x").at("ok"));
    EXPECT_EQ(page.send_asset("c.obj", "x").at("error"), "name: found 3 files, expected at most 2");
    page.send({{"id", 900}, {"do", "asset"}, {"name", "a.obj"}, {"bytes", 10}});
    page.send_binary("short");
    EXPECT_EQ(TestJson::parse(page.next().bytes).at("error"),
              "bytes: found 5, expected 10 as announced");
}

TEST_F(StudioFiles, ASceneIsSavedWithItsFilesAndOpenedAgain) {
    PageClient page = connect();
    page.send_asset("drop.obj", tetrahedron);
    const TestJson saved = page.ask({{"do", "save"},
                                     {"path", "new/place.json"},
                                     {"document", with_mesh("drop.obj")},
                                     {"assets", {"drop.obj"}},
                                     {"revision", nullptr}});
    ASSERT_TRUE(saved.at("ok")) << saved;
    EXPECT_EQ(saved.at("path"), "new/place.json");
    EXPECT_EQ(on_disk("new/drop.obj"), tetrahedron);
    EXPECT_EQ(TestJson::parse(on_disk("new/place.json")), with_mesh("drop.obj"));
    const TestJson opened = page.ask({{"do", "open"}, {"path", "new/place.json"}});
    EXPECT_EQ(opened.at("document"), with_mesh("drop.obj"));
    EXPECT_EQ(opened.at("revision"), saved.at("revision"));
    EXPECT_EQ(page.ask({{"do", "scenes"}}).at("scenes"),
              TestJson::parse(R"(["balls.json", "new/place.json"])"));
    // Another page finds the mesh beside the scene.
    PageClient other = connect();
    EXPECT_TRUE(other
                    .ask({{"do", "document"},
                          {"document", opened.at("document")},
                          {"path", "new/place.json"}})
                    .at("ok"));
}

TEST_F(StudioFiles, ASceneDoesNotReplaceWhatItReads) {
    PageClient page = connect();
    write_file_atomically(folder.path() / "values.json", "1\n2\n");
    TestJson document = balls();
    document["objects"][0]["attributes"] = {{"firm", "values.json"}};
    TestJson save = {
        {"do", "save"}, {"path", "values.json"}, {"document", document}, {"overwrite", true}};
    EXPECT_EQ(page.ask(save).at("error"),
              "values.json: writing this would replace a file that is read by object 'left' "
              "(values.json:5: objects[0].attributes.firm); choose another name");
    EXPECT_EQ(on_disk("values.json"), "1\n2\n");
    save["path"] = "balls.json";
    EXPECT_TRUE(page.ask(save).at("ok"));
}

TEST_F(StudioFiles, AFileWhoseNameIsNoUtf8IsWatchedAsWell) {
    settings.scene = folder.path() / "b\xE4lle.json";
    write_file_atomically(*settings.scene, balls().dump());
    PageClient page = connect();
    ASSERT_TRUE(page.ask({{"do", "hello"}}).at("ok"));
    TestJson changed = balls();
    changed["fps"] = 30;
    write_file_atomically(*settings.scene, changed.dump());
    EXPECT_EQ(page.wait_for_event("file_changed").at("path"), "b\uFFFDlle.json");
}

TEST_F(StudioFiles, WhatSomebodyElseWroteIsNotOverwritten) {
    PageClient page = connect(), other = connect();
    const TestJson revision = page.ask({{"do", "hello"}}).at("revision");
    other.ask({{"do", "hello"}});
    TestJson save = {{"do", "save"},
                     {"path", "balls.json"},
                     {"document", balls()},
                     {"assets", TestJson::array()},
                     {"revision", revision}};
    save["document"]["fps"] = 30;
    const TestJson saved = page.ask(save);
    ASSERT_TRUE(saved.at("ok")) << saved;
    // The other page hears of it.
    const TestJson event = other.wait_for_event("file_changed");
    EXPECT_EQ(event.at("path"), "balls.json");
    EXPECT_EQ(event.at("revision"), saved.at("revision"));
    const TestJson refused = other.ask(save);
    EXPECT_EQ(refused.at("ok"), false);
    EXPECT_EQ(refused.at("conflict"), true);
    EXPECT_EQ(refused.at("error"),
              "balls.json: the file was changed by somebody else since it was opened");
    save["overwrite"] = true;
    EXPECT_TRUE(other.ask(save).at("ok"));
    // Files that come along are looked at as well, before anything is written.
    write_file_atomically(folder.path() / "drop.obj", "# mine\n");
    page.send_asset("drop.obj", tetrahedron);
    TestJson with_file = {{"do", "save"},
                          {"path", "next.json"},
                          {"document", balls()},
                          {"assets", {"drop.obj"}},
                          {"revision", nullptr}};
    const TestJson taken = page.ask(with_file);
    EXPECT_EQ(taken.at("conflict"), true);
    EXPECT_EQ(taken.at("error"), "drop.obj: another file of that name is there already");
    EXPECT_FALSE(fs::exists(folder.path() / "next.json"));
    EXPECT_EQ(on_disk("drop.obj"), "# mine\n");
    // What the page has saved itself it may save again, as long as nobody else touched it.
    with_file["overwrite"] = true;
    const TestJson first = page.ask(with_file);
    ASSERT_TRUE(first.at("ok")) << first;
    with_file.erase("overwrite");
    with_file["revision"] = first.at("revision");
    page.send_asset("drop.obj", std::string("# again\n") + tetrahedron);
    EXPECT_EQ(page.ask(with_file).at("conflict"), true);
    with_file["saved_assets"] = first.at("assets");
    const TestJson second = page.ask(with_file);
    ASSERT_TRUE(second.at("ok")) << second;
    EXPECT_EQ(on_disk("drop.obj"), std::string("# again\n") + tetrahedron);
    EXPECT_NE(second.at("assets"), first.at("assets"));
    with_file["assets"] = {"other.obj"};
    EXPECT_EQ(page.ask(with_file).at("error"),
              "assets: found \"other.obj\", which the page has not sent");
}

TEST_F(StudioFiles, PathsStayBelowTheFolder) {
    const OwnFolder elsewhere;
    write_file_atomically(elsewhere.path() / "secret.json", balls().dump());
    write_file_atomically(elsewhere.path() / "secret.obj", tetrahedron);
    fs::create_directory_symlink(elsewhere.path(), folder.path() / "link");
    fs::create_symlink(elsewhere.path() / "secret.json", folder.path() / "file.json");
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    const std::string absolute = (elsewhere.path() / "secret.json").string();
    for (const std::string& path :
         {std::string("../x.json"), absolute, std::string("link/secret.json"),
          std::string("file.json"), std::string("a/../../x.json"), std::string("link/new.json")}) {
        const std::string complaint =
            fmt::format("path: found \"{}\", expected a path below the scene's folder", path);
        const auto is_refused = [&](TestJson request) {
            request["path"] = path;
            const TestJson answer = page.ask(request);
            EXPECT_EQ(answer.at("ok"), false) << path;
            // Longer ones are cut.
            if (path.size() < 58) {
                EXPECT_EQ(answer.at("error"), complaint);
            }
        };
        is_refused({{"do", "open"}});
        is_refused({{"do", "save"}, {"document", balls()}, {"overwrite", true}});
        is_refused({{"do", "document"}, {"document", balls()}});
        is_refused({{"do", "export"}, {"format", "obj"}, {"to", "folder"}});
    }
    EXPECT_EQ(on_disk("balls.json"), balls().dump(2));
    EXPECT_EQ(TestJson::parse(read_text_file(elsewhere.path() / "secret.json")), balls());
    EXPECT_EQ(page.ask({{"do", "scenes"}}).at("scenes"), TestJson::parse(R"(["balls.json"])"));
    for (const char* mesh : {"../secret.obj", "link/secret.obj"})
        EXPECT_EQ(page.ask({{"do", "document"}, {"document", with_mesh(mesh)}}).at("path"),
                  "objects[0].mesh");
}

TEST_F(StudioFiles, OnlyScenesAreSaved) {
    PageClient page = connect();
    TestJson save = {{"do", "save"}, {"path", "balls.txt"}, {"document", balls()}};
    EXPECT_EQ(page.ask(save).at("error"),
              "path: found \"balls.txt\", expected a name that ends in .json");
    save["path"] = "x.json";
    save["document"]["objects"][0]["bulg"] = 1;
    const TestJson answer = page.ask(save);
    EXPECT_EQ(answer.at("error"), "objects[0].bulg: unknown key, did you mean \"bulge\"?");
    EXPECT_EQ(answer.at("path"), "objects[0].bulg");
    EXPECT_FALSE(fs::exists(folder.path() / "x.json"));
    EXPECT_EQ(page.ask({{"do", "open"}, {"path", "x.json"}}).at("error"), "x.json: no such file");
}

TEST_F(StudioFiles, WhatPagesSentGoesWithThem) {
    const auto scratch_folders = [] {
        std::set<fs::path> folders;
        for (const auto& entry : fs::directory_iterator(fs::temp_directory_path()))
            if (entry.path().filename().string().starts_with("knead-studio-"))
                folders.insert(entry.path());
        return folders;
    };
    const auto before = scratch_folders();
    {
        PageClient page = connect();
        page.send_asset("goes-with-it.obj", tetrahedron);
        const auto during = scratch_folders();
        EXPECT_NE(during, before);
    }
    stop();
    for (const fs::path& left : scratch_folders()) {
        if (before.contains(left)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(left))
            EXPECT_NE(entry.path().filename(), "goes-with-it.obj");
    }
}

} // namespace
} // namespace knead::studio
