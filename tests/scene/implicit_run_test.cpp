// Scenes of implicit solids: the keys, what is wrong with them, and runs as `run_scene` writes
// them.

#include "knead/base/error.hpp"
#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/implicit/field.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/implicit/scene_solids.hpp"
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

// A soft ball that falls on a floor, which is object 0 at line 3; the ball is object 1 at line 6.
constexpr const char* falling_ball = R"({
  "knead": 1, "frames": [1, 6], "fps": 25, "step": 0.01, "method": "implicit", "objects": [
    {"name": "floor", "rigid": true, "samples": 400, "drag": 0.8, "friction": 0.5,
     "skeleton": [{"triangles": [[[-1, -0.3, -1], [-1, -0.3, 1], [1, -0.3, 1]], [[-1, -0.3, -1], [1, -0.3, 1], [1, -0.3, -1]]]}],
     "field": {"radius": 0.3, "influence": 0.8, "stiffness": 4}},
    {"name": "ball", "samples": 600, "drag": 0.8, "friction": 0.5, "density": 0.02,
     "skeleton": [{"point": [0, 0, 0]}],
     "field": {"radius": 0.5, "influence": 0.9, "stiffness": 4},
     "transform": {"translate": [0.02, 0.53, 0.01]}}
  ]
})";

// The same with the objects in the other order.
std::string in_other_order() {
    const std::string text = falling_ball;
    const std::size_t floor = text.find("    {\"name\": \"floor\""),
                      ball = text.find("    {\"name\": \"ball\""), end = text.find("\n  ]\n");
    return text.substr(0, floor) + text.substr(ball, end - ball) + ",\n" +
           text.substr(floor, ball - floor - 2) + text.substr(end);
}

class ImplicitRun : public testing::Test {
protected:
    OwnFolder own;
    const fs::path& folder = own.path();

