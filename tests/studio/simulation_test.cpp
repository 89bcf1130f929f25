// Scenes whose method depends on time, as the page sees them.

#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/scene_simulation.hpp"

#include <thread>

#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {

class StudioSimulation : public StudioTest {
protected:
    /// A rigid cube that falls onto a floor.
    static TestJson falling() {
        return TestJson::parse(R"({
          "knead": 1, "frames": [1, 12], "fps": 50, "step": 0.01, "method": "dynamics",
          "objects": [
            {"name": "cube", "mesh": {"box": {"size": [0.2, 0.2, 0.2], "cells": [2, 2, 2]}},
             "transform": {"translate": [0, 0.13, 0]},
             "body": {"type": "rigid", "velocity": [0.1, 0, 0]}},
            {"name": "floor", "mesh": {"grid": {"size": [2, 2], "cells": [4, 4]}}, "rigid": true}
          ]})");
    }
    // A soft ball, whose frames take longer than messages.
    static TestJson slow() {
        TestJson document = falling();
        document["frames"] = {1, 400};
        document["step"] = 0.004;
        document["objects"][0] =
            TestJson::parse(R"({"name": "cube", "mesh": {"sphere": {"subdivisions": 2}},
                                "transform": {"translate": [0, 0.52, 0], "scale": 0.5},
                                "body": {"type": "volume", "cells": 6}})");
        return document;
    }
    LoadedScene load(const TestJson& document) {
        return load_scene(parse_scene(document.dump(), folder.path() / "balls.json"));
    }
    static std::vector<float> single(const std::vector<Vec3>& positions) {
        std::vector<float> numbers;
        for (const Vec3& p : positions)
            for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(p[i]));
        return numbers;
    }
    std::map<double, std::vector<float>> expected(const TestJson& document,
                                                  const std::vector<double>& frames) {
        const LoadedScene scene = load(document);
        const SimulatedFrames kept = simulate_frames(scene, scene.scene.method, frames);
        std::map<double, std::vector<float>> positions;
        for (const double frame : frames) positions[frame] = single(kept.solve(frame).after[0]);
        return positions;
    }

    struct Answers {
        std::vector<BinaryAnswer> on_the_way;
        std::optional<BinaryAnswer> last;
        TestJson text; ///< when the last was no frame
    };
    /// All that comes for a request.
    static Answers answers_to(PageClient& page, unsigned id) {
        Answers answers;
        for (;;) {
            const PageClient::Message message = page.next();
            if (message.kind == PageClient::Message::Kind::binary) {
                BinaryAnswer answer = take_apart(message.bytes);
                if (answer.id != id) continue;
                if (!answer.json.contains("on_the_way")) {
                    answers.last = std::move(answer);
                    return answers;
                }
                answers.on_the_way.push_back(std::move(answer));
            } else {
                answers.text = TestJson::parse(message.bytes);
                if (answers.text.contains("id") && answers.text.at("id") == id &&
                    answers.text.contains("ok"))
                    return answers;
            }
        }
    }
    static Answers solve(PageClient& page, double frame, const TestJson& document = nullptr) {
        const unsigned id = ++page.last_id;
        page.send({{"id", id}, {"do", "solve"}, {"frame", frame}, {"document", document}});
        return answers_to(page, id);
    }
    static TestJson ranges(const BinaryAnswer& answer) {
        return answer.json.at("simulation").at("ranges");
    }
};

TEST_F(StudioSimulation, HelloTellsTheMethods) {
    const TestJson methods = connect().ask({{"do", "hello"}}).at("methods");
    ASSERT_EQ(methods.size(), knead::methods().size());
    EXPECT_EQ(methods.at(0), TestJson::parse(R"({"name": "deform", "in_time": false})"));
    EXPECT_EQ(methods.at(1), TestJson::parse(R"({"name": "dynamics", "in_time": true})"));
    EXPECT_EQ(methods.at(2), TestJson::parse(R"({"name": "implicit", "in_time": true})"));
}

TEST_F(StudioSimulation, FramesInAnyOrderAreThoseOfTheLibrary) {
    PageClient page = connect();
    const std::vector<double> frames = {5, 2, 8, 3.25, 1, 12, 11, 6.5, 0};
    const auto right = expected(falling(), frames);
    TestJson document = falling();
    for (const double frame : frames) {
        const Answers answers = solve(page, frame, document);
        ASSERT_TRUE(answers.last) << answers.text;
        EXPECT_EQ(answers.last->json.at("frame"), frame);
        EXPECT_EQ(answers.last->floats("after", "cube"), right.at(frame)) << frame;
        EXPECT_EQ(answers.last->floats("before", "cube"),
                  single(positions_at(load(falling()), 0, frame)));
        document = nullptr;
    }
    const Answers last = solve(page, 12);
    EXPECT_EQ(ranges(*last.last), TestJson::parse("[[0, 12]]"));
    EXPECT_TRUE(last.on_the_way.empty());
}

