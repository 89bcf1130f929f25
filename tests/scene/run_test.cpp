#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/text.hpp"
#include "knead/base/warning.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/run_report.hpp"
#include "knead/scene/run/run_scene.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <map>
#include <set>
#include <sys/resource.h>

#include "input_error.hpp"
#include "own_folder.hpp"
#include "without_timings.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

constexpr const char* two_spheres = R"({
  "knead": 1,
  "frames": [1, 5],
  "objects": [
    {"name": "upper", "mesh": {"sphere": {"radius": 1, "subdivisions": 2}},
     "transform": {"translate": {"keys": [[1, [0.1, 2.1, 0]], [5, [0.1, 1.5, 0.2]]]}, "rotate": [5, 10, 15]}},
    {"name": "lower", "mesh": {"sphere": {"radius": 1, "subdivisions": 2}}},
    {"name": "far", "mesh": {"grid": {"size": [1, 1], "cells": [2, 2]}}, "transform": {"translate": [9, 0, 0]}}
  ]
})";

class Run : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();
    fs::path scene_path = folder / "pair.json";

    void SetUp() override { write_file_atomically(scene_path, two_spheres); }

    LoadedScene load(const std::vector<std::string>& overrides = {}) {
        return load_scene(read_scene(scene_path, {{}, overrides}));
    }

    RunSettings to(const std::string& out) {
        RunSettings settings;
        settings.out = folder / out;
        return settings;
    }

    // Name -> content of everything in a folder, timings taken out.
    std::map<std::string, std::string> content(const std::string& out) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(folder / out))
            files[entry.path().filename().string()] = without_timings(read_text_file(entry.path()));
        return files;
    }
    std::set<std::string> names(const std::string& out) {
        std::set<std::string> result;
        for (const auto& [name, text] : content(out)) result.insert(name);
        return result;
    }
};

TEST_F(Run, WritesTheFilesOfTheContract) {
    const RunSummary summary = run_scene(load(), to("out"));
    EXPECT_EQ(summary.frames_done, 5);
    std::set<std::string> expected = {"report.json"};
    for (const char* object : {"upper", "lower", "far"})
        for (int frame = 1; frame <= 5; ++frame)
            expected.insert(std::string(object) + ".000" + std::to_string(frame) + ".obj");
    EXPECT_EQ(names("out"), expected);
}

TEST_F(Run, OneCallWritesWhatTheStepsWrite) {
    run_scene(load({"frames=[2, 3]"}), to("steps"));
    const RunSummary summary =
        run_scene_file(scene_path, to("call"), {.overrides = {"frames=[2, 3]"}});
    EXPECT_EQ(summary.frames_done, 2);
    EXPECT_EQ(content("call"), content("steps"));
}

TEST_F(Run, ResolvesContactAndReportsOnIt) {
    const LoadedScene scene = load();
    const Report report = run_scene(scene, to("out")).report;
    const MeshFile written = read_mesh(folder / "out" / "upper.0004.obj");
    EXPECT_NE(written.mesh.positions, positions_at(scene, 0, 4));
    EXPECT_EQ(written.mesh.faces, scene.objects[0].source.mesh.faces);
    EXPECT_EQ(read_mesh(folder / "out" / "far.0004.obj").mesh.positions, positions_at(scene, 2, 4));
    EXPECT_EQ(read_mesh(folder / "out" / "upper.0001.obj").mesh.positions,
              positions_at(scene, 0, 1));

    EXPECT_EQ(report.scene, "pair.json");
    ASSERT_EQ(report.frames.size(), 5u);
    const FrameReport& last = report.frames[4];
    ASSERT_EQ(last.objects.size(), 3u);
    EXPECT_EQ(last.objects[0].name, "upper");
    EXPECT_EQ(last.objects[0].vertices, 162);
    EXPECT_NEAR(last.objects[0].volume_before, 4.05, 0.05);
    EXPECT_NEAR(last.objects[0].volume_before, last.objects[0].volume_after, 1e-12);
    EXPECT_GT(last.objects[0].deformed_vertices, last.objects[0].contact_vertices);
    EXPECT_GT(last.objects[0].contact_vertices, 5);
    EXPECT_GT(last.objects[0].max_displacement, 0.1);
    EXPECT_EQ(last.objects[2].max_displacement, 0);
    ASSERT_EQ(last.contacts.size(), 3u);
    EXPECT_EQ(last.contacts[0].between, (std::array<std::string, 2>{"upper", "lower"}));
    EXPECT_GT(last.contacts[0].depth_before, 0.3);
    EXPECT_GT(last.contacts[0].crossings_before, 20);
    EXPECT_LT(last.contacts[0].depth_after, 0.1 * last.contacts[0].depth_before);
    EXPECT_GT(last.contacts[0].direction.y(), 0.9);
    EXPECT_GT(last.contacts[0].zone_area[0], 0.3);
    EXPECT_EQ(last.contacts[0].note, "");
    EXPECT_EQ(report.frames[0].contacts[0].depth_before, 0);
    EXPECT_EQ(last.contacts[1].depth_before, 0);
}

