#include "knead/bulge/brush.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"
#include "knead/scene/picture/picture.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/spec/controls.hpp"
#include "knead/spatial/closest_point.hpp"

#include <thread>

#include "studio/studio_test.hpp"

namespace knead::studio {
namespace {

class StudioSession : public StudioTest {
protected:
    LoadedScene load(const TestJson& document) {
        return load_scene(parse_scene(document.dump(), folder.path() / "balls.json"));
    }
    static std::vector<float> single(const std::vector<Vec3>& positions) {
        std::vector<float> numbers;
        for (const Vec3& p : positions)
            for (int i = 0; i < 3; ++i) numbers.push_back(static_cast<float>(p[i]));
        return numbers;
    }
};

TEST_F(StudioSession, HelloTellsWhatThereIs) {
    PageClient page = connect();
    const TestJson hello = page.ask({{"do", "hello"}});
    EXPECT_TRUE(hello.at("ok"));
    EXPECT_EQ(hello.at("protocol"), 1);
    EXPECT_EQ(hello.at("scene"), "balls.json");
    EXPECT_EQ(hello.at("document"), balls());
    EXPECT_EQ(hello.at("revision").get<std::string>().size(), 16u);
    EXPECT_EQ(hello.at("folder"), folder.path().string());
    EXPECT_EQ(hello.at("demos"), TestJson::parse(R"([{"name": "pair", "about": "Two balls."}])"));
    EXPECT_GE(hello.at("threads"), 1);
    EXPECT_EQ(hello.at("limits").at("assets"), 200);
    EXPECT_EQ(hello.at("presets"), TestJson::parse(R"(["rubber", "flesh", "cushion", "dough"])"));
    EXPECT_EQ(hello.at("preset_values").at("dough").at("profile.bulge_at"), 0.35);
    EXPECT_EQ(hello.at("schema").size(),
              std::ranges::count_if(
                  controls(), [](const Control& control) { return control.group != "dynamics"; }));
    EXPECT_EQ(hello.at("fields").size(), field_names().size());
    const TestJson& stiffness = hello.at("schema").at(3);
    EXPECT_EQ(stiffness.at("path"), "stiffness");
    EXPECT_EQ(stiffness.at("of"), "object");
    EXPECT_EQ(stiffness.at("kind"), "number");
    EXPECT_EQ(stiffness.at("default"), 1);
    EXPECT_EQ(stiffness.at("least"), 0);
    EXPECT_TRUE(stiffness.at("most").is_null());
    EXPECT_TRUE(stiffness.at("paintable"));
}

TEST_F(StudioSession, WithoutASceneThereIsNoDocument) {
    settings.scene.reset();
    PageClient page = connect();
    const TestJson hello = page.ask({{"do", "hello"}});
    EXPECT_TRUE(hello.at("scene").is_null());
    EXPECT_TRUE(hello.at("document").is_null());
    EXPECT_TRUE(hello.at("revision").is_null());
    const TestJson answer = page.ask({{"do", "solve"}, {"frame", 1}});
    EXPECT_EQ(answer.at("error"), "there is no document yet, expected one to be sent before");
    EXPECT_EQ(answer.at("path"), "");
}

TEST_F(StudioSession, ADemoIsADocument) {
    PageClient page = connect();
    EXPECT_EQ(page.ask({{"do", "demo"}, {"name", "pair"}}).at("document"), balls());
    EXPECT_EQ(page.ask({{"do", "demo"}, {"name", "pear"}}).at("error"),
              "name: found \"pear\", expected the name of a demo");
    EXPECT_EQ(page.ask({{"do", "demo"}}).at("error"), "name: missing, expected the name of a demo");
}

TEST_F(StudioSession, ADocumentIsSummedUp) {
    PageClient page = connect();
    TestJson document = balls();
    document["objects"][0]["attributes"] =
        TestJson::parse(R"({"firm": {"base": 0.5, "strokes": []}})");
    const TestJson answer = page.ask({{"do", "document"}, {"document", document}});
    EXPECT_EQ(answer.at("frames"), TestJson::parse("[1, 10]"));
    EXPECT_EQ(answer.at("fps"), 24);
    const TestJson& left = answer.at("objects").at(0);
    EXPECT_EQ(left.at("name"), "left");
    EXPECT_EQ(left.at("vertices"), 642);
    EXPECT_EQ(left.at("triangles"), 1280);
    EXPECT_EQ(left.at("rigid"), false);
    EXPECT_EQ(left.at("attributes"), TestJson::parse(R"(["firm"])"));
    EXPECT_EQ(answer.at("contacts"),
              TestJson::parse(R"([{"between": ["left", "right"], "of": null}])"));
    document["contacts"] = TestJson::parse(R"([{"between": ["right", "left"]}])");
    EXPECT_EQ(page.ask({{"do", "document"}, {"document", document}}).at("contacts"),
              TestJson::parse(R"([{"between": ["right", "left"], "of": 0}])"));
}

TEST_F(StudioSession, AMeshHasTrianglesRestAndAttributes) {
    PageClient page = connect();
    TestJson document = balls();
    document["objects"][1]["attributes"] =
        TestJson::parse(R"({"firm": {"base": 0.5, "strokes": []}})");
    page.ask({{"do", "document"}, {"document", document}});
    const LoadedScene scene = load(document);
    const BinaryAnswer mesh = page.ask_for_numbers({{"do", "mesh"}, {"object", "right"}});
    EXPECT_EQ(mesh.kind, 2);
    EXPECT_EQ(mesh.floats("rest", "right"), single(scene.objects[1].source.mesh.positions));
    EXPECT_EQ(mesh.floats("firm", "right"), std::vector<float>(642, 0.5f));
    const std::vector<unsigned> corners = mesh.indices("triangles", "right");
    ASSERT_EQ(corners.size(), 3 * 1280u);
    for (int f = 0; f < 1280; ++f)
        for (int i = 0; i < 3; ++i)
            EXPECT_EQ(int(corners[3 * f + i]), scene.objects[1].source.mesh.faces[f][i]);
    EXPECT_EQ(page.ask({{"do", "mesh"}, {"object", "middle"}}).at("error"),
              "object: found \"middle\", expected the name of an object");
}

TEST_F(StudioSession, ASolvedFrameIsThatOfTheLibraryInSinglePrecision) {
    PageClient page = connect();
    const LoadedScene scene = load(balls());
    const BinaryAnswer answer = page.ask_for_numbers({{"do", "solve"},
                                                      {"frame", 7.5},
                                                      {"fields", {"u", "depth", "unheard"}},
                                                      {"document", balls()}});
    const SolvedFrame solved = FrameSolver(scene).solve(7.5);
    EXPECT_EQ(answer.kind, 1);
    EXPECT_EQ(answer.json.at("frame"), 7.5);
    EXPECT_EQ(answer.floats("after", "left"), single(solved.after[0]));
    EXPECT_EQ(answer.floats("before", "right"), single(solved.before[1]));
    EXPECT_NE(answer.floats("after", "left"), answer.floats("before", "left"));
    EXPECT_EQ(answer.floats("u", "left").size(), 642u);
    EXPECT_EQ(answer.floats("depth", "left").size(), 642u);
    EXPECT_EQ(answer.floats("unheard", "left").size(), 0u);
    const ObjectReport report = object_report(scene, solved, 0);
    const TestJson& left = answer.json.at("objects").at(0);
    EXPECT_EQ(left.at("volume_after"), report.volume_after);
    EXPECT_EQ(left.at("contact_vertices"), report.contact_vertices);
    EXPECT_EQ(left.at("deformed_vertices"), report.deformed_vertices);
    EXPECT_GT(answer.json.at("contacts").at(0).at("zone_area").at(0), 0);
    EXPECT_GT(answer.json.at("milliseconds").at("total"), 0);
    EXPECT_EQ(answer.json.at("document").at("objects").size(), 2u);
}

TEST_F(StudioSession, MeasuresFollowWhenThereIsTime) {
    PageClient page = connect();
    page.ask_for_numbers({{"do", "solve"}, {"frame", 10}, {"document", balls()}});
    const TestJson measures = page.wait_for_event("measures");
    EXPECT_EQ(measures.at("id"), page.last_id);
    const LoadedScene scene = load(balls());
    const auto reports = contact_reports(scene, make_gauge(scene), FrameSolver(scene).solve(10));
    const TestJson& contact = measures.at("contacts").at(0);
    EXPECT_EQ(contact.at("between"), TestJson::parse(R"(["left", "right"])"));
    EXPECT_EQ(contact.at("depth_before"), reports[0].depth_before);
    EXPECT_EQ(contact.at("depth_after"), reports[0].depth_after);
    EXPECT_EQ(contact.at("crossings_before"), reports[0].crossings_before);
    EXPECT_EQ(contact.at("crossings_after"), reports[0].crossings_after);
    EXPECT_EQ(contact.at("note"), "");
}

TEST_F(StudioSession, AFrameIsMeasuredAsPartOfItsOwnDocument) {
    const LoadedScene scene = load(balls());
    const auto reports = contact_reports(scene, make_gauge(scene), FrameSolver(scene).solve(10));
    // More objects, finer ones, one that is simulated, and none in contact.
    TestJson more = balls(), finer = balls(), simulated = balls(), alone = balls();
    more["objects"].push_back({{"name", "third"}, {"mesh", {{"box", TestJson::object()}}}});
    finer["objects"][0]["mesh"]["sphere"]["subdivisions"] = 5;
    simulated["method"] = "dynamics";
    alone["objects"].erase(0);
    for (const TestJson& other : {more, finer, simulated, alone}) {
        PageClient page = connect();
        // The second waits already when the first is done, so that there is no time to measure.
        page.send({{"id", 1}, {"do", "solve"}, {"frame", 10}, {"document", balls()}});
        page.send({{"id", 2}, {"do", "document"}, {"document", other}});
        const TestJson measures = page.wait_for_event("measures");
        EXPECT_EQ(measures.at("id"), 1);
        ASSERT_EQ(measures.at("contacts").size(), 1u);
        EXPECT_EQ(measures.at("contacts").at(0).at("depth_before"), reports[0].depth_before);
        EXPECT_EQ(measures.at("contacts").at(0).at("crossings_after"), reports[0].crossings_after);
    }
}

TEST_F(StudioSession, MessagesInBetweenDoNotKeepAFrameFromBeingMeasured) {
    TestJson fine = balls();
    for (TestJson& object : fine["objects"]) object["mesh"]["sphere"]["subdivisions"] = 6;
    PageClient page = connect();
    page.ask_for_numbers({{"do", "solve"}, {"frame", 10}, {"document", fine}});
    const auto id = page.last_id;
    // It is likely being measured when these come.
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        page.send({{"id", 100 + i}, {"do", "document"}, {"document", fine}});
    }
    EXPECT_EQ(page.wait_for_event("measures").at("id"), id);
}

TEST_F(StudioSession, AnErrorNamesItsKeyAndLeavesTheLastDocumentInForce) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    TestJson wrong = balls();
    wrong["objects"][1]["stiffness"] = -1;
    for (const char* action : {"document", "solve"}) {
        const TestJson answer = page.ask({{"do", action}, {"frame", 1}, {"document", wrong}});
        EXPECT_EQ(answer.at("ok"), false);
        EXPECT_EQ(answer.at("error"),
                  "objects[1].stiffness: found -1, expected a number of at least 0");
        EXPECT_EQ(answer.at("path"), "objects[1].stiffness");
    }
    wrong = balls();
    wrong["objects"][0]["mesh"] = "missing.obj";
    const TestJson answer = page.ask({{"do", "document"}, {"document", wrong}});
    EXPECT_EQ(answer.at("error"), "objects[0].mesh: missing.obj: no such file");
    EXPECT_EQ(answer.at("path"), "objects[0].mesh");
    EXPECT_EQ(page.ask_for_numbers({{"do", "solve"}, {"frame", 10}}).floats("after", "left").size(),
              3 * 642u);
    EXPECT_EQ(page.ask({{"do", "solve"}, {"frame", "x"}}).at("error"),
              "frame: found \"x\", expected a number");
}