    LoadedScene load(const std::vector<std::string>& overrides = {},
                     std::string_view text = falling_ball) {
        return load_scene(parse_scene(std::string(text), folder / "falling.json", {{}, overrides}));
    }
    RunSettings to(const std::string& out) {
        RunSettings settings;
        settings.out = folder / out;
        return settings;
    }
    Report report_of(const std::vector<std::string>& overrides,
                     std::string_view text = falling_ball) {
        return run_scene(load(overrides, text), to("out")).report;
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
    // What is wrong with the scene after a change, without the path it begins with.
    std::string error(const std::vector<std::string>& overrides) {
        const std::string message = input_error([&] {
            const LoadedScene scene = load(overrides);
            SceneSimulation(scene, Method::implicit);
        });
        const std::string begin = (folder / "falling.json").string();
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    }
    // What the report of the first frame notes after a change.
    std::vector<std::string> notes(const std::vector<std::string>& overrides) {
        const LoadedScene scene = load(overrides);
        std::vector<std::string> found;
        SceneSimulation(scene, Method::implicit)
            .run(std::vector<double>{1.0},
                 [&](const SimulatedFrame& frame) { found = frame.report.dynamics->notes; });
        return found;
    }
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

TEST(ImplicitKeys, AreRead) {
    const ImplicitSpec spec =
        ball(
            "'skeleton': [{'point': [1, 2, 3]}, {'segment': [[0, 0, 0], [1, 0, 0]], 'field': "
            "{'radius': 0.2, 'law': 'nonlinear'}}, {'curve': [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "
            "'samples': 3}, {'triangles': [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]}], 'field': "
            "{'radius': "
            "0.5, 'influence': 1, 'stiffness': 3, 'kind': 'convolution'}, 'propagation': {'width': "
            "0.3, 'attenuation': 0.4, 'compressibility': 0.5}, 'density': 0.03, 'drag': 0.6, "
            "'friction': 0.7, 'samples': 700")
            .implicit;
    ASSERT_EQ(spec.skeleton.size(), 4u);
    EXPECT_EQ(spec.skeleton[0].points[0].at(1), Vec3(1, 2, 3));
    EXPECT_EQ(spec.skeleton[1].kind, SkeletonPiece::Kind::segment);
    EXPECT_EQ(spec.skeleton[1].field.radius->at(1), 0.2);
    EXPECT_EQ(spec.skeleton[1].field.law, FieldSpec::Law::nonlinear);
    EXPECT_FALSE(spec.skeleton[1].field.influence);
    EXPECT_EQ(spec.skeleton[2].kind, SkeletonPiece::Kind::curve);
    EXPECT_EQ(spec.skeleton[2].samples, 3);
    EXPECT_EQ(spec.skeleton[3].points.size(), 3u);
    EXPECT_EQ(spec.field.influence->at(1), 1);
    EXPECT_EQ(spec.field.stiffness->at(1), 3);
    EXPECT_EQ(spec.field.kind, FieldSpec::Kind::convolution);
    EXPECT_EQ(spec.propagation.width->at(1), 0.3);
    EXPECT_EQ(spec.propagation.attenuation->at(1), 0.4);
    EXPECT_EQ(spec.propagation.compressibility->at(1), 0.5);
    EXPECT_EQ(spec.density->at(1), 0.03);
    EXPECT_EQ(spec.drag->at(1), 0.6);
    EXPECT_EQ(spec.friction.at(1), 0.7);
    EXPECT_EQ(spec.samples, 700);
    EXPECT_FALSE(spec.is_animated());
}

TEST(ImplicitKeys, BrokenOnesAreNamed) {
    EXPECT_EQ(ball_error("'skeleton': [{'dot': [0, 0, 0]}]"),
              ".skeleton[0].dot: unknown key, expected one of point, segment, polyline, curve, "
              "triangle, triangles, samples, field, joint, joints");
    EXPECT_EQ(ball_error("'skeleton': [{'pont': [0, 0, 0]}]"),
              ".skeleton[0].pont: unknown key, did you mean \"point\"?");
    EXPECT_EQ(ball_error("'skeleton': [{'field': {'radius': 1}}]"),
              ".skeleton[0]: found an object, expected one of the keys point, "
              "segment, polyline, curve, triangle and triangles");
    EXPECT_EQ(ball_error("'skeleton': []"),
              ".skeleton: found an empty list, expected a list of points, segments, polylines and "
              "triangles");
    EXPECT_EQ(ball_error("'skeleton': [{'segment': [[0, 0, 0]]}]"),
              ".skeleton[0].segment: found a list of 1, expected a list of two points");
    EXPECT_EQ(ball_error("'skeleton': [{'triangles': [[[0, 0, 0], [1, 0, 0]]]}]"),
              ".skeleton[0].triangles[0]: found a list of 2, expected a list of three points");
    EXPECT_EQ(ball_error("'skeleton': [{'point': [0, 0, 0], 'samples': 4}]"),
              ".skeleton[0].samples: only a curve is sampled, expected the key curve beside it");
    EXPECT_EQ(ball_error("'field': {'radius': 0}"),
              ".field.radius: found 0, expected a positive number");
    EXPECT_EQ(ball_error("'field': {'radios': 1}"),
              ".field.radios: unknown key, did you mean \"radius\"?");
    EXPECT_EQ(ball_error("'field': {'kind': 'magic'}"),
              ".field.kind: found \"magic\", expected \"distance\" or \"convolution\"");
    EXPECT_EQ(ball_error("'propagation': {'compressibility': 2}"),
              ".propagation.compressibility: found 2, expected a number from 0 to 1");
    EXPECT_EQ(ball_error("'samples': 3"),
              ".samples: found 3, expected a whole number from 50 to 1000000");
    EXPECT_EQ(ball_error("'density': 0"), ".density: found 0, expected a positive number");
    EXPECT_EQ(ball_error("'drag': -1"), ".drag: found -1, expected a number of at least 0");
    const std::string skin = "'skin': {'skeleton': [{'name': 'root', 'position': [0, 0, 0]}]}, ";
    EXPECT_EQ(ball_error(skin + "'skeleton': [{'segment': [[0, 0, 0], [1, 0, 0]], 'joints': "
                                "['root', 'root', 'root']}]"),
              ".skeleton[0].joints: found 3 joints, expected one a point, 2");
    EXPECT_EQ(ball_error(skin + "'skeleton': [{'point': [0, 0, 0], 'joint': 'root', 'joints': "
                                "['root']}]"),
              ".skeleton[0].joints: found joint as well, expected one of both");
}

TEST_F(ImplicitRun, FieldsThatCannotBeAreNamed) {
    EXPECT_EQ(
        error({"objects.ball.field.influence=0.4"}),
        ":7: objects[1].skeleton[0]: the influence is 0.4, expected more than the radius, 0.5");
    EXPECT_EQ(error({"objects.ball.field.stiffness=8"}),
              ":7: objects[1].skeleton[0]: the stiffness is 8, with which the field turns negative "
              "before its influence; expected at most 3 / (influence - radius), 7.5");
    EXPECT_EQ(error({R"(objects.ball.field={"influence": 1})"}),
              ":7: objects[1].skeleton[0]: there is no radius, expected the key radius in the "
              "object's field or its own");
    // A short skeleton adds up to little.
    EXPECT_TRUE(
        error({R"(objects.ball.skeleton=[{"segment": [[0, 0, 0], [0.01, 0, 0]]}])",
               "objects.ball.field.kind=convolution"})
            .ends_with(": objects[1].skeleton: the field never reaches 1, at most 0.08522 on its "
                       "skeleton, so there is no solid; expected a longer skeleton, or a larger "
                       "stiffness or radius"));
    EXPECT_EQ(
        error({"objects.ball.transform.scale=[1,2,1]"}),
        ":7: objects[1].skeleton: found the scale (1, 2, 1), expected the same along all axes, "
        "since the field of an implicit solid goes by distances");
}

TEST_F(ImplicitRun, JointsThatAreNotThereAreNamed) {
    const std::string skin =
        R"(objects.ball.skin={"skeleton": [{"name": "root", "position": [0, 0, 0]}]})";
    const std::string piece = R"(objects.ball.skeleton=[{"point": [0, 0, 0], "joint": "rot"}])";
    EXPECT_EQ(error({skin, piece}),
              "--set " + piece +
                  ": objects[1].skeleton[0].joint: found \"rot\", expected a joint; the object has "
                  "\"root\"");
    EXPECT_EQ(error({piece}),
              "--set " + piece +
                  ": objects[1].skeleton[0].joint: found \"rot\", but the object has no skin; "
                  "expected the key skin beside its skeleton");
}

TEST_F(ImplicitRun, MotionBeyondAllSenseIsNamedAtOnce) {
    const auto refusal = [&](const std::string& change) -> std::string {
        try {
            run_scene(load({change}), to("out"));
        } catch (const SolveError& error) {
            return error.what();
        }
        return "no error";
    };
    const std::string at = (folder / "falling.json").string() + ": frame 1.25: solid ",
                      rest = "; expected slower motion or a shorter step";
    EXPECT_EQ(refusal("gravity=[0,-1e9,0]"),
              at +
                  "'ball' would move by 1e+05 in a step of 0.01 s, more than 10000 times its size "
                  "of 1.73" +
                  rest);
    EXPECT_EQ(refusal(json("objects.ball.body={'type':'rigid','angular_velocity':[0,1e9,0]}")),
              at + "'ball' would turn 1.59e+06 times in a step of 0.01 s, more than 10000 times" +
                  rest);
    EXPECT_EQ(refusal(json(
                  "objects.floor.transform={'translate':{'keys':[[1,[0,0,0]],[2,[9e15,0,0]]]}}")),
              at +
                  "'floor' would move by 1.41e+15 in a step of 0.01 s, more than 10000 times its "
                  "size of 3.72" +
                  rest);
    // There its own size is a matter of rounding.
    EXPECT_TRUE(
        refusal(json("objects.floor.transform={'translate':[9e15,0,0]}"))
            .starts_with(at + "'floor' would get 9e+15 away from the origin, further than "));
    // A skeleton that follows a key of its own.
    EXPECT_EQ(
        refusal(json("objects.floor.skeleton=[{'segment':[[-1,-0.3,0],{'keys':[[1,[1,-0.3,0]],[2,"
                     "[9e15,-0.3,0]]]}]}]")),
        at + "'floor' would get 1.41e+15 away from the origin, further than 2.73e+08" + rest);
}

TEST_F(ImplicitRun, ASceneNeedsASkeleton) {
    const LoadedScene scene = load_scene(parse_scene(
        json("{'knead': 1, 'objects': [{'name': 'a', 'mesh': {'sphere': {}}}]}"), "a.json"));
    EXPECT_EQ(input_error([&] { make_scene_solids(scene); }),
              "a.json: objects: none has a skeleton, expected one for the method implicit");
}

TEST_F(ImplicitRun, SolidsThatStartInEachOtherAreNamed) {
    EXPECT_EQ(error({"objects.ball.transform.translate=[0,-0.2,0]"}),
              ": ball and floor start in each other, with 100 % of their thickness pressed "
              "away, expected at most 90 %");
    const auto shallow = notes({"objects.ball.transform.translate=[0,0.45,0]"});
    ASSERT_EQ(shallow.size(), 1u);
    EXPECT_EQ(shallow[0], "ball and floor start in each other: 9.8 % of their thickness is pressed "
                          "away, and pushes them apart");
    EXPECT_EQ(notes({}), std::vector<std::string>());
}

TEST_F(ImplicitRun, PartsThatNothingJoinsAreNoted) {
    EXPECT_EQ(
        notes({R"(objects.ball.skeleton=[{"point": [0, 0, 0]}, {"point": [3, 0, 0]}])"}),
        std::vector<std::string>{"ball: its surface has 2 parts that nothing joins; they move as "
                                 "one rigid piece, with the mass and inertia of all of them"});
}

TEST_F(ImplicitRun, VerticesFarFromTheSurfaceAreNoted) {
    const std::vector<std::string> found =
        notes({R"(objects.ball.mesh={"sphere": {"radius": 1, "subdivisions": 1}})",
               "objects.ball.transform.translate=[0,2,0]"});
    EXPECT_EQ(found,
              std::vector<std::string>{"ball: 42 vertices of its mesh have no surface of its "
                                       "field nearby and take no part in contacts"});
}

TEST_F(ImplicitRun, ObjectsWithoutASkeletonAreLeftOut) {
    const std::string text = in_other_order();
    std::string more = text;
    more.insert(more.find("    {\"name\": \"ball\""),
                "    {\"name\": \"lamp\", \"mesh\": {\"box\": {}}},\n");
    const Report report = report_of({}, more);
    ASSERT_EQ(report.frames[5].objects.size(), 3u);
    EXPECT_EQ(report.frames[0].dynamics->notes,
              std::vector<std::string>{
                  "lamp: left out, since it has no skeleton that makes an implicit solid"});
}

TEST_F(ImplicitRun, WritesFramesReportDescriptionsAndState) {
    const RunSummary summary = run_scene(load(), to("out"));
    EXPECT_EQ(summary.method, Method::implicit);
    EXPECT_EQ(summary.frames_done, 6);
    std::set<std::string> names, expected = {"report.json", "implicit.state"};
    for (const auto& [name, text] : content("out")) names.insert(name);
    for (int frame = 1; frame <= 6; ++frame) {
        expected.insert(fmt::format("implicit.000{}.json", frame));
        for (const char* object : {"ball", "floor"})
            expected.insert(fmt::format("{}.000{}.obj", object, frame));
    }
    EXPECT_EQ(names, expected);
}

TEST_F(ImplicitRun, ComesToRestUnderItsWeight) {
    const Report report = report_of({"frames=[1,60]"});
    double before = report.frames[0].dynamics->energy();
    for (const FrameReport& frame : report.frames) {
        const double now = frame.dynamics->energy();
        EXPECT_LE(now, before + 1e-3 * std::abs(before)) << frame.frame;
        before = now;
        EXPECT_EQ(frame.dynamics->notes, std::vector<std::string>()) << frame.frame;
    }
    const FrameReport& last = report.frames.back();
    EXPECT_LT(last.dynamics->kinetic, 1e-9);
    ASSERT_EQ(last.contacts.size(), 1u);
    // Of the floor, which the ball presses down.
    const double weight = 0.02 * 9.81 * last.objects[1].volume_before;
    EXPECT_NEAR(last.contacts[0].force->y(), -weight, 0.01 * weight);
    EXPECT_LT(std::hypot(last.contacts[0].force->x(), last.contacts[0].force->z()), 0.01 * weight);
    EXPECT_LT(last.contacts[0].depth_after, 0.01);
    EXPECT_GT(last.contacts[0].depth_before, 0.05);
}

TEST_F(ImplicitRun, KeepsItsVolumeOrSaysSo) {
    for (const double width : {0.4, 0.05}) {
        const Report report = report_of({"frames=[1,20]", fmt::format("objects.ball.propagation={{"
                                                                      "\"width\": {}, "
                                                                      "\"compressibility\": 0}}",
                                                                      width)});
        bool noted = false;
        for (const FrameReport& frame : report.frames) {
            const ObjectReport& object = frame.objects[1];
            noted = noted || !frame.dynamics->notes.empty();
            if (frame.dynamics->notes.empty()) {
                EXPECT_NEAR(object.volume_after, object.volume_before, 0.02 * object.volume_before)
                    << frame.frame;
            }
        }
        EXPECT_EQ(noted, width < 0.1);
    }
}

TEST_F(ImplicitRun, TheSameBytesForAnyNumberOfThreads) {
    for (const int threads : {1, 2}) {
        const ThreadLimit limit(threads);
        run_scene(load(), to(std::to_string(threads)));
    }
    EXPECT_EQ(content("1"), content("2"));
}

TEST_F(ImplicitRun, TheOrderOfTheObjectsChangesNothing) {
    run_scene(load(), to("one"));
    run_scene(load({}, in_other_order()), to("other"));
    for (const char* file : {"ball.0003.obj", "ball.0006.obj", "floor.0006.obj"})
        EXPECT_EQ(read_text_file(folder / "one" / file), read_text_file(folder / "other" / file));
}

TEST_F(ImplicitRun, ResumeGoesOnAsIfThereHadBeenNoBreak) {
    run_scene(load(), to("whole"));
    RunSettings settings = to("parts");
    stop_at(0.5, settings);
    EXPECT_TRUE(fs::exists(folder / "parts" / "ball.0003.obj"));
    EXPECT_FALSE(fs::exists(folder / "parts" / "ball.0006.obj"));
    settings.resume = true;
    const RunSummary summary = run_scene(load(), settings);
    EXPECT_GT(summary.frames_skipped, 1);
    EXPECT_EQ(summary.frames_skipped + summary.frames_done, 6);
    EXPECT_EQ(content("parts"), content("whole"));
    // A state that is none is not trusted.
    fs::remove(folder / "parts" / "ball.0006.obj");
    write_file_atomically(folder / "parts" / "implicit.state", "precious");
    run_scene(load(), settings);
    EXPECT_EQ(content("parts"), content("whole"));
}

TEST_F(ImplicitRun, CachesGoOnAsIfThereHadBeenNoBreak) {
    for (const char* format : {"usda", "pc2", "glb"}) {
        RunSettings settings = to(std::string("whole.") + format);
        settings.format = *output_format(format);
        settings.resumable = true;
        run_scene(load(), settings);
        const std::string parts = std::string("parts.") + format;
        const fs::path store = folder / parts / (std::string(format) + ".frames");
        settings.out = folder / parts;
        stop_at(0.5, settings);
        EXPECT_TRUE(fs::exists(store / "implicit.state"));
        EXPECT_FALSE(fs::exists(folder / parts / "report.json"));
        settings.resume = true;
        const RunSummary summary = run_scene(load(), settings);
        EXPECT_GT(summary.frames_skipped, 1);
        EXPECT_EQ(summary.frames_skipped + summary.frames_done, 6);
        EXPECT_FALSE(fs::exists(store));
        EXPECT_EQ(content(parts), content(std::string("whole.") + format));
    }
}

TEST_F(ImplicitRun, FramesBetweenStepsLieBetweenTheirStates) {
    RunSettings settings = to("parts");
    settings.frames = FrameSequence{2, 4, 0.125};
    run_scene(load({"objects.ball.transform.translate=[0,2,0]"}), settings);
    // Four steps a frame; it falls freely and does not turn.
    const auto at = [&](const char* label) {
        return written("parts", fmt::format("ball.{}.obj", label));
    };
    const auto begin = at("0002.000"), between = at("0002.125"), end = at("0002.250");
    EXPECT_LT(end[0].y(), begin[0].y() - 1e-4);
    for (std::size_t v = 0; v < begin.size(); ++v)
        EXPECT_LT((between[v] - 0.5 * (begin[v] + end[v])).norm(), 1e-12);
    EXPECT_TRUE(fs::exists(folder / "parts" / "implicit.0002.125.json"));
}

TEST_F(ImplicitRun, DescriptionsMakeTheSameFrames) {
    run_scene(load({"frames=[1,20]"}), to("run"));
    RunSettings again = to("again");
    again.from = folder / "run";
    again.frames = FrameSequence{20, 20, 1};
    run_scene(load({"frames=[1,20]"}), again);
    for (const char* file : {"ball.0020.obj", "floor.0020.obj"}) {
        const auto first = written("run", file), second = written("again", file);
        ASSERT_EQ(first.size(), second.size());
        for (std::size_t v = 0; v < first.size(); ++v)
            EXPECT_LT((first[v] - second[v]).norm(), 1e-9) << file;
    }
    // Other samples are on the same surface, flat where it touches.
    again.out = folder / "finer";
    run_scene(load({"frames=[1,20]", "objects.ball.samples=2000"}), again);
    const auto coarse = written("run", "ball.0020.obj"), fine = written("finer", "ball.0020.obj");
    EXPECT_GT(fine.size(), 2 * coarse.size());
    EXPECT_NEAR(bounding_box(coarse).lower.y(), bounding_box(fine).lower.y(), 1e-6);
    EXPECT_NEAR(bounding_box(coarse).upper.y(), bounding_box(fine).upper.y(), 1e-2);
}

TEST_F(ImplicitRun, DescriptionsOfTheVaultingHorseAreSmall) {
    const LoadedScene scene =
        load_scene(read_scene(fs::path(KNEAD_SCENES) / "vaulting-horse.json",
                              {{},
                               {"objects.horse.samples=800", "objects.ball.samples=400",
                                "objects.second.samples=400", "objects.floor.samples=400"}}));
    RunSettings settings = to("horse");
    settings.frames = FrameSequence{30, 30, 1};
    const RunSummary summary = run_scene(scene, settings);
    EXPECT_EQ(summary.report.frames[0].contacts.size(), 3u);
    EXPECT_LT(fs::file_size(folder / "horse" / "implicit.0030.json"), 1000u);
}

TEST_F(ImplicitRun, BrokenDescriptionsAreNamed) {
    run_scene(load(), to("run"));
    RunSettings again = to("again");
    again.from = folder / "run";
    again.frames = FrameSequence{6, 6, 1};
    const fs::path file = folder / "run" / "implicit.0006.json";
    const std::string right = read_text_file(file);
    const auto complaint = [&](const std::string& text) {
        write_file_atomically(file, text);
        const std::string message = input_error([&] { run_scene(load(), again); });
        EXPECT_TRUE(message.starts_with(file.string() + ": ")) << message;
        return message.substr(std::min(message.size(), file.string().size() + 2));
    };
    EXPECT_EQ(complaint("{").substr(0, 46), "found something that is no frame of solids: [j");
    EXPECT_EQ(complaint(R"({"knead": 2})"), "knead: found 2, expected 1");
    EXPECT_EQ(complaint(R"({"knead": 1, "solids": {}})"), "there is no solid 'floor'");
    std::string other = right;
    other.replace(other.find("\"touches\":{\"floor\""), 18, "\"touches\":{\"flour\"");
    EXPECT_EQ(complaint(other), "found a touch with 'flour', expected a solid of the scene");
    fs::remove(file);
    const std::string missing = input_error([&] { run_scene(load(), again); });
    EXPECT_NE(missing.find(file.string()), std::string::npos) << missing;
    again.method = Method::dynamics;
    EXPECT_EQ(input_error([&] {
                  run_scene(load({R"(objects.ball.body={"type": "rigid", "density": 10})"}), again);
              }),
              (folder / "run").string() +
                  ": only the method implicit keeps descriptions of frames");
}

TEST_F(ImplicitRun, SkeletonsAreMeshesForTheDeformer) {
    RunSettings settings = to("out");
    settings.method = Method::deform;
    settings.frames = FrameSequence{1, 1, 1};
    const RunSummary summary =
        run_scene(load({"objects.ball.transform.translate=[0,0.4,0]"}), settings);
    EXPECT_FALSE(summary.report.frames[0].dynamics);
    ASSERT_EQ(summary.report.frames[0].contacts.size(), 1u);
    EXPECT_NEAR(summary.report.frames[0].contacts[0].depth_before, 0.1, 0.01);
    EXPECT_LT(summary.report.frames[0].contacts[0].depth_after, 0.01);
}

TEST_F(ImplicitRun, SkeletonsFollowTheJoints) {
    const std::vector<std::string> arm = {
        R"(objects.ball.skeleton=[{"segment": [[0, 0, 0], [1, 0, 0]], "joint": "shoulder"},
                                  {"segment": [[1, 0, 0], [2, 0, 0]], "joint": "elbow"}])",
        R"(objects.ball.field={"radius": 0.2, "influence": 0.4, "stiffness": 10, "kind": "convolution"})",
        R"(objects.ball.skin={"skeleton": [{"name": "shoulder", "position": [0, 0, 0]},
            {"name": "elbow", "parent": "shoulder", "position": [1, 0, 0],
             "rotate": {"keys": [[1, [0, 0, 30]], [6, [0, 0, 90]]]}},
            {"name": "hand", "parent": "elbow", "position": [2, 0, 0]}]})",
        "objects.ball.transform.translate=[0,1,0]"};
    const LoadedScene scene = load(arm);
    const SceneSolids solids = make_scene_solids(scene);
    EXPECT_TRUE(solids.solids[1].held);
    const auto targets = held_targets(scene, solids, 6);
    ASSERT_TRUE(targets[1].pieces);
    EXPECT_LT(((*targets[1].pieces)[1].points[1] - Vec3(1, 1, 0)).norm(), 1e-12);
    const RunSummary summary = run_scene(scene, to("out"));
    for (const FrameReport& frame : summary.report.frames)
        EXPECT_EQ(frame.dynamics->notes, std::vector<std::string>());
    // Every sample is on the surface of the bent field, at both ends of the movement.
    for (const auto& [file, degrees] :
         {std::pair{"ball.0001.obj", 30.0}, {"ball.0006.obj", 90.0}}) {
        const double angle = degrees * std::acos(-1.0) / 180;
        std::vector<FieldPiece> pieces = solids.solids[1].pieces;
        pieces[1].points[1] = Vec3(1 + std::cos(angle), std::sin(angle), 0);
        const Field bent(pieces);
        for (const Vec3& position : written("out", file))
            EXPECT_NEAR(bent.value(position - Vec3(0, 1, 0)), 1, 1e-6) << file;
    }
}

} // namespace
} // namespace knead