TEST_F(StudioSimulation, ImplicitSolidsNeedNoMeshes) {
    const TestJson scene = TestJson::parse(R"({
      "knead": 1, "frames": [1, 8], "fps": 25, "step": 0.01, "method": "implicit",
      "objects": [
        {"name": "cube", "skeleton": [{"segment": [[-0.1, 0, 0], [0.1, 0, 0]]}], "samples": 300,
         "field": {"radius": 0.3, "influence": 0.5, "stiffness": 8},
         "transform": {"translate": [0, 0.33, 0]}},
        {"name": "floor", "rigid": true, "samples": 300,
         "skeleton": [{"triangle": [[-2, -0.3, -2], [0, -0.3, 2], [2, -0.3, -2]]}],
         "field": {"radius": 0.3, "influence": 0.5, "stiffness": 8}}
      ]})");
    PageClient page = connect();
    const std::vector<double> frames = {8, 1, 4.5, 6};
    const auto right = expected(scene, frames);
    EXPECT_NE(right.at(8), right.at(1));
    TestJson document = scene;
    for (const double frame : frames) {
        const Answers answers = solve(page, frame, document);
        ASSERT_TRUE(answers.last) << answers.text;
        EXPECT_EQ(answers.last->floats("after", "cube"), right.at(frame)) << frame;
        document = nullptr;
    }
}

TEST_F(StudioSimulation, AFrameHasTheReportOfTheSimulation) {
    PageClient page = connect();
    const Answers answers = solve(page, 12, falling());
    ASSERT_TRUE(answers.last) << answers.text;
    // What it begins with is shown at once, with the document.
    ASSERT_GE(answers.on_the_way.size(), 1u);
    EXPECT_EQ(answers.on_the_way[0].json.at("frame"), 1);
    EXPECT_EQ(answers.on_the_way[0].json.at("document").at("objects").size(), 2u);
    EXPECT_FALSE(answers.last->json.contains("document"));

    const LoadedScene scene = load(falling());
    SceneSimulation simulation(scene, Method::dynamics);
    std::optional<SimulatedFrame> right;
    simulation.run(std::vector{12.0}, [&](SimulatedFrame frame) { right = std::move(frame); });
    const TestJson& json = answers.last->json;
    EXPECT_EQ(json.at("objects").at(0).at("volume_before"), right->report.objects[0].volume_before);
    ASSERT_EQ(json.at("contacts").size(), right->report.contacts.size());
    ASSERT_EQ(json.at("contacts").size(), 1u);
    const TestJson& contact = json.at("contacts").at(0);
    EXPECT_EQ(contact.at("between"), TestJson::parse(R"(["cube", "floor"])"));
    EXPECT_EQ(contact.at("depth_after"), 0);
    EXPECT_GT(contact.at("zone_area").at(0), 0);
    const TestJson& numbers = json.at("simulation").at("numbers");
    EXPECT_EQ(numbers.at("steps"), right->report.dynamics->steps);
    EXPECT_EQ(numbers.at("tolerance"), right->report.dynamics->tolerance);
    EXPECT_EQ(json.at("simulation").at("notes").size(), 0u);
    EXPECT_TRUE(json.at("milliseconds").contains("measure"));
}

TEST_F(StudioSimulation, AnEditStartsAgain) {
    PageClient page = connect();
    solve(page, 6, falling());
    TestJson document = falling();
    document["objects"][0]["body"]["velocity"] = {0.5, 0, 0};
    const Answers answers = solve(page, 4, document);
    ASSERT_TRUE(answers.last) << answers.text;
    EXPECT_EQ(answers.last->floats("after", "cube"), expected(document, {4}).at(4));
    EXPECT_EQ(ranges(*answers.last), TestJson::parse("[[1, 4]]"));
    // Another method is another document, too.
    document["method"] = "deform";
    const Answers deformed = solve(page, 4, document);
    ASSERT_TRUE(deformed.last) << deformed.text;
    EXPECT_FALSE(deformed.last->json.contains("simulation"));
    EXPECT_EQ(solve(page, 4, falling()).last->floats("after", "cube"),
              expected(falling(), {4}).at(4));
}

