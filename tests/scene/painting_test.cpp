#include "knead/scene/methods/deform/frame_solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class PaintingTest : public SceneFolder {
protected:
    static std::string with(std::string_view strokes, std::string_view more = "") {
        return fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, "
                           "'attributes': {{'half': {{'base': 0.25, 'strokes': [{}]}}}} {}}}",
                           strokes, more);
    }
    // The map, and the mesh that it is on.
    TriangleMesh painted(std::string_view strokes) const {
        return load(with(strokes)).objects[0].source.mesh;
    }
    std::string error(std::string_view strokes, std::string_view more = "") const {
        const std::string message = input_error([&] { load(with(strokes, more)); });
        const std::string begin = here() + "scene.json:1: objects[0].";
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    }
};

TEST_F(PaintingTest, TheBaseIsEverywhereAndAStrokeWithinItsRadius) {
    const TriangleMesh plain = painted("");
    for (const double value : plain.attributes.at("half").values) EXPECT_EQ(value, 0.25);
    const TriangleMesh mesh = painted(
        "{'at': [0, 0.9, 0], 'radius': 0.5, 'falloff': 0, 'distance': 'euclidean', 'value': 2}");
    int inside = 0;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        // The middle is the nearest point of the ball, not the point itself.
        const double distance = (mesh.positions[v] - Vec3(0, 1, 0)).norm();
        if (std::abs(distance - 0.5) < 0.01) continue;
        EXPECT_EQ(mesh.attributes.at("half").at(v), distance < 0.5 ? 2 : 0.25) << v;
        inside += distance < 0.5;
    }
    EXPECT_GT(inside, 20);
}

TEST_F(PaintingTest, StrokesAreMadeOneAfterTheOther) {
    const std::string_view whole = "'at': [0, 1, 0], 'radius': 9, 'falloff': 0";
    const auto after = [&](std::string_view strokes) {
        std::string filled(strokes);
        for (std::size_t at; (at = filled.find('@')) != std::string::npos;)
            filled.replace(at, 1, whole);
        return painted(filled).attributes.at("half").values.front();
    };
    EXPECT_EQ(after("{@, 'operation': 'add', 'value': 2}"), 2.25);
    EXPECT_EQ(after("{@, 'operation': 'add', 'value': 2}, "
                    "{@, 'operation': 'subtract', 'value': 0.5, 'strength': 0.5}"),
              2);
    EXPECT_EQ(after("{@, 'operation': 'subtract', 'value': 0.5, 'strength': 0.5}, "
                    "{@, 'operation': 'set', 'value': 4}"),
              4);
    EXPECT_EQ(after("{@}"), 1);
    EXPECT_EQ(after("{@, 'operation': 'smooth'}"), 0.25);
}

TEST_F(PaintingTest, SmoothingTakesTheTopOff) {
    const std::string dab = "{'at': [0, 1, 0], 'radius': 0.4, 'value': 1}";
    const auto highest = [&](const std::string& strokes) {
        const std::vector<double> values = painted(strokes).attributes.at("half").values;
        return *std::max_element(values.begin(), values.end());
    };
    const double before = highest(dab);
    const double after = highest(dab + ", {'at': [0, 1, 0], 'radius': 0.8, 'operation': 'smooth'}");
    EXPECT_LT(after, before - 0.05);
    EXPECT_GT(after, 0.25);
}

// The place is on the mesh as it rests, with its `at`, wherever the object is.
TEST_F(PaintingTest, StrokesAreOnTheMeshAtRest) {
    const LoadedScene scene = load(
        "{'name': 'ball', 'mesh': {'sphere': {'subdivisions': 2}, 'at': {'translate': [5, 0, 0]}}, "
        "'transform': {'translate': [0, 7, 0], 'rotate': [90, 0, 0]}, 'attributes': {'top': "
        "{'strokes': [{'at': [5, 1, 0], 'radius': 0.7}]}}}");
    const TriangleMesh& mesh = scene.objects[0].source.mesh;
    for (int v = 0; v < mesh.vertex_count(); ++v)
        EXPECT_EQ(mesh.attributes.at("top").at(v) > 0, mesh.positions[v].y() > 0.765) << v;
}

// Firm at +x, below a floor as stiff as the soft side: the ball gives way more where it is soft.
TEST_F(PaintingTest, WhatIsPaintedIsAtWork) {
    const auto furthest = [&](double side) {
        const LoadedScene scene = load(
            "{'name': 'feet', 'mesh': [{'sphere': {'subdivisions': 3}, 'at': {'translate': [-2, "
            "0.71, 0]}}, {'sphere': {'subdivisions': 3}, 'at': {'translate': [2, 0.71, 0]}}], "
            "'attributes': {'firm': {'strokes': [{'at': [2, 1.7, 0], 'radius': 9, 'falloff': "
            "0}]}}, "
            "'stiffness': {'map': 'firm', 'low': 1, 'high': 9}}, "
            "{'name': 'floor', 'mesh': {'grid': {'size': [8, 4], 'cells': [64, 32]}}}");
        const SolvedFrame solved = FrameSolver(scene).solve(1);
        double move = 0;
        for (std::size_t v = 0; v < solved.after[0].size(); ++v)
            if (solved.before[0][v].x() * side > 0)
                move = std::max(move, (solved.after[0][v] - solved.before[0][v]).norm());
        return move;
    };
    // A tenth and a half of the depth.
    EXPECT_LT(furthest(1), 0.3 * furthest(-1));
}

