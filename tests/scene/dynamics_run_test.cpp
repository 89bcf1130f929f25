// Simulated scenes as `run_scene` writes them.

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/run/run_scene.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "input_error.hpp"
#include "own_folder.hpp"
#include "scene/scene_text.hpp"
#include "without_timings.hpp"

namespace knead {
namespace {
namespace fs = std::filesystem;

// A rigid cube falls onto a fixed floor while another moves along it, under a small cloth that is
// pinned at two corners.
constexpr const char* falling = R"({
  "knead": 1, "frames": [1, 6], "fps": 50, "step": 0.01, "method": "dynamics",
  "objects": [
    {"name": "cube", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}},
     "transform": {"translate": [0, 0.13, 0]}, "body": {"type": "rigid", "velocity": [0.1, 0, 0]}},
    {"name": "cloth", "mesh": {"grid": {"size": [0.3, 0.3], "cells": [4, 4]}},
     "transform": {"translate": [0, 0.3, 0]},
     "body": {"type": "cloth", "density": 500, "young": 1e4, "pins": [0, 4]}},
    {"name": "slider", "mesh": {"box": {"size": [0.1, 0.1, 0.1], "cells": [1, 1, 1]}},
     "transform": {"translate": {"keys": [[1, [0.5, 0.1, 0]], [6, [0.45, 0.1, 0]]]}}},
    {"name": "floor", "mesh": {"grid": {"size": [2, 2], "cells": [4, 4]}}, "rigid": true}
  ]
})";

class DynamicsRun : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();

    LoadedScene load(const std::vector<std::string>& overrides = {}) {
        return load_scene(parse_scene(falling, folder / "falling.json", {{}, overrides}));
    }
    RunSettings to(const std::string& out) {
        RunSettings settings;
        settings.out = folder / out;
        return settings;
    }
    std::map<std::string, std::string> content(const std::string& out) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(folder / out))
            files[entry.path().filename().string()] = without_timings(read_text_file(entry.path()));
        return files;
    }
    std::vector<Vec3> written(const std::string& out, const std::string& file) {
        return read_mesh(folder / out / file).mesh.positions;
    }
    // Runs until a part of the way is done, then stops.
    void stop_at(double part, const RunSettings& settings) {
        std::stop_source source;
        Progress progress;
        progress.stop = source.get_token();
        progress.report = [&](double fraction) {
            if (fraction > part) source.request_stop();
        };
        EXPECT_THROW(run_scene(load(), settings, progress), Cancelled);
    }
};

TEST_F(DynamicsRun, WritesFramesReportAndState) {
    const LoadedScene scene = load();
    const RunSummary summary = run_scene(scene, to("out"));
    EXPECT_EQ(summary.method, Method::dynamics);
    EXPECT_EQ(summary.frames_done, 6);
    std::set<std::string> names, expected = {"report.json", "dynamics.state"};
    for (const auto& [name, text] : content("out")) names.insert(name);
    for (const char* object : {"cube", "cloth", "slider", "floor"})
        for (int frame = 1; frame <= 6; ++frame)
            expected.insert(fmt::format("{}.000{}.obj", object, frame));
    EXPECT_EQ(names, expected);

    // The first frame is the input; kinematic bodies are always where the scene says.
    for (int object = 0; object < 4; ++object)
        EXPECT_EQ(written("out", scene.scene.objects[object].name + ".0001.obj"),
                  positions_at(scene, object, 1));
    EXPECT_EQ(written("out", "floor.0006.obj"), positions_at(scene, 3, 6));
    const auto slider = written("out", "slider.0004.obj"), input = positions_at(scene, 2, 4);
    for (std::size_t v = 0; v < slider.size(); ++v) EXPECT_LT((slider[v] - input[v]).norm(), 1e-12);
    // Pins stay, what is not pinned falls, and the cube is pulled down and not into the floor.
    const auto cloth = written("out", "cloth.0006.obj");
    EXPECT_LT((cloth[0] - positions_at(scene, 1, 1)[0]).norm(), 1e-12);
    EXPECT_LT(cloth[22].y(), 0.3 - 1e-3);
    const auto cube = written("out", "cube.0006.obj");
    const Box box = bounding_box(cube);
    EXPECT_LT(box.lower.y(), 0.03 - 1e-3);
    EXPECT_GT(box.lower.y(), 0);
    EXPECT_GT(box.center().x(), 1e-3);
}