TEST_F(Run, WhatIsSwallowedStaysAndIsNoted) {
    const LoadedScene scene =
        load({"objects.lower.transform={\"scale\": 0.3, \"translate\": [0.1, 1.5, 0.2]}"});
    const Report report = run_scene(scene, to("out")).report;
    EXPECT_EQ(report.frames[4].contacts[0].note,
              "no surface intersection: one is inside the other");
    EXPECT_EQ(read_mesh(folder / "out" / "lower.0005.obj").mesh.positions,
              positions_at(scene, 1, 5));
}

TEST_F(Run, MessyMeshesAreUsedAndNoted) {
    write_file_atomically(
        folder / "turned.obj",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 4 3\n");
    const LoadedScene scene = load({"objects.far.mesh=turned.obj"});
    ASSERT_EQ(scene.objects[2].notes.size(), 1u);
    const Report report = run_scene(scene, to("out")).report;
    EXPECT_EQ(report.frames[0].objects[2].notes, scene.objects[2].notes);
    EXPECT_EQ(read_report(folder / "out" / "report.json").frames[0].objects[2].notes,
              scene.objects[2].notes);
}

TEST_F(Run, ManyObjectsShareTheirPreparation) {
    std::string objects;
    for (int i = 0; i < 60; ++i)
        objects +=
            (i > 0 ? ",\n" : "") + std::string("{\"name\": \"b") + std::to_string(i) +
            "\", \"mesh\": {\"sphere\": {\"radius\": 0.4, \"subdivisions\": 1}}, \"transform\": "
            "{\"translate\": [" +
            std::to_string(i) + ", 0, 0]}}";
    write_file_atomically(scene_path,
                          "{\"knead\": 1, \"frames\": [1, 1], \"objects\": [" + objects + "]}");
    const Report report = run_scene(load(), to("out")).report;
    EXPECT_EQ(report.frames[0].contacts.size(), 60u * 59u / 2u);
}

TEST_F(Run, TheSameBytesForAnyNumberOfThreads) {
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        run_scene(load(), to(std::to_string(threads)));
    }
    EXPECT_EQ(content("1"), content("2"));
    EXPECT_EQ(content("1"), content("8"));
}

TEST_F(Run, FramesInAnyOrderGiveTheSameBytesAndReport) {
    run_scene(load(), to("whole"));
    for (const char* range : {"4:5", "1:1", "2:3"}) {
        RunSettings settings = to("parts");
        settings.frames = parse_frame_sequence(range, 1, "");
        run_scene(load(), settings);
    }
    EXPECT_EQ(content("whole"), content("parts"));
}

TEST_F(Run, AnotherSceneStartsAnotherReport) {
    run_scene(load(), to("out"));
    RunSettings settings = to("out");
    settings.frames = FrameSequence{2, 2, 1};
    EXPECT_EQ(run_scene(load({"fps=25"}), settings).report.frames.size(), 1u);
}