TEST_F(StudioSession, AMeshKeepsItsVersionWhileOnlyNumbersChange) {
    PageClient page = connect();
    TestJson document = balls();
    const auto versions = [&] {
        const TestJson answer = page.ask({{"do", "document"}, {"document", document}});
        return std::array{answer.at("objects").at(0).at("mesh_version").get<int>(),
                          answer.at("objects").at(1).at("mesh_version").get<int>()};
    };
    const auto first = versions();
    EXPECT_NE(first[0], first[1]);
    document["objects"][0]["stiffness"] = 3;
    document["objects"][1]["transform"] = TestJson::parse(R"({"translate": [1.7, 0, 0]})");
    EXPECT_EQ(versions(), first);
    document["objects"][0]["attributes"] =
        TestJson::parse(R"({"firm": {"base": 0.5, "strokes": []}})");
    const auto painted = versions();
    EXPECT_GT(painted[0], first[0]);
    EXPECT_EQ(painted[1], first[1]);
    document["objects"][1]["mesh"]["sphere"]["radius"] = 0.9;
    EXPECT_GT(versions()[1], painted[1]);
    EXPECT_EQ(versions()[0], painted[0]);
}

TEST_F(StudioSession, EditsGiveTheSameAsAFreshStart) {
    PageClient page = connect();
    TestJson document = balls();
    page.ask({{"do", "document"}, {"document", document}});
    const char* edits[] = {
        R"({"stiffness": 3})",
        R"({"bulge": 2, "profile": {"bulge_at": 0.3}})",
        R"({"mesh": {"sphere": {"subdivisions": 3, "radius": 1.05}}})",
        R"({"attributes": {"firm": {"strokes": [{"at": [1, 0, 0], "radius": 0.5}]}},
            "stiffness": {"map": "firm", "low": 1, "high": 4}})",
        R"({"attributes": {"firm": {"strokes": [{"at": [1, 0, 0], "radius": 0.5},
                                                {"at": [0, 1, 0], "radius": 0.9}]}}})",
        R"({"region": "firm"})"};
    for (const char* edit : edits) {
        document["objects"][0].update(TestJson::parse(edit));
        const BinaryAnswer answer =
            page.ask_for_numbers({{"do", "solve"}, {"frame", 9}, {"document", document}});
        EXPECT_EQ(answer.floats("after", "left"),
                  single(FrameSolver(load(document)).solve(9).after[0]))
            << edit;
    }
}