TEST_F(DynamicsRun, TheReportHasTheKeysOfTheContract) {
    const Report report = run_scene(load(), to("out")).report;
    ASSERT_EQ(report.frames.size(), 6u);
    const FrameReport& first = report.frames[0];
    ASSERT_TRUE(first.dynamics);
    EXPECT_EQ(first.dynamics->steps, 0);
    EXPECT_TRUE(first.dynamics->refinement_rounds.empty());
    for (std::size_t f = 1; f < 6; ++f) {
        const DynamicsReport& dynamics = *report.frames[f].dynamics;
        EXPECT_GE(dynamics.steps, 2); // of 10 ms in a frame of 20
        EXPECT_EQ(dynamics.refinement_rounds.size(), static_cast<std::size_t>(dynamics.steps));
        EXPECT_EQ(dynamics.crossings, 0);
        EXPECT_GT(dynamics.tolerance, 0);
    }
    const FrameReport& last = report.frames[5];
    ASSERT_EQ(last.objects.size(), 4u);
    EXPECT_EQ(last.objects[0].name, "cube");
    EXPECT_NEAR(last.objects[0].volume_before, 0.008, 1e-12);
    EXPECT_NEAR(last.objects[0].volume_after, 0.008, 1e-9);
    EXPECT_GT(last.objects[0].max_displacement, 0.01);
    EXPECT_EQ(last.objects[0].deformed_vertices, 26);
    EXPECT_EQ(last.objects[3].max_displacement, 0);
    for (const ContactReport& contact : last.contacts) {
        EXPECT_EQ(contact.depth_after, 0);
        EXPECT_EQ(contact.crossings_after, 0);
    }
    const std::string text = read_text_file(folder / "out" / "report.json");
    for (const char* key : {"steps", "refinement_rounds", "halvings", "contacts_active", "energy",
                            "energies", "tolerance", "smallest_distance"})
        EXPECT_NE(text.find(fmt::format("\"{}\":", key)), std::string::npos) << key;
    // What is read is what was written.
    write_report(folder / "again.json", read_report(folder / "out" / "report.json"));
    EXPECT_EQ(read_text_file(folder / "again.json"), text);
}

TEST_F(DynamicsRun, TheSameBytesForAnyNumberOfThreads) {
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        run_scene(load(), to(std::to_string(threads)));
    }
    EXPECT_EQ(content("1"), content("2"));
    EXPECT_EQ(content("1"), content("8"));
}

TEST_F(DynamicsRun, AnyRangeStartsFromTheFirstFrame) {
    run_scene(load(), to("whole"));
    RunSettings settings = to("part");
    settings.frames = FrameSequence{4, 5, 1};
    EXPECT_EQ(run_scene(load(), settings).frames_done, 2);
    const auto whole = content("whole"), part = content("part");
    EXPECT_FALSE(part.contains("cube.0003.obj"));
    for (const char* file : {"cube.0004.obj", "cloth.0005.obj"})
        EXPECT_EQ(part.at(file), whole.at(file));
}

TEST_F(DynamicsRun, ResumeGoesOnAsIfThereHadBeenNoBreak) {
    run_scene(load(), to("whole"));
    RunSettings settings = to("parts");
    stop_at(0.5, settings);
    EXPECT_TRUE(fs::exists(folder / "parts" / "cube.0003.obj"));
    EXPECT_FALSE(fs::exists(folder / "parts" / "cube.0005.obj"));
    settings.resume = true;
    const RunSummary summary = run_scene(load(), settings);
    EXPECT_GT(summary.frames_skipped, 2);
    EXPECT_EQ(summary.frames_skipped + summary.frames_done, 6);
    EXPECT_EQ(content("parts"), content("whole"));
    // All is there.
    EXPECT_EQ(run_scene(load(), settings).frames_done, 0);
    EXPECT_EQ(content("parts"), content("whole"));
}