TEST_F(Run, ResumeSkipsWhatIsThere) {
    RunSettings settings = to("out");
    settings.frames = FrameSequence{1, 3, 1};
    run_scene(load(), settings);
    fs::remove(folder / "out" / "lower.0002.obj");
    settings.frames = std::nullopt;
    settings.resume = true;
    const RunSummary summary = run_scene(load(), settings);
    EXPECT_EQ(summary.frames_skipped, 2);
    EXPECT_EQ(summary.frames_done, 3);
    run_scene(load(), to("whole"));
    EXPECT_EQ(content("out"), content("whole"));
}

TEST_F(Run, FractionalStepsNameThreeDecimals) {
    RunSettings settings = to("out");
    settings.frames = FrameSequence{1, 2, 0.5};
    run_scene(load(), settings);
    EXPECT_TRUE(fs::exists(folder / "out" / "upper.0001.500.obj"));
    EXPECT_TRUE(fs::exists(folder / "out" / "upper.0002.000.obj"));
}

TEST_F(Run, CachesAreOneFileAnObject) {
    const LoadedScene scene = load();
    for (const char* format : {"pc2", "glb", "usda"}) {
        RunSettings settings = to(format);
        settings.format = *output_format(format);
        run_scene(scene, settings);
        const std::string end = std::string(".") + format;
        EXPECT_EQ(names(format), (std::set<std::string>{"report.json", "upper" + end, "lower" + end,
                                                        "far" + end}));
    }
    // Header of 32 bytes, then five frames of single-precision points.
    EXPECT_EQ(fs::file_size(folder / "pc2" / "upper.pc2"), 32u + 5u * 162u * 12u);
    EXPECT_EQ(output_format("abc"), std::nullopt);
}

// The numbers between the brackets of `text` that come next after `mark`.
std::vector<double> numbers_after(const std::string& text, const std::string& mark) {
    std::size_t begin = text.find('[', text.find(mark)) + 1;
    const std::size_t end = text.find(']', begin);
    std::vector<double> numbers;
    while (begin < end) {
        const std::size_t comma = std::min(text.find(", ", begin), end);
        numbers.push_back(
            parse_double(std::string_view(text).substr(begin, comma - begin)).value());
        begin = comma + 2;
    }
    return numbers;
}

TEST_F(Run, MapsForShadingRideAlong) {
    const LoadedScene scene = load();
    for (const char* format : {"ply", "usda"}) {
        RunSettings settings = to(format);
        settings.format = *output_format(format);
        run_scene(scene, settings);
    }
    const FrameSolver solver(scene);
    for (int frame = 1; frame <= 5; frame += 4) {
        const SolvedFrame solved = solver.solve(frame);
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
            std::vector<double> contact = solved.objects[i].zone, displacement;
            contact.resize(solved.before[i].size(), 0.0);
            for (std::size_t v = 0; v < contact.size(); ++v)
                displacement.push_back((solved.after[i][v] - solved.before[i][v]).norm());
            const bool touched = frame == 5 && i < 2;
            EXPECT_EQ(std::ranges::count(contact, 1.0) > 5, touched);
            EXPECT_EQ(std::ranges::count(displacement, 0.0) < 100, touched || i == 2);

            const std::string& name = scene.scene.objects[i].name;
            const MeshFile ply =
                read_mesh(folder / "ply" / (name + ".000" + std::to_string(frame) + ".ply"));
            EXPECT_EQ(ply.mesh.attributes.at("contact").values, contact);
            EXPECT_EQ(ply.mesh.attributes.at("displacement").values, displacement);
            const std::string usda = read_text_file(folder / "usda" / (name + ".usda"));
            const std::string sample = "\n        " + std::to_string(frame) + ": ";
            const std::string from_contact =
                usda.substr(usda.find("double[] primvars:contact.timeSamples"));
            EXPECT_EQ(numbers_after(from_contact, sample), contact);
            const std::string from_displacement =
                usda.substr(usda.find("double[] primvars:displacement.timeSamples"));
            EXPECT_EQ(numbers_after(from_displacement, sample), displacement);
        }
    }
}

