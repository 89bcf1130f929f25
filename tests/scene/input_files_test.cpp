// Runs never write over what their scene reads.
#include "knead/base/file.hpp"
#include "knead/scene/load/input_files.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "own_folder.hpp"
#include "scene/scene_text.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

class InputFilesOf : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();
    const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    void write(const std::string& name, const std::string& text) {
        write_file_atomically(folder / name, text);
    }
    Scene scene(const std::string& object, const SceneOptions& options = {}) {
        write("scene.json", json("{'knead': 1, 'objects': [" + object + "]}"));
        return read_scene(folder / "scene.json", options);
    }
    std::string refusal(const Scene& scene, const fs::path& out, const std::string& name) {
        return input_error(
            [&] { InputFiles(scene).expect_not_written(out, std::array{name}, "choose another"); });
    }
    std::string words(const fs::path& path, const std::string& use) {
        return path.string() + ": writing this would replace a file that is read " + use +
               "; choose another";
    }
    std::string by_ball(const std::string& key) {
        return "by object 'ball' (" + (folder / "scene.json").string() + ":1: objects[0]." + key +
               ")";
    }
};

TEST_F(InputFilesOf, EveryKindOfFileIsKept) {
    for (const char* name : {"ball.obj", "proxy.obj", "skeleton.glb"}) write(name, triangle);
    for (const char* name : {"heat.csv", "base.csv", "weights.csv"}) write(name, "1\n1\n1\n");
    const Scene all = scene("{'name': 'ball', 'mesh': 'ball.obj', 'proxy': {'file': 'proxy.obj'}, "
                            "'attributes': {'heat': 'heat.csv', 'painted': {'base': 'base.csv', "
                            "'strokes': []}}, 'skin': {'skeleton': [{'name': 'root', 'position': "
                            "[0, 0, 0]}], 'weights': 'weights.csv'}}");
    EXPECT_EQ(refusal(all, folder, "scene.json"),
              words(folder / "scene.json", "as the scene itself"));
    EXPECT_EQ(refusal(all, folder, "ball.obj"), words(folder / "ball.obj", by_ball("mesh")));
    EXPECT_EQ(refusal(all, folder, "proxy.obj"),
              words(folder / "proxy.obj", by_ball("proxy.file")));
    EXPECT_EQ(refusal(all, folder, "heat.csv"),
              words(folder / "heat.csv", by_ball("attributes.heat")));
    EXPECT_EQ(refusal(all, folder, "base.csv"),
              words(folder / "base.csv", by_ball("attributes.painted.base")));
    EXPECT_EQ(refusal(all, folder, "weights.csv"),
              words(folder / "weights.csv", by_ball("skin.weights")));
    EXPECT_EQ(refusal(all, folder, "other.obj"), "no error");
    EXPECT_EQ(refusal(all, folder / "out", "ball.obj"), "no error");
}

TEST_F(InputFilesOf, AFileIsKnownByWhatItIs) {
    write("ball.obj", triangle);
    fs::create_directories(folder / "out" / "deeper");
    fs::create_directory_symlink(folder, folder / "out" / "up");
    fs::create_symlink("../ball.obj", folder / "out" / "linked.obj");
    fs::create_hard_link(folder / "ball.obj", folder / "out" / "same.obj");
    const Scene ball = scene("{'name': 'ball', 'mesh': 'ball.obj'}");
    for (const auto& [out, name] : {std::pair<std::string, std::string>{"out/../.", "ball.obj"},
                                    {"out/up", "ball.obj"},
                                    {"out/up/out/deeper/../..", "ball.obj"},
                                    {"out", "linked.obj"},
                                    {"out", "same.obj"}})
        EXPECT_EQ(refusal(ball, folder / out, name), words(folder / out / name, by_ball("mesh")));
    // The scene names a link, and the output the file behind it.
    fs::create_symlink("ball.obj", folder / "link.obj");
    EXPECT_EQ(refusal(scene("{'name': 'ball', 'mesh': 'link.obj'}"), folder, "ball.obj"),
              words(folder / "ball.obj", by_ball("mesh")));
}