TEST_F(DynamicsRun, ResumeDoesNotTrustWhatIsNotWhole) {
    run_scene(load(), to("whole"));
    const auto whole = content("whole");
    RunSettings settings = to("out");
    settings.resume = true;
    const auto resumed = [&](const auto& harm) {
        fs::remove_all(folder / "out");
        fs::copy(folder / "whole", folder / "out");
        fs::remove(folder / "out" / "cube.0006.obj");
        harm();
        run_scene(load(), settings);
        EXPECT_EQ(content("out"), whole);
    };
    // A frame before the state's is missing; the state is missing, cut, of something else.
    resumed([&] { fs::remove(folder / "out" / "cloth.0002.obj"); });
    const fs::path state = folder / "out" / "dynamics.state";
    resumed([&] { fs::remove(state); });
    resumed([&] { fs::resize_file(state, fs::file_size(state) / 2); });
    resumed([&] { write_file_atomically(state, "precious"); });
    resumed([&] { fs::remove(folder / "out" / "report.json"); });
    // Of another scene.
    run_scene(load({"gravity=[0,-5,0]"}), settings);
    EXPECT_NE(content("out"), whole);
    run_scene(load(), settings);
    EXPECT_EQ(content("out"), whole);
}

TEST_F(DynamicsRun, AStateThatIsBehindTheFramesIsEnough) {
    run_scene(load(), to("whole"));
    RunSettings settings = to("out");
    settings.frames = FrameSequence{1, 3, 1};
    run_scene(load(), settings);
    const std::string state = read_text_file(folder / "out" / "dynamics.state");
    settings.frames = FrameSequence{1, 4, 1};
    run_scene(load(), settings);
    // As if the program had ended between the frame and its state.
    write_file_atomically(folder / "out" / "dynamics.state", state);
    settings.frames = std::nullopt;
    settings.resume = true;
    EXPECT_EQ(run_scene(load(), settings).frames_skipped, 4);
    EXPECT_EQ(content("out"), content("whole"));
}

TEST_F(DynamicsRun, FramesBetweenStepsLieBetweenTheirStates) {
    RunSettings settings = to("quarters");
    settings.frames = FrameSequence{2, 4, 0.25};
    run_scene(load(), settings);
    run_scene(load(), to("whole"));
    const auto at = [&](const char* label) {
        return written("quarters", fmt::format("cube.{}.obj", label));
    };
    // Two steps a frame: halves are states, quarters are half-way.
    const auto begin = at("0002.000"), quarter = at("0002.250"), half = at("0002.500");
    EXPECT_EQ(begin, written("whole", "cube.0002.obj"));
    EXPECT_EQ(at("0004.000"), written("whole", "cube.0004.obj"));
    EXPECT_NE(half, begin);
    for (std::size_t v = 0; v < begin.size(); ++v)
        EXPECT_LT((quarter[v] - 0.5 * (begin[v] + half[v])).norm(), 1e-15);
    const Report report = read_report(folder / "quarters" / "report.json");
    EXPECT_EQ(find_frame(report, 2.25)->dynamics->steps, 1);
    EXPECT_EQ(find_frame(report, 2.5)->dynamics->steps, 1);
    EXPECT_EQ(find_frame(report, 2.75)->dynamics->steps, 2);
    EXPECT_EQ(find_frame(report, 3)->dynamics->steps, 2);
}

TEST_F(DynamicsRun, FramesBeforeTheFirstAreAsThat) {
    RunSettings settings = to("out");
    settings.frames = FrameSequence{-1, 1, 1};
    run_scene(load(), settings);
    EXPECT_EQ(written("out", "cube.-0001.obj"), written("out", "cube.0001.obj"));
}