TEST_F(StudioSession, ANewerSolveTakesThePlaceOfOlderOnesThatWait) {
    PageClient page = connect();
    TestJson document = balls();
    page.ask({{"do", "document"}, {"document", document}});
    constexpr unsigned count = 60;
    for (unsigned i = 1; i <= count; ++i) {
        document["objects"][0]["stiffness"] = 1 + i;
        page.send({{"id", 1000 + i}, {"do", "solve"}, {"frame", 10}, {"document", document}});
    }
    unsigned given_way = 0, solved = 0;
    for (unsigned i = 0; i < count; ++i) {
        const PageClient::Message message = page.next();
        if (message.kind == PageClient::Message::Kind::binary) {
            ++solved;
            const BinaryAnswer answer = take_apart(message.bytes);
            if (answer.id == 1000 + count) {
                EXPECT_EQ(answer.floats("after", "left"),
                          single(FrameSolver(load(document)).solve(10).after[0]));
            }
        } else if (TestJson::parse(message.bytes).contains("superseded")) {
            ++given_way;
        } else {
            --i; // measures of one that was solved
        }
    }
    EXPECT_EQ(given_way + solved, count);
    EXPECT_GT(given_way, 0u);
}

TEST_F(StudioSession, TheDocumentOfASolveThatGaveWayStillCounts) {
    PageClient page = connect();
    TestJson document = balls();
    page.ask({{"do", "document"}, {"document", document}});
    document["objects"][0]["name"] = "renamed";
    // While the first is being solved the others wait.
    for (unsigned i = 1; i <= 20; ++i) page.send({{"id", 100 + i}, {"do", "solve"}, {"frame", i}});
    page.send({{"id", 200}, {"do", "solve"}, {"frame", 10}, {"document", document}});
    page.send({{"id", 201}, {"do", "solve"}, {"frame", 10}});
    for (;;) {
        const PageClient::Message message = page.next();
        if (message.kind != PageClient::Message::Kind::binary) continue;
        const BinaryAnswer answer = take_apart(message.bytes);
        if (answer.id != 201) continue;
        EXPECT_EQ(answer.json.at("objects").at(0).at("name"), "renamed");
        break;
    }
}