TEST_F(InputFilesOf, NamesThatTheNextRunWouldReadAreTaken) {
    write("hand.0001.obj", triangle);
    const Scene hand = scene("{'name': 'ball', 'mesh': 'hand.####.obj'}");
    for (const char* name : {"hand.0001.obj", "hand.0002.obj", "hand.12345.obj"})
        EXPECT_EQ(refusal(hand, folder, name), words(folder / name, by_ball("mesh")));
    for (const char* name : {"hand.001.obj", "hand.0001.ply", "hand.000x.obj", "hand.-0001.obj"})
        EXPECT_EQ(refusal(hand, folder, name), "no error");
    fs::create_hard_link(folder / "hand.0001.obj", folder / "same.obj");
    EXPECT_EQ(refusal(hand, folder, "same.obj"), words(folder / "same.obj", by_ball("mesh")));

    OwnFolder assets;
    write_file_atomically(assets.path() / "ball.obj", triangle);
    const Scene ball = scene("{'name': 'ball', 'mesh': 'ball.obj'}", {{assets.path()}});
    EXPECT_EQ(refusal(ball, assets.path(), "ball.obj"),
              words(assets.path() / "ball.obj", by_ball("mesh")));
    EXPECT_EQ(refusal(ball, folder, "ball.obj"), words(folder / "ball.obj", by_ball("mesh")));
}

TEST_F(InputFilesOf, ASceneMayBeCalledByItsBareName) {
    OwnFolder assets;
    write_file_atomically(assets.path() / "hand.0001.obj", triangle);
    scene("{'name': 'ball', 'mesh': 'hand.####.obj'}", {{assets.path()}});
    const fs::path before = fs::current_path();
    fs::current_path(folder);
    const Scene hand = read_scene("scene.json", {{assets.path()}});
    const std::string found = refusal(hand, ".", "hand.0002.obj");
    fs::current_path(before);
    EXPECT_EQ(found, words("./hand.0002.obj", "by object 'ball' (scene.json:1: objects[0].mesh)"));
}

TEST_F(InputFilesOf, BuffersOfAMeshAreKept) {
    write("ball.gltf", json("{'asset': {'version': '2.0'}, 'buffers': [{'byteLength': 3, 'uri': "
                            "'of%20ball.bin'}, {'byteLength': 0, 'uri': "
                            "'data:application/octet-stream;base64,'}]}"));
    write("of ball.bin", "abc");
    EXPECT_EQ(refusal(scene("{'name': 'ball', 'mesh': 'ball.gltf'}"), folder, "of ball.bin"),
              words(folder / "of ball.bin", by_ball("mesh")));
}

TEST_F(InputFilesOf, AMeshThatCannotBeReadHasNoBuffers) {
    write("ball.gltf", "{");
    const Scene broken = scene("{'name': 'ball', 'mesh': 'ball.gltf'}");
    EXPECT_EQ(refusal(broken, folder, "ball.bin"), "no error");
    EXPECT_EQ(refusal(broken, folder, "ball.gltf"), words(folder / "ball.gltf", by_ball("mesh")));
}

TEST_F(InputFilesOf, RunsAreRefusedBeforeTheyWriteAnything) {
    write("ball.obj", triangle);
    write("ball.0001.obj", triangle);
    const auto refused = [&](const std::string& mesh, const RunSettings& settings) {
        const LoadedScene loaded = load_scene(scene("{'name': 'ball', 'mesh': '" + mesh +
                                                    "', 'skeleton': [{'point': "
                                                    "[0, 0, 0]}], 'field': {'radius': 1}}"));
        const auto before = fs::last_write_time(folder);
        const std::string message = input_error([&] { run_scene(loaded, settings); });
        EXPECT_EQ(fs::last_write_time(folder), before);
        return message;
    };
    const std::string out = "; choose another folder with --out";
    const std::string is_read = ": writing this would replace a file that is read ";
    RunSettings settings;
    settings.out = folder;
    EXPECT_EQ(refused("ball.0001.obj", settings),
              (folder / "ball.0001.obj").string() + is_read + by_ball("mesh") + out);
    settings.out = folder / "out";
    settings.report = folder / "scene.json";
    EXPECT_EQ(refused("ball.obj", settings), (folder / "scene.json").string() + is_read +
                                                 "as the scene itself; choose another file with "
                                                 "--report");
    settings.report = folder / "out" / ".." / "out" / "ball.0001.obj";
    EXPECT_EQ(refused("ball.obj", settings),
              settings.report->string() +
                  ": the run writes a result of this name; choose another file with --report");
    settings.report.reset();
    settings.method = Method::implicit;
    settings.from = folder;
    settings.out = folder / "out" / "..";
    write("implicit.0001.json", "{}");
    EXPECT_EQ(refused("ball.obj", settings), (settings.out / "implicit.0001.json").string() +
                                                 is_read + "as a frame of --from" + out);
    EXPECT_EQ(read_text_file(folder / "ball.obj"), triangle);
}

} // namespace
} // namespace knead