TEST_F(DynamicsRun, CachesHoldTheSameFramesAndLeaveNoState) {
    for (const char* format : {"usda", "pc2"}) {
        RunSettings settings = to(format);
        settings.format = *output_format(format);
        run_scene(load(), settings);
        const auto files = content(format);
        EXPECT_EQ(files.size(), 5u);
        EXPECT_EQ(run_scene(load(), settings).frames_done, 6);
        EXPECT_EQ(content(format), files);
        settings.resume = true;
        EXPECT_EQ(run_scene(load(), settings).frames_done, 0);
        EXPECT_EQ(content(format), files);
        fs::remove(folder / format / (std::string("cloth.") + format));
        EXPECT_EQ(run_scene(load(), settings).frames_done, 6);
        EXPECT_EQ(content(format), files);
    }
}

TEST_F(DynamicsRun, CachesGoOnAsIfThereHadBeenNoBreak) {
    for (const char* format : {"usda", "pc2", "glb"}) {
        RunSettings settings = to(std::string("whole.") + format);
        settings.format = *output_format(format);
        settings.resumable = true;
        run_scene(load(), settings);
        const std::string parts = std::string("parts.") + format;
        const fs::path store = folder / parts / (std::string(format) + ".frames");
        settings.out = folder / parts;
        stop_at(0.5, settings);
        EXPECT_TRUE(fs::exists(store / "dynamics.state"));
        EXPECT_FALSE(fs::exists(folder / parts / "report.json"));
        settings.resume = true;
        stop_at(0.6, settings);
        const RunSummary summary = run_scene(load(), settings);
        EXPECT_GT(summary.frames_skipped, 2);
        EXPECT_EQ(summary.frames_skipped + summary.frames_done, 6);
        EXPECT_FALSE(fs::exists(store));
        EXPECT_EQ(content(parts), content(std::string("whole.") + format));
    }
}

TEST_F(DynamicsRun, CachesDoNotTrustFramesOfAnotherScene) {
    RunSettings settings = to("whole");
    settings.format = OutputFormat::pc2;
    settings.resumable = true;
    run_scene(load(), settings);
    settings.out = folder / "parts";
    stop_at(0.5, settings);
    // Frames of this scene are not those of one with another gravity, and the other way round.
    settings.resume = true;
    EXPECT_EQ(run_scene(load({"gravity=[0,-5,0]"}), settings).frames_done, 6);
    EXPECT_NE(content("parts"), content("whole"));
    EXPECT_EQ(run_scene(load(), settings).frames_done, 6);
    EXPECT_EQ(content("parts"), content("whole"));
    // A frame that is cut is done again, and a report that is none is no reason to stop.
    const fs::path store = folder / "parts" / "pc2.frames";
    for (const bool cut : {true, false}) {
        fs::remove_all(folder / "parts");
        stop_at(0.5, settings);
        if (cut)
            fs::resize_file(store / "0002.000.frame", 100);
        else
            write_file_atomically(store / "report.json", "precious");
        run_scene(load(), settings);
        EXPECT_EQ(content("parts"), content("whole"));
    }
    // Killed when all was done but tidying up.
    write_file_atomically(store / "0002.000.frame", "something");
    EXPECT_EQ(run_scene(load(), settings).frames_done, 0);
    EXPECT_FALSE(fs::exists(store));
    // Whoever is refused leaves alone what another will go on with.
    write_file_atomically(store / "0002.000.frame", "something");
    settings.frames = FrameSequence{2, 7, 1};
    EXPECT_THROW(run_scene(load(), settings), InputError);
    EXPECT_TRUE(fs::exists(store / "0002.000.frame"));
    settings.frames.reset();
    // Unless it is asked for, nothing is left.
    settings.resumable = false;
    fs::remove_all(folder / "parts");
    stop_at(0.5, settings);
    EXPECT_TRUE(fs::is_empty(folder / "parts"));
}