TEST_F(Run, MapsStandInForAttributesOfTheirName) {
    write_file_atomically(
        folder / "sheet.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float "
        "y\nproperty float z\nproperty float contact\nproperty float heat\nelement "
        "face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0 3 7\n1 0 0 "
        "3 7\n0 1 0 3 7\n3 0 1 2\n");
    RunSettings settings = to("out");
    settings.format = OutputFormat::ply;
    run_scene(load({"objects.far.mesh=sheet.ply"}), settings);
    const auto attributes = read_mesh(folder / "out" / "far.0005.ply").mesh.attributes;
    EXPECT_EQ(attributes.at("contact").values, std::vector<double>(3, 0.0));
    EXPECT_EQ(attributes.at("heat").values, std::vector<double>(3, 7.0));
}

TEST_F(Run, AStopLeavesOnlyWholeFilesAndReportsThem) {
    std::stop_source source;
    Progress progress;
    progress.stop = source.get_token();
    progress.report = [&](double fraction) {
        if (fraction > 0.3) source.request_stop();
    };
    const ThreadLimit limit(1);
    EXPECT_THROW(run_scene(load(), to("out"), progress), Cancelled);
    const Report report = read_report(folder / "out" / "report.json");
    EXPECT_EQ(report.frames.size(), 2u);
    EXPECT_EQ(names("out").size(), 1 + 2 * 3u);
}

TEST_F(Run, AReportThatIsNoneIsNotOverwritten) {
    write_file_atomically(folder / "out" / "report.json", "precious");
    EXPECT_THROW(run_scene(load(), to("out")), InputError);
    EXPECT_EQ(read_text_file(folder / "out" / "report.json"), "precious");
}

TEST_F(Run, ACacheLosesNoFrames) {
    const auto frames = [&](double first, double last, const std::string& out = "out") {
        RunSettings settings = to(out);
        settings.format = OutputFormat::pc2;
        settings.frames = FrameSequence{first, last, 1};
        return settings;
    };
    const auto refusal = [&](const RunSettings& settings) {
        return input_error([&] { run_scene(load(), settings); });
    };
    const std::string cache = (folder / "out" / "upper.pc2").string();
    run_scene(load(), frames(2, 3));
    const auto before = content("out");
    EXPECT_EQ(refusal(frames(3, 5)),
              cache + ": the cache has the frames 2 to 3, and a run of the frames 3 to 5 would "
                      "replace it: a cache is one piece; include those frames, choose another "
                      "folder with --out, or remove the cache");
    EXPECT_EQ(content("out"), before);
    RunSettings elsewhere = frames(3, 5);
    elsewhere.report = folder / "other.json";
    EXPECT_EQ(refusal(elsewhere),
              cache + ": it is not known which frames the cache has, and a run of the frames 3 to "
                      "5 would replace it: a cache is one piece; run all frames, choose another "
                      "folder with --out, or remove the cache");
    EXPECT_EQ(content("out"), before);
    EXPECT_EQ(refusal(frames(2, 4)), "no error");
    EXPECT_EQ(refusal(frames(1, 5)), "no error");
    EXPECT_EQ(read_report(folder / "out" / "report.json").caches.at("pc2"),
              (FrameSequence{1, 5, 1}));
    // Those of the scene before it was changed may be dear, too, unless all are made again.
    EXPECT_EQ(input_error([&] { run_scene(load({"fps=25"}), frames(2, 3)); }),
              cache + ": the cache has the frames 1 to 5 of another scene, other values or another "
                      "method, and a run of the frames 2 to 3 would replace it: a cache is one "
                      "piece; include those frames, choose another folder with --out, or remove "
                      "the cache");
    EXPECT_EQ(fs::file_size(cache), 32u + 5u * 162u * 12u);
    run_scene(load({"fps=25", "frames=[1,6]"}), frames(1, 6));
    EXPECT_EQ(fs::file_size(cache), 32u + 6u * 162u * 12u);
}