TEST_F(StudioSession, ASolveThatHasBegunGivesWayToANewerOne) {
    PageClient page = connect();
    TestJson document = balls();
    page.ask({{"do", "document"}, {"document", document}});
    // Reading it takes far longer than the message that takes its place.
    for (TestJson& object : document["objects"]) object["mesh"]["sphere"]["subdivisions"] = 7;
    page.send({{"id", 100}, {"do", "solve"}, {"frame", 10}, {"document", document}});
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    page.send({{"id", 101}, {"do", "solve"}, {"frame", 9}, {"document", balls()}});
    const TestJson first = TestJson::parse(page.next().bytes);
    EXPECT_EQ(first.at("id"), 100);
    EXPECT_EQ(first.at("superseded"), true);
    const BinaryAnswer second = take_apart(page.next().bytes);
    EXPECT_EQ(second.id, 101u);
    EXPECT_EQ(second.floats("after", "left"), single(FrameSolver(load(balls())).solve(9).after[0]));
}

TEST_F(StudioSession, TwoPagesAreTwoSessions) {
    PageClient first = connect(), second = connect();
    TestJson document = balls();
    first.ask({{"do", "document"}, {"document", document}});
    document["objects"][0]["name"] = "other";
    second.ask({{"do", "document"}, {"document", document}});
    first.send_asset("mine.csv", "1\n");
    EXPECT_EQ(first.ask_for_numbers({{"do", "mesh"}, {"object", "left"}}).kind, 2);
    EXPECT_EQ(second.ask({{"do", "mesh"}, {"object", "left"}}).at("ok"), false);
    first.hang_up();
    EXPECT_EQ(second.ask_for_numbers({{"do", "mesh"}, {"object", "other"}}).kind, 2);
}