TEST_F(DynamicsRun, VelocitiesRideAlong) {
    RunSettings settings = to("out");
    settings.format = OutputFormat::ply;
    run_scene(load(), settings);
    const auto velocity = [&](const char* file) {
        return read_mesh(folder / "out" / file).mesh.attributes.at("velocity");
    };
    ASSERT_EQ(velocity("cube.0002.ply").components, 3);
    EXPECT_NEAR(velocity("cube.0002.ply").at(0, 0), 0.1, 1e-6);
    EXPECT_NEAR(velocity("cube.0002.ply").at(0, 1), -9.81 * 0.02, 1e-3);
    EXPECT_EQ(velocity("floor.0002.ply").at(0, 1), 0);
}

TEST_F(DynamicsRun, TheMethodCanBeChosen) {
    RunSettings settings = to("out");
    settings.method = Method::deform;
    const RunSummary deformed = run_scene(load(), settings);
    EXPECT_EQ(deformed.method, Method::deform);
    EXPECT_FALSE(deformed.report.frames[0].dynamics);
    EXPECT_FALSE(fs::exists(folder / "out" / "dynamics.state"));
    // Nothing of the one method is taken for the other's.
    settings.method = Method::dynamics;
    settings.resume = true;
    const RunSummary simulated = run_scene(load(), settings);
    EXPECT_EQ(simulated.frames_done, 6);
    EXPECT_EQ(simulated.report.frames.size(), 6u);
    EXPECT_TRUE(simulated.report.frames[0].dynamics);
}

TEST_F(DynamicsRun, BodiesThatStartInEachOtherAreNamed) {
    try {
        run_scene(load({"objects.cube.transform.translate=[0,0.05,0]"}), to("out"));
        FAIL() << "expected an error";
    } catch (const GeometryError& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with((folder / "falling.json").string() + ": ")) << message;
        EXPECT_NE(message.find("cube"), std::string::npos) << message;
        EXPECT_NE(message.find("floor"), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
    EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST_F(DynamicsRun, AStopBetweenStepsIsNoBreak) {
    const LoadedScene scene = load();
    const std::vector<double> frames = {1, 2, 3, 4};
    const SimulatedFrames kept = simulate_frames(scene, Method::dynamics, frames);
    SceneSimulation simulation(scene, Method::dynamics);
    std::vector<SimulatedFrame> shown;
    int breaks = 0;
    // After every single step, of which a frame has two.
    while (simulation.frame() < 4) {
        std::stop_source source;
        const Progress progress{[&](double) { source.request_stop(); }, source.get_token()};
        try {
            simulation.run(
                frames, [&](SimulatedFrame frame) { shown.push_back(std::move(frame)); }, {},
                progress);
        } catch (const Cancelled&) {
            ++breaks;
        }
    }
    EXPECT_EQ(breaks, 5);
    ASSERT_EQ(shown.size(), 4u);
    for (const SimulatedFrame& frame : shown)
        EXPECT_EQ(frame.solved.after, kept.solve(frame.report.frame).after);
    EXPECT_EQ(shown[3].report.dynamics->steps, 2);
}

TEST_F(DynamicsRun, OnlyMethodsThatDependOnTimeAreSimulated) {
    const LoadedScene scene = load();
    EXPECT_EQ(input_error([&] { SceneSimulation(scene, Method::deform); }),
              (folder / "falling.json").string() +
                  ": method: found deform, expected one that depends on time");
}

TEST_F(DynamicsRun, PicturesTakeKeptFrames) {
    const LoadedScene scene = load();
    run_scene(scene, to("out"));
    const std::vector<double> frames = {4, 1, 2.5};
    const SimulatedFrames kept = simulate_frames(scene, Method::dynamics, frames);
    EXPECT_EQ(kept.solve(4).after[0], written("out", "cube.0004.obj"));
    EXPECT_EQ(kept.solve(1).after, kept.solve(1).before);
    EXPECT_EQ(kept.solve(2.5).before, positions_at(scene, 2.5));
    EXPECT_THROW(kept.solve(3), InputError);
    // The floor is a sheet that does not move: nothing to look at.
    EXPECT_EQ(kept.followed(), (std::vector<bool>{true, true, true, false}));
}

} // namespace
} // namespace knead
