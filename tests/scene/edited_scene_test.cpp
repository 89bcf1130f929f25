#include "knead/scene/judge/frame_report.hpp"

#include <chrono>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

class EditedScene : public SceneFolder {
protected:
    fs::path path(const std::string& name) const { return fs::path(here()) / name; }

    LoadedScene load_again(const std::string& text) {
        return load_scene(parse_scene(json(text), path("scene.json")), workspace);
    }

    // Solves one version after the other, each with what the last one has prepared, and compares
    // with a fresh start.
    void expect_same_as_fresh(const std::vector<std::string>& versions, double frame) {
        std::unique_ptr<LoadedScene> last;
        std::unique_ptr<FrameSolver> solver;
        std::optional<SceneGauge> gauge;
        for (const std::string& text : versions) {
            auto scene = std::make_unique<LoadedScene>(load_again(text));
            auto next = solver ? std::make_unique<FrameSolver>(*scene, *solver)
                               : std::make_unique<FrameSolver>(*scene);
            gauge = gauge ? make_gauge(*scene, *last, *gauge) : make_gauge(*scene);
            const SolvedFrame solved = next->solve(frame);
            const auto reports = contact_reports(*scene, *gauge, solved);

            const LoadedScene fresh = load_scene(parse_scene(json(text), path("scene.json")));
            const SolvedFrame expected = FrameSolver(fresh).solve(frame);
            const auto expected_reports = contact_reports(fresh, make_gauge(fresh), expected);
            EXPECT_EQ(solved.before, expected.before) << text;
            EXPECT_EQ(solved.after, expected.after) << text;
            ASSERT_EQ(reports.size(), expected_reports.size());
            for (std::size_t c = 0; c < reports.size(); ++c) {
                EXPECT_EQ(reports[c].depth_after, expected_reports[c].depth_after) << text;
                EXPECT_EQ(reports[c].crossings_before, expected_reports[c].crossings_before);
            }
            for (std::size_t i = 0; i < fresh.objects.size(); ++i) {
                EXPECT_EQ(scene->objects[i].source.mesh.groups,
                          fresh.objects[i].source.mesh.groups);
                EXPECT_EQ(scene->objects[i].notes, fresh.objects[i].notes);
            }
            solver = std::move(next);
            last = std::move(scene);
        }
    }

    LoadWorkspace workspace;
};

std::string balls(const std::string& keys,
                  const std::string& mesh = "{'sphere': {'subdivisions': 3}}",
                  const std::string& scene_keys = "") {
    return fmt::format("{{'knead': 1, 'frames': [1, 8], {} 'objects': [{{'name': 'a', 'mesh': {}, "
                       "{}}}, {{'name': 'b', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, "
                       "'transform': {{'translate': [1.6, 0, 0]}}}}]}}",
                       scene_keys, mesh, keys);
}

TEST_F(EditedScene, EveryVersionIsAsFromAFreshStart) {
    write("tent.obj",
          "v -1 -1 0\nv 1.1 0 0\nv -1 1 0\nv -1 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n");
    const std::string one = "{'at': [1, 0, 0], 'radius': 0.6}";
    const std::string two = "{'at': [0, 1, 0], 'radius': 0.9, 'value': 0.5}";
    const auto painted = [&](const std::string& strokes, const std::string& more) {
        return balls(fmt::format("'attributes': {{'firm': {{'base': 0.1, 'strokes': [{}]}}}}, {}",
                                 strokes, more));
    };
    const std::string firm = "'stiffness': {'map': 'firm', 'low': 1, 'high': 3}";
    expect_same_as_fresh(
        {balls("'stiffness': 1"), balls("'stiffness': 2, 'bulge': 3"),
         balls("'rigid': true", "'tent.obj'"),
         balls("'stiffness': 2", "{'sphere': {'subdivisions': 2}}"), painted(one, firm),
         painted(one + "," + two, firm), painted(two, firm), painted(one, "'region': 'firm'"),
         painted(one + "," + two, "'region': 'firm'"), painted(one, firm),
         balls("'proxy': {'sphere': {'subdivisions': 2}}"),
         balls("'proxy': {'sphere': {'subdivisions': 2}}, 'bulge': 2"),
         balls("'bulge': 2", "{'sphere': {'subdivisions': 3}}",
               "'contacts': [{'between': ['b', 'a'], 'direction': [1, 0.2, 0]}],")},
        4);
}