TEST_F(StudioSession, ASymmetricStrokePaintsTheMiddleOnce) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    const LoadedScene scene = load(balls());
    const Surface surface = make_surface(scene.objects[0].source.mesh);
    const LocalBrush brush{0.5, 0.6, BrushDistance::geodesic};
    TestJson stroke = {{"do", "brush"}, {"brush", "local"}, {"object", "left"},
                       {"radius", 0.5}, {"falloff", 0.6},   {"at", {0.2, 0.9, 0.3}}};
    const FacePoint center = closest_point(surface, Vec3(0.2, 0.9, 0.3))->point;
    const BrushWeights one = local_brush(surface, center, brush);
    // What is drawn of the brush is where its weights are.
    const auto weight = [](double reach) {
        const double t = reach > 0.4 ? (reach - 0.4) / 0.6 : 0;
        return reach < 1 ? std::pow(1 - t * t, 2) : 0;
    };
    const auto expect_drawn = [&](const BrushWeights& expected) {
        const BinaryAnswer drawn = page.ask_for_numbers(stroke);
        EXPECT_EQ(drawn.kind, 3);
        const std::vector<float> reach = drawn.floats("reach", "left");
        ASSERT_EQ(reach.size(), expected.size());
        for (std::size_t v = 0; v < reach.size(); ++v)
            EXPECT_NEAR(weight(reach[v]), expected[v], 1e-5);
    };
    expect_drawn(one);
    stroke["mirror"] = {{"normal", {1, 0, 0}}};
    const BrushWeights other = local_brush(surface, mirrored(surface, center, {}), brush);
    const BrushWeights both = together(one, other);
    expect_drawn(both);

    stroke["do"] = "paint";
    stroke["operation"] = "add";
    stroke["value"] = 0.5;
    const auto values = page.ask(stroke).at("values").get<std::vector<double>>();
    int twice = 0;
    for (std::size_t v = 0; v < values.size(); ++v) {
        EXPECT_EQ(values[v], 0.5 * both[v]);
        twice += one[v] > 0 && other[v] > 0 ? 1 : 0;
    }
    EXPECT_GT(twice, 10);
    stroke["brush"] = "square";
    EXPECT_EQ(page.ask(stroke).at("error"),
              "brush: found \"square\", expected \"local\" or \"radial\"");
}

TEST_F(StudioSession, TheRadialBrushPaintsAroundAContact) {
    PageClient page = connect();
    page.ask({{"do", "document"}, {"document", balls()}});
    const TestJson stroke = {{"do", "paint"}, {"brush", "radial"}, {"object", "left"},
                             {"frame", 10},   {"radius", 0.3},     {"at", {0.7, 0.7, 0}},
                             {"value", 2}};
    const TestJson answer = page.ask(stroke);
    ASSERT_TRUE(answer.at("ok")) << answer;
    const auto values = answer.at("values").get<std::vector<double>>();
    ASSERT_EQ(values.size(), 642u);
    EXPECT_GT(*std::max_element(values.begin(), values.end()), 1);
    EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0);
    // On top of what is there, here and on the other side.
    TestJson more = stroke;
    more["values"] = values;
    more["operation"] = "add";
    more["mirror"] = {{"normal", {0, 1, 0}}};
    const auto both = page.ask(more).at("values").get<std::vector<double>>();
    const auto painted = [](const std::vector<double>& map) {
        return std::count_if(map.begin(), map.end(), [](double v) { return v > 0; });
    };
    EXPECT_GT(painted(both), painted(values) * 3 / 2);
    std::string csv;
    for (const double value : values) csv += fmt::format("{}\n", value);
    page.send_asset("firm.csv", csv);
    more["values"] = "firm.csv";
    EXPECT_EQ(page.ask(more).at("values").get<std::vector<double>>(), both);

    // Or on the map as the document has it: nothing, here.
    TestJson named = stroke;
    named["attribute"] = "firm";
    EXPECT_EQ(page.ask(named).at("values").get<std::vector<double>>(), values);

    more["values"] = {1, 2};
    EXPECT_EQ(page.ask(more).at("error"),
              "values: found a list of 2, expected a list of 642, one a vertex");
    TestJson early = stroke;
    early["frame"] = 1;
    EXPECT_EQ(page.ask(early).at("error"),
              "\"left\": nothing touches it at frame 1, expected a contact to paint around");
}

} // namespace
} // namespace knead::studio