TEST_F(PaintingTest, BadStrokesAreNamed) {
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 0.5, 'operation': 'blur'}"),
              "attributes.half.strokes[0].operation: found \"blur\", expected \"set\", \"add\", "
              "\"subtract\" or \"smooth\"");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1}, {'at': [0, 1, 0], 'radius': -0.5}"),
              "attributes.half.strokes[1].radius: found -0.5, expected a positive number");
    EXPECT_EQ(error("{'at': [0, 1, 0]}"),
              "attributes.half.strokes[0].radius: missing, expected a positive number");
    EXPECT_EQ(error("{'radius': 1}"), "attributes.half.strokes[0].at: missing, expected [x, y, z]");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'falloff': 1.5}"),
              "attributes.half.strokes[0].falloff: found 1.5, expected a number from 0 to 1");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'strength': -1}"),
              "attributes.half.strokes[0].strength: found -1, expected a number from 0 to 1");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'distance': 'straight'}"),
              "attributes.half.strokes[0].distance: found \"straight\", expected \"geodesic\" or "
              "\"euclidean\"");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'operation': 'smooth', 'value': 2}"),
              "attributes.half.strokes[0].value: a stroke that smooths has no value");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'mode': 'set'}"),
              "attributes.half.strokes[0].mode: unknown key, expected one of at, radius, falloff, "
              "distance, operation, value, strength");
    EXPECT_EQ(error("", ", 'stiffness': {'map': 'half', 'low': -1}"),
              "stiffness.low: found -1, expected a number of at least 0");
    EXPECT_EQ(error("{'at': [0, 1, 0], 'radius': 1, 'falloff': 0, 'value': -2}",
                    ", 'stiffness': {'map': 'half'}"),
              "stiffness.map: found -2 where \"half\" is -2, expected a number of at least 0");
}

TEST_F(PaintingTest, AStrokeThatReachesNothingIsNamed) {
    EXPECT_EQ(error("{'at': [0, 3, 0], 'radius': 0.5}"),
              "attributes.half.strokes[0]: found a point that is 2 away from the mesh, expected at "
              "most its radius, 0.5");
    const auto other = [&](std::string_view keys) {
        return input_error([&] {
            load(fmt::format("{{'name': 'a', {}, 'attributes': {{'m': {{'strokes': [{{'at': [0.3, "
                             "0.3, 0], 'radius': 0.1}}]}}}}}}",
                             keys));
        });
    };
    const std::string stroke = here() + "scene.json:1: objects[0].attributes.m.strokes[0]: ";
    write("triangle.obj", triangle);
    EXPECT_EQ(other("'mesh': 'triangle.obj'"),
              stroke + "no vertex is within its radius, 0.1, expected a larger one");
    EXPECT_EQ(other("'skeleton': [{'point': [0, 0, 0]}]"),
              stroke + "the mesh has no faces, expected some to paint on");
}

TEST_F(PaintingTest, StrokesMayBeginOnTheValuesOfAFile) {
    write("triangle.obj", triangle);
    const auto map_on = [&](std::string_view csv, std::string_view strokes) {
        write("base.csv", csv);
        return load(fmt::format("{{'name': 'a', 'mesh': 'triangle.obj', 'attributes': {{'m': "
                                "{{'base': 'base.csv', 'strokes': [{}]}}}}}}",
                                strokes))
            .objects[0]
            .source.mesh.attributes.at("m")
            .values;
    };
    EXPECT_EQ(map_on("1\n2\n3\n", ""), (std::vector<double>{1, 2, 3}));
    const std::string_view stroke =
        "{'at': [0, 0, 0], 'radius': 0.5, 'falloff': 0, 'operation': 'add', 'value': 4}";
    EXPECT_EQ(map_on("1\n2\n3\n", stroke), (std::vector<double>{5, 2, 3}));
    EXPECT_EQ(input_error([&] { map_on("1,2\n2,3\n3,4\n", stroke); }),
              here() +
                  "scene.json:1: objects[0].attributes.m.base: found 2 numbers a row, expected "
                  "one to paint on");
}

TEST_F(PaintingTest, MapsCalledUAndVAreNoTextureCoordinates) {
    const LoadedScene scene = load("{'name': 'ball', 'mesh': {'sphere': {'subdivisions': 1}}, "
                                   "'attributes': {'u': {'strokes': []}, 'v': {'strokes': []}}}");
    EXPECT_EQ(scene.objects[0].source.mesh.attributes.count("u"), 1);
    EXPECT_TRUE(scene.objects[0].texture_coordinates.empty());
}

TEST_F(PaintingTest, APaintingIsAnObjectWithStrokes) {
    const auto of = [](std::string_view painting) {
        return ball_error(fmt::format("'attributes': {{'half': {}}}", painting));
    };
    EXPECT_EQ(of("{'base': 1}"), ".attributes.half.strokes: missing, expected a list of strokes");
    EXPECT_EQ(of("{'strokes': 3}"),
              ".attributes.half.strokes: found 3, expected a list of strokes");
    EXPECT_EQ(of("{'strokes': [], 'base': true}"),
              ".attributes.half.base: found true, expected a number or a CSV file");
    EXPECT_EQ(of("{'stroke': []}"),
              ".attributes.half.stroke: unknown key, did you mean \"strokes\"?");
    EXPECT_EQ(of("{'strokes': [7]}"),
              ".attributes.half.strokes[0]: found 7, expected an object with the keys at, radius, "
              "falloff, distance, operation, value, strength");
    EXPECT_EQ(of("7"), ".attributes.half: found 7, expected a CSV file or an object with strokes");
}

} // namespace
} // namespace knead