// All that is said meanwhile, a line each.
template <typename Action>
std::string warnings_of(const Action& action) {
    std::string warnings;
    set_warning_handler([&](std::string_view found) { warnings += std::string(found) + "\n"; });
    action();
    set_warning_handler({});
    return warnings;
}

TEST_F(Run, AReportLosesNoEntriesWithoutAWord) {
    const auto run = [&](double first, double last, const std::vector<std::string>& overrides,
                         OutputFormat format = OutputFormat::obj) {
        return warnings_of([&] {
            RunSettings settings = to("out");
            settings.format = format;
            settings.frames = FrameSequence{first, last, 1};
            run_scene(load(overrides), settings);
        });
    };
    const std::string report = (folder / "out" / "report.json").string();
    EXPECT_EQ(run(1, 3, {}), "");
    EXPECT_EQ(run(4, 5, {}), "");
    EXPECT_EQ(run(1, 5, {"fps=25"}), ""); // all are made again
    EXPECT_EQ(run(4, 5, {"fps=26"}),
              report + ": is the report of other values of 'pair.json' or another method, and will "
                       "be replaced; 3 frames that this run does not make will be gone from it\n");
    EXPECT_EQ(read_report(report).frames.size(), 2u);
    // Once, whatever else is looked at where there are caches.
    EXPECT_EQ(run(5, 6, {"fps=27"}, OutputFormat::pc2),
              report + ": is the report of other values of 'pair.json' or another method, and will "
                       "be replaced; 1 frame that this run does not make will be gone from it\n");
    fs::rename(scene_path, folder / "other.json");
    scene_path = folder / "other.json";
    EXPECT_EQ(run(5, 5, {}), report + ": is the report of 'pair.json', and will be replaced\n");
}

TEST_F(Run, PartOfACacheThatIsWholeIsThere) {
    const auto frames = [&](double first, double last) {
        RunSettings settings = to("out");
        settings.format = OutputFormat::glb;
        settings.frames = FrameSequence{first, last, 1};
        settings.resume = settings.resumable = true;
        return settings;
    };
    run_scene(load(), frames(1, 4));
    const auto before = content("out");
    const RunSummary part = run_scene(load(), frames(2, 3));
    EXPECT_EQ(part.frames_skipped, 2);
    EXPECT_EQ(part.frames_done, 0);
    EXPECT_EQ(content("out"), before);
    // With more frames it is made anew; what waits for them is left alone.
    std::stop_source source;
    const Progress stopped{[&](double fraction) {
                               if (fraction > 0.3) source.request_stop();
                           },
                           source.get_token()};
    const ThreadLimit limit(1);
    EXPECT_THROW(run_scene(load(), frames(1, 5), stopped), Cancelled);
    EXPECT_EQ(run_scene(load(), frames(2, 3)).frames_done, 0);
    EXPECT_EQ(run_scene(load(), frames(1, 5)).frames_done, 3);
    EXPECT_EQ(names("out").size(), 4u);
}

// As if it had been killed there: the second of three caches cannot be put in its place.
class RunEndsAmongCaches : public Run {
protected:
    RunSettings caches(double first, double last) {
        RunSettings settings = to("out");
        settings.format = OutputFormat::pc2;
        settings.frames = FrameSequence{first, last, 1};
        settings.resume = settings.resumable = true;
        return settings;
    }
    void fail(const LoadedScene& scene, const RunSettings& settings) {
        const fs::path second = folder / "out" / "lower.pc2";
        Progress progress;
        progress.report = [&](double) {
            if (fs::is_regular_file(second)) fs::remove(second);
            fs::create_directories(second / "in the way");
        };
        EXPECT_THROW(run_scene(scene, settings, progress), InputError);
        fs::remove_all(second);
    }
};