TEST_F(StudioSimulation, ASolveThatGivesWayLosesNothing) {
    PageClient page = connect();
    const unsigned first = ++page.last_id;
    page.send({{"id", first}, {"do", "solve"}, {"frame", 400}, {"document", slow()}});
    // As soon as something is shown, far less is wanted.
    int reached = 0;
    while (reached < 2) {
        const PageClient::Message message = page.next();
        ASSERT_EQ(message.kind, PageClient::Message::Kind::binary);
        reached = take_apart(message.bytes).json.at("frame");
    }
    const unsigned second = ++page.last_id;
    page.send({{"id", second}, {"do", "solve"}, {"frame", 2}});
    const Answers given_way = answers_to(page, first);
    EXPECT_EQ(given_way.text.value("superseded", false), true);
    const Answers back = answers_to(page, second);
    ASSERT_TRUE(back.last);
    const int last = ranges(*back.last).at(0).at(1);
    EXPECT_EQ(ranges(*back.last), TestJson({{1, last}}));
    EXPECT_GE(last, reached);
    // It goes on from there, in the middle of a frame or not.
    const Answers on = solve(page, last + 2);
    ASSERT_TRUE(on.last) << on.text;
    for (const BinaryAnswer& answer : on.on_the_way) EXPECT_GT(answer.json.at("frame"), last);
    const double frame = last + 2;
    EXPECT_EQ(on.last->floats("after", "cube"), expected(slow(), {frame}).at(frame));
}

TEST_F(StudioSimulation, OtherRequestsNeedNotWaitForIt) {
    PageClient page = connect();
    const unsigned first = ++page.last_id;
    page.send({{"id", first}, {"do", "solve"}, {"frame", 400}, {"document", slow()}});
    EXPECT_EQ(take_apart(page.next().bytes).json.at("frame"), 1);
    const BinaryAnswer mesh = page.ask_for_numbers({{"do", "mesh"}, {"object", "cube"}});
    EXPECT_EQ(mesh.kind, 2);
    // Now and then; and it is still on its way.
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(page.ask({{"do", "scenes"}}).at("ok"));
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const unsigned second = ++page.last_id;
    page.send({{"id", second}, {"do", "solve"}, {"frame", 1}});
    const Answers given_way = answers_to(page, first);
    EXPECT_EQ(given_way.text.value("superseded", false), true);
    EXPECT_TRUE(answers_to(page, second).last);
    // A document that takes its place ends it, too.
    page.send({{"id", ++page.last_id}, {"do", "solve"}, {"frame", 400}});
    const unsigned third = page.last_id;
    page.send({{"id", ++page.last_id}, {"do", "document"}, {"document", falling()}});
    EXPECT_EQ(answers_to(page, third).text.value("superseded", false), true);
}

TEST_F(StudioSimulation, WhatCannotBeSimulatedIsSaid) {
    PageClient page = connect();
    const auto right = expected(falling(), {3});
    solve(page, 3, falling());
    TestJson document = falling();
    document["objects"][0]["transform"]["translate"] = {0, 0.05, 0};
    const Answers inside = solve(page, 3, document);
    ASSERT_FALSE(inside.last);
    const std::string sentence = inside.text.at("error");
    EXPECT_NE(sentence.find("cube"), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find(folder.path().string()), std::string::npos) << sentence;
    // The last good one stays, with its frames.
    const Answers still = solve(page, 3);
    EXPECT_EQ(still.last->floats("after", "cube"), right.at(3));
    EXPECT_TRUE(still.on_the_way.empty());

    document = falling();
    document["objects"][0]["body"]["type"] = "cloth";
    document["objects"][0]["body"]["pins"] = {1000};
    const TestJson wrong = solve(page, 3, document).text;
    EXPECT_EQ(wrong.at("ok"), false);
    EXPECT_EQ(wrong.at("path").get<std::string>().substr(0, 10), "objects[0]");

    EXPECT_EQ(page.ask({{"do", "brush"},
                        {"brush", "radial"},
                        {"object", "cube"},
                        {"at", {0, 0, 0}},
                        {"radius", 0.1},
                        {"frame", 3}})
                  .at("error"),
              "brush: found \"radial\", expected \"local\" where the scene is simulated");
}

TEST_F(StudioSimulation, MemoryHasABound) {
    // A cube of 26 vertices and a floor of 25: 1.2 kB a frame, and a little more where they touch.
    settings.limits.simulated_bytes = 5000;
    PageClient page = connect();
    const std::vector<double> frames = {12, 2, 3, 11, 1};
    const auto right = expected(falling(), frames);
    TestJson document = falling();
    for (const double frame : frames) {
        const Answers answers = solve(page, frame, document);
        ASSERT_TRUE(answers.last) << answers.text;
        EXPECT_EQ(answers.last->floats("after", "cube"), right.at(frame)) << frame;
        int kept = 0;
        for (const TestJson& range : ranges(*answers.last))
            kept += range.at(1).get<int>() - range.at(0).get<int>() + 1;
        EXPECT_LE(kept, 4);
        EXPECT_GE(kept, 2);
        document = nullptr;
    }
}

} // namespace
} // namespace knead::studio