TEST_F(EditedScene, FoldsAndSkinsAreAsFromAFreshStart) {
    const auto finger = [](const std::string& rotation, const std::string& keys,
                           const std::string& weights = "{'smooth': 0.4}") {
        return fmt::format(
            "{{'knead': 1, 'objects': [{{'name': 'arm', 'mesh': {{'capsule': {{'radius': 0.4, "
            "'length': 3, 'resolution': 24}}}}, {} 'skin': {{'skeleton': [{{'name': 'shoulder', "
            "'position': [0, -1.5, 0]}}, {{'name': 'elbow', 'parent': 'shoulder', 'position': [0, "
            "0, 0], 'rotate': [0, 0, {}]}}, {{'name': 'hand', 'parent': 'elbow', 'position': [0, "
            "1.5, 0]}}], 'weights': {}}}}}], 'contacts': [{{'between': ['arm', 'arm'], 'fold': "
            "{{'joints': ['shoulder', 'elbow', 'hand']}}}}]}}",
            keys, rotation, weights);
    };
    expect_same_as_fresh({finger("120", ""), finger("120", "'bulge': 2,"), finger("140", ""),
                          finger("140", "", "{'smooth': 0.3}")},
                         1);
}

// Of files only their size and time are looked at; that is how it shows that they are not read.
TEST_F(EditedScene, AFileIsReadAgainWhenItWasWritten) {
    const auto width = [&] {
        return load_again("{'knead': 1, 'objects': [{'name': 'a', 'mesh': 'a.obj'}]}")
            .objects[0]
            .source.mesh.positions[1]
            .x();
    };
    write("a.obj", triangle);
    const fs::file_time_type then = fs::last_write_time(path("a.obj"));
    EXPECT_EQ(width(), 1);
    write("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    fs::last_write_time(path("a.obj"), then);
    EXPECT_EQ(width(), 1);
    fs::last_write_time(path("a.obj"), then + std::chrono::seconds(1));
    EXPECT_EQ(width(), 2);
}

TEST_F(EditedScene, AVersionThatCannotBeLoadedLosesNothing) {
    const std::string good = "{'knead': 1, 'objects': [{'name': 'a', 'mesh': 'a.obj'}]}";
    write("a.obj", triangle);
    const fs::file_time_type then = fs::last_write_time(path("a.obj"));
    load_again(good);
    EXPECT_THROW(load_again("{'knead': 1, 'objects': [{'name': 'b', 'mesh': 'b.obj'}]}"),
                 InputError);
    write("a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    fs::last_write_time(path("a.obj"), then);
    EXPECT_EQ(load_again(good).objects[0].source.mesh.positions[1].x(), 1);
    // A version without it lets it go.
    load_again("{'knead': 1, 'objects': [{'name': 'b', 'mesh': {'sphere': {}}}]}");
    EXPECT_EQ(load_again(good).objects[0].source.mesh.positions[1].x(), 2);
}

TEST_F(EditedScene, AnOverlayStandsForTheScenesOwnFolder) {
    write("a.obj", triangle);
    write("over/a.obj", "v 0 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\n");
    SceneOptions options;
    options.overlays = {path("over")};
    const auto width = [&](const char* name) {
        return load_scene(parse_scene(json(fmt::format("{{'knead': 1, 'objects': [{{'name': 'a', "
                                                       "'mesh': '{}'}}]}}",
                                                       name)),
                                      path("scene.json"), options))
            .objects[0]
            .source.mesh.positions[1]
            .x();
    };
    EXPECT_EQ(width("a.obj"), 2);
    fs::remove(path("over/a.obj"));
    EXPECT_EQ(width("a.obj"), 1);
    EXPECT_THROW(width("../a.obj"), InputError);
}

} // namespace
} // namespace knead