TEST_F(RunEndsAmongCaches, AndGoesOn) {
    fail(load(), caches(2, 4));
    EXPECT_TRUE(fs::exists(folder / "out" / "upper.pc2"));
    EXPECT_FALSE(fs::exists(folder / "out" / "lower.pc2"));
    EXPECT_EQ(run_scene(load(), caches(2, 4)).frames_skipped, 3);
    const auto resumed = content("out");
    fs::remove_all(folder / "out");
    run_scene(load(), caches(2, 4));
    EXPECT_EQ(resumed, content("out"));
}

TEST_F(RunEndsAmongCaches, OfTwoScenesWhichNobodyTakesForWhole) {
    run_scene(load(), caches(1, 5));
    const auto whole = content("out");
    fail(load({"objects.upper.bulge=0.3"}), caches(1, 5));
    EXPECT_EQ(run_scene(load(), caches(1, 5)).frames_done, 5);
    EXPECT_EQ(content("out"), whole);
}

TEST_F(Run, CachesLeaveAloneWhatIsNotTheirs) {
    write_file_atomically(folder / "glb.frames" / "notes.txt", "precious");
    RunSettings settings = to("");
    settings.out = folder;
    settings.format = OutputFormat::glb;
    run_scene(load(), settings);
    EXPECT_EQ(names("glb.frames"), std::set<std::string>{"notes.txt"});
}

// A file may grow no further than so many bytes while it lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit before_{};
    void (*handler_)(int);
};

TEST_F(Run, AReportThatCannotBeWrittenIsNotLost) {
    const fs::path path = folder / "report.json";
    RunReport report(path, {"pair.json", "hash"});
    FrameReport frame;
    frame.frame = 1;
    report.add(frame);
    report.write();
    frame.frame = 2;
    report.add(frame);
    {
        const FileSizeLimit full(10);
        EXPECT_THROW(report.write(), InputError);
    }
    report.write();
    const Report found = read_report(path);
    EXPECT_EQ(found.scene_hash, "hash");
    EXPECT_EQ(found.frames.size(), 2u);
}

TEST_F(Run, CachesAreWrittenByOneRunAtATime) {
    RunSettings settings = to("out");
    settings.format = OutputFormat::usda;
    std::vector<std::string> answers;
    Progress progress;
    progress.report = [&](double) {
        if (answers.empty()) answers.push_back(input_error([&] { run_scene(load(), settings); }));
    };
    const ThreadLimit limit(1);
    run_scene(load(), settings, progress);
    EXPECT_EQ(answers, std::vector<std::string>{
                           (folder / "out").string() +
                           ": another run is writing its usda caches into this folder; wait until "
                           "it has ended, or choose another folder with --out"});
    EXPECT_EQ(names("out").size(), 4u);
}

TEST_F(Run, AReportOfAnotherSceneThatCameMeanwhileIsKept) {
    Progress progress;
    std::string theirs;
    progress.report = [&](double) {
        if (!theirs.empty()) return;
        run_scene(load({"fps=25"}), to("out"));
        theirs = read_text_file(folder / "out" / "report.json");
    };
    const ThreadLimit limit(1);
    EXPECT_EQ(input_error([&] { run_scene(load(), to("out"), progress); }),
              (folder / "out" / "report.json").string() +
                  ": another run has put its report of 'pair.json' here meanwhile, which is not "
                  "the scene of this run; each wants a folder of its own");
    EXPECT_EQ(read_text_file(folder / "out" / "report.json"), theirs);
}

TEST_F(Run, LeftOversOfAKilledRunGo) {
    write_file_atomically(folder / "out" / "upper.0001.obj.knead-4711-1.part", "half");
    write_file_atomically(folder / "reports" / "x.json.knead-4711-1.part", "half");
    RunSettings settings = to("out");
    settings.report = folder / "reports" / "x.json";
    run_scene(load(), settings);
    EXPECT_EQ(names("out").size(), 15u);
    EXPECT_EQ(names("reports"), std::set<std::string>{"x.json"});
}

} // namespace
} // namespace knead
