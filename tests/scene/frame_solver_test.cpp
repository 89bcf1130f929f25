#include "knead/io/mesh_file.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/scene/judge/frame_report.hpp"
#include "knead/scene/methods/deform/frame_solver.hpp"

#include <gtest/gtest.h>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class FrameSolverTest : public SceneFolder {
protected:
    // Two balls that are one object, half-sunk into a rigid floor, with more keys of that object.
    static std::string two_feet(std::string_view keys = "") {
        return fmt::format("{{'name': 'feet', 'mesh': ["
                           "{{'sphere': {{'subdivisions': 3}}, 'group': 'left', 'at': "
                           "{{'translate': [-2, 0.71, 0]}}}}, "
                           "{{'sphere': {{'subdivisions': 3}}, 'group': 'right', 'at': "
                           "{{'translate': [2, 0.72, 0]}}}}] {}}}, "
                           "{{'name': 'floor', 'mesh': {{'grid': {{'size': [8, 4], 'cells': [64, "
                           "32]}}}}, 'rigid': true}}",
                           keys);
    }
    static SolvedFrame solve(const LoadedScene& scene) { return FrameSolver(scene).solve(1); }

    static bool moved(const LoadedScene& scene, const SolvedFrame& solved,
                      const std::string& group) {
        for (const int v : scene.objects[0].source.mesh.groups.at(group))
            if (solved.after[0][v] != solved.before[0][v]) return true;
        return false;
    }
};

TEST_F(FrameSolverTest, AGroupOfAContactIsResolvedAlone) {
    for (const char* which : {"left", "right"}) {
        const std::string other = which == std::string("left") ? "right" : "left";
        const LoadedScene scene = load(
            two_feet(), fmt::format("'contacts': [{{'between': ['feet:{}', 'floor']}}],", which));
        const SolvedFrame solved = solve(scene);
        EXPECT_TRUE(moved(scene, solved, which));
        EXPECT_FALSE(moved(scene, solved, other));
        EXPECT_EQ(solved.contacts[0].note, "");
    }
}

TEST_F(FrameSolverTest, ARegionIsAllThatMoves) {
    const LoadedScene scene = load(two_feet(", 'region': 'left'"));
    const SolvedFrame solved = solve(scene);
    EXPECT_TRUE(moved(scene, solved, "left"));
    EXPECT_FALSE(moved(scene, solved, "right"));
}

TEST_F(FrameSolverTest, AGroupIsCutWithTheRegion) {
    const LoadedScene scene = load(
        two_feet(", 'region': 'left'"),
        "'contacts': [{'between': ['feet:right', 'floor']}, {'between': ['feet:left', 'floor']}],");
    const SolvedFrame solved = solve(scene);
    EXPECT_TRUE(moved(scene, solved, "left"));
    EXPECT_FALSE(moved(scene, solved, "right"));
    EXPECT_EQ(solved.contacts[0].note, "no response: outside of the region");
    EXPECT_EQ(solved.contacts[1].note, "");
    // Together they are both of them alone.
    const LoadedScene left = load(two_feet(), "'contacts': [{'between': ['feet:left', 'floor']}],");
    EXPECT_EQ(solve(left).after, solved.after);
}

// A soft ball that only the bulge around another one reaches.
TEST_F(FrameSolverTest, ContactsAreResolvedInTheOrderTheSceneAsksFor) {
    const std::string_view objects =
        "{'name': 'deep', 'mesh': {'sphere': {'radius': 0.6, 'subdivisions': 3}}, 'rigid': true, "
        "'transform': {'translate': [-0.41, 0.3, 0.01]}}, "
        "{'name': 'near', 'mesh': {'sphere': {'radius': 0.4, 'subdivisions': 3}}, "
        "'transform': {'translate': [0.59, 0.41, 0.01]}}, "
        "{'name': 'sheet', 'mesh': {'grid': {'size': [4, 4], 'cells': [32, 32]}}}";
    const std::string contacts =
        "'contacts': [{'between': ['deep', 'sheet']}, {'between': ['near', 'sheet']}],";
    const SolvedFrame together = solve(load(objects, contacts));
    EXPECT_EQ(together.after[1], together.before[1]);
    const SolvedFrame in_order =
        solve(load(objects, contacts + "'contact_order': 'deepest_first',"));
    EXPECT_NE(in_order.after[1], in_order.before[1]);
    EXPECT_EQ(in_order.after[0], in_order.before[0]);
    EXPECT_EQ(together.contacts[1].zone_area[0], 0);
    EXPECT_GT(in_order.contacts[1].zone_area[0], 0);
}

TEST_F(FrameSolverTest, ARegionOfTheWholeMeshChangesNoBit) {
    const std::string ball =
        "{{'name': 'ball', 'mesh': [{{'sphere': {{'subdivisions': 3}}, 'group': "
        "'all'}}], 'transform': {{'translate': [0.1, 0.7, 0]}} {}}}, "
        "{{'name': 'floor', 'mesh': {{'grid': {{'cells': [30, 30]}}}}}}";
    const SolvedFrame plain = solve(load(fmt::format(fmt::runtime(ball), "")));
    const SolvedFrame same = solve(load(fmt::format(fmt::runtime(ball), ", 'region': 'all'")));
    EXPECT_NE(plain.after[0], plain.before[0]);
    EXPECT_EQ(plain.after, same.after);
    EXPECT_EQ(plain.objects[0].u, same.objects[0].u);
}

TEST_F(FrameSolverTest, PartsOfOneObjectThatDoNotMeetStay) {
    const LoadedScene scene =
        load(two_feet(), "'contacts': [{'between': ['feet:left', 'feet:right']}],");
    const SolvedFrame solved = solve(scene);
    EXPECT_EQ(solved.after, solved.before);
    EXPECT_EQ(solved.contacts[0].note, "");
}

// A ring with a ball that stands in for it on a rigid floor: it is resolved, and is not pressed
// flat.
TEST_F(FrameSolverTest, AProxyStandsInForTheMesh) {
    const std::string ring =
        "{{'name': 'ring', 'mesh': {{'torus': {{'radii': [0.9, 0.08], 'resolution': 48}}, 'at': "
        "{{'rotate': [90, 0, 0]}}, 'group': 'all'}}, 'transform': {{'translate': [0, 0.7, 0]}} "
        "{}}}, "
        "{{'name': 'floor', 'mesh': {{'grid': {{'size': [4, 4], 'cells': [20, 20]}}}}, 'rigid': "
        "true}}";
    const auto with = [&](std::string_view keys) {
        return load(fmt::format(fmt::runtime(ring), keys));
    };
    const std::string proxy = ", 'proxy': {'sphere': {'radius': 1}}";
    const LoadedScene scene = with(proxy);
    const SolvedFrame solved = solve(scene);
    ASSERT_EQ(solved.after[0].size(), solved.before[0].size());
    EXPECT_EQ(solved.objects[0].u.size(), solved.before[0].size());
    EXPECT_GT(solved.objects[0].contact_vertices, 0);
    double lowest = 1;
    for (const Vec3& p : solved.after[0]) lowest = std::min(lowest, p.y());
    EXPECT_GT(lowest, -0.01);
    EXPECT_LT(lowest, 0.06);
    const auto& faces = scene.objects[0].source.mesh.faces;
    EXPECT_NEAR(signed_volume(solved.after[0], faces, Vec3::Zero()) /
                    signed_volume(solved.before[0], faces, Vec3::Zero()),
                1, 0.03);
    // What is painted on the mesh, and its groups, hold for the proxy.
    std::string values;
    for (std::size_t v = 0; v < solved.before[0].size(); ++v) values += "0.25\n";
    write("quarter.csv", values);
    const SolvedFrame painted =
        solve(with(proxy + ", 'region': 'all', 'attributes': {'q': 'quarter.csv'}, 'envelope': "
                           "{'map': 'q'}"));
    const SolvedFrame constant = solve(with(proxy + ", 'envelope': 0.25"));
    for (std::size_t v = 0; v < solved.before[0].size(); ++v)
        EXPECT_LT((painted.after[0][v] - constant.after[0][v]).norm(), 1e-12);
    // Away from the floor nothing changes.
    const LoadedScene away = load(fmt::format(fmt::runtime(ring), proxy), "'frames': [1, 2],");
    LoadedScene lifted = away;
    lifted.scene.objects[0].transform.translate = Vec3(0, 3, 0);
    const SolvedFrame still = FrameSolver(lifted).solve(1);
    EXPECT_EQ(still.after, still.before);
}

TEST_F(FrameSolverTest, ProxiesThatCannotStandInAreNamed) {
    write("triangle.obj", triangle);
    const auto error = [&](std::string_view keys) {
        const std::string message = input_error(
            [&] { load(fmt::format("{{'name': 'a', 'mesh': 'triangle.obj', {}}}", keys)); });
        const std::size_t path = message.find("objects[0]");
        return path == std::string::npos ? message : message.substr(path);
    };
    EXPECT_EQ(error("'proxy': 'p.####.obj'"),
              "objects[0].proxy: a sequence of files cannot be a proxy");
    EXPECT_EQ(error("'proxy': {'spere': {}}"),
              "objects[0].proxy.spere: unknown key, did you mean \"sphere\"?");
    EXPECT_EQ(
        error("'proxy': {'sphere': {}}, 'skin': {'skeleton': [{'name': 'r', 'position': [0, "
              "0, 0]}]}"),
        "objects[0].proxy: a mesh with a skin, an animation or a sequence of files cannot have "
        "a proxy");
}

// A sheet whose UVs are its x and z, and the same with a seam along the middle.
TEST_F(FrameSolverTest, TextureCoordinatesOfAFileAreParameters) {
    constexpr int cells = 16;
    std::string points, faces, seam_faces;
    for (int j = 0; j <= cells; ++j)
        for (int i = 0; i <= cells; ++i)
            points += fmt::format("v {0} 0 {1}\nvt {0} {1}\n", -2 + 4.0 * i / cells,
                                  -2 + 4.0 * j / cells);
    for (int j = 0; j < cells; ++j)
        for (int i = 0; i < cells; ++i) {
            const int a = 1 + j * (cells + 1) + i, d = a + cells + 1;
            faces += fmt::format("f {0}/{0} {1}/{1} {2}/{2} {3}/{3}\n", a, d, d + 1, a + 1);
            // Left of the middle every corner has the UV of its neighbour.
            const int shift = i < cells / 2 ? 1 : 0;
            seam_faces += fmt::format("f {}/{} {}/{} {}/{} {}/{}\n", a, a + shift, d, d + shift,
                                      d + 1, d + 1 + shift, a + 1, a + 1 + shift);
        }
    write("sheet.obj", points + faces);
    write("seam.obj", points + seam_faces);
    const auto solved = [&](const std::string& mesh) {
        return solve(load(
            fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, 'rigid': "
                        "true, 'transform': {{'translate': [0.02, 0.8, 0.01]}}}}, "
                        "{{'name': 'sheet', 'mesh': {}}}",
                        mesh),
            "'contacts': [{'between': ['ball', 'sheet'], 'mapping': 'parametrization'}],"));
    };
    const SolvedFrame given = solved("'sheet.obj'"), seam = solved("'seam.obj'");
    EXPECT_EQ(given.contacts[0].note, "");
    EXPECT_EQ(seam.contacts[0].note,
              "texture coordinates of the second object have a seam or a gap in the "
              "contact: parameters are computed instead");
    EXPECT_NE(given.after[1], seam.after[1]);
    for (std::size_t v = 0; v < given.after[1].size(); ++v)
        EXPECT_LT((given.after[1][v] - seam.after[1][v]).norm(), 1e-3 * 0.2);
}

// A ball that comes through a sheet from below: with `side` it is the mirror image of one from
// above, in the report, too.
TEST_F(FrameSolverTest, ASheetThatIsPressedFromBehindHasASide) {
    const auto press = [&](double height, std::string_view keys) {
        return load(
            fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 3}}}}, "
                        "'transform': {{'translate': [0.03, {}, 0.02]}}}}, {{'name': "
                        "'sheet', 'mesh': {{'grid': {{'size': [4, 4], 'cells': [40, 40]}}}} "
                        "{}}}",
                        height, keys));
    };
    const LoadedScene above = press(0.7, ""), below = press(-0.7, ", 'side': 'back'"),
                      wrong = press(-0.7, "");
    const SolvedFrame expected = solve(above), found = solve(below), pulled = solve(wrong);
    ASSERT_EQ(found.contacts[0].note, "");
    EXPECT_GT(expected.objects[1].contact_vertices, 10);
    for (std::size_t v = 0; v < found.after[1].size(); ++v) {
        const Vec3& p = expected.after[1][v];
        ASSERT_LT((found.after[1][v] - Vec3(p.x(), -p.y(), p.z())).norm(), 1e-9) << v;
    }
    const auto report_of = [&](const LoadedScene& scene, const SolvedFrame& solved) {
        return contact_reports(scene, make_gauge(scene), solved)[0];
    };
    const ContactReport front = report_of(above, expected), back = report_of(below, found);
    EXPECT_NEAR(front.depth_before, 0.3, 0.01);
    EXPECT_NEAR(back.depth_before, front.depth_before, 1e-12);
    EXPECT_NEAR(back.depth_after, front.depth_after, 1e-9);
    EXPECT_EQ(below.objects[1].source.mesh.faces, above.objects[1].source.mesh.faces);
    EXPECT_EQ(report_of(wrong, pulled).note,
              "most of \"ball\" is behind \"sheet\", a sheet: it may be meant to touch the other "
              "side");
}

// Of a ball whose faces are the other way round, and of a steep sheet at the corner of another.
TEST_F(FrameSolverTest, WhyCrossingsAreLeftIsSaid) {
    const auto note = [&](std::string_view mesh, std::string_view transform) {
        const LoadedScene scene = load(fmt::format(
            "{{'name': 'thing', 'mesh': {}, 'transform': {{{}}}}}, {{'name': 'sheet', 'rigid': "
            "true, 'mesh': {{'grid': {{'size': [4, 4], 'cells': [20, 20]}}}}}}",
            mesh, transform));
        return contact_reports(scene, make_gauge(scene), solve(scene))[0].note;
    };
    TriangleMesh inside_out = make_sphere(1, 2);
    for (Triangle& face : inside_out.faces) std::swap(face[0], face[1]);
    write_obj(here() + "inside-out.obj", mesh_file(inside_out), inside_out.positions);
    EXPECT_NE(note("'inside-out.obj'", "'translate': [0.03, 0.8, 0.02]")
                  .find("crossings left: a mesh is inside out"),
              std::string::npos);
    EXPECT_NE(note("{'grid': {'size': [1, 1], 'cells': [10, 10]}}",
                   "'rotate': [80, 0, 0], 'translate': [1.9, 0.1, 1.9]")
                  .find("crossings left: an open surface has no inside"),
              std::string::npos);
}

TEST_F(FrameSolverTest, AnEditedSideIsAsFromAFreshStart) {
    const auto pressed = [&](std::string_view side) {
        return load(fmt::format("{{'name': 'ball', 'mesh': {{'sphere': {{'subdivisions': 2}}}}, "
                                "'transform': {{'translate': [0.03, -0.7, 0.02]}}}}, {{'name': "
                                "'sheet', 'mesh': {{'grid': {{'size': [4, 4], 'cells': [20, 20]}}}}"
                                ", 'side': '{}'}}",
                                side));
    };
    const LoadedScene front = pressed("front"), back = pressed("back");
    FrameSolver of_front(front);
    of_front.solve(1);
    const FrameSolver edited(back, of_front);
    EXPECT_EQ(edited.solve(1).after, solve(back).after);
    EXPECT_NE(edited.solve(1).after, of_front.solve(1).after);
}

TEST_F(FrameSolverTest, OnlyASheetHasABack) {
    for (const char* mesh : {"'mesh': {'sphere': {}}",
                             "'mesh': {'grid': {}}, 'proxy': {'box': {'size': [1, 0.1, 1]}}"})
        EXPECT_EQ(input_error(
                      [&] { load(fmt::format("{{'name': 'thing', {}, 'side': 'back'}}", mesh)); }),
                  here() + "scene.json:1: objects[0].side: found \"back\" of a closed mesh, "
                           "expected \"front\": only an open sheet is touched from either side");
    load("{'name': 'thing', 'mesh': {'grid': {}}, 'side': 'back', "
         "'proxy': {'grid': {'cells': [4, 4]}}}");
}

TEST_F(FrameSolverTest, TheDistanceIsThatOfTheContact) {
    const auto solved = [this](std::string_view distance) {
        return solve(load(two_feet(), fmt::format("'contacts': [{{'between': ['feet', 'floor'], "
                                                  "'distance': '{}'}}],",
                                                  distance)));
    };
    const SolvedFrame heat = solved("heat"), steady = solved("steady_state");
    EXPECT_EQ(heat.after, solve(load(two_feet())).after);
    EXPECT_NE(heat.after, steady.after);
    EXPECT_EQ(heat.objects[0].zone, steady.objects[0].zone);
}

// Painted 0 and 1 on the two balls: each is what it would be if all of the object had its number.
// (A bulge would tie them together: the volume is kept for both at once.)
TEST_F(FrameSolverTest, PaintedNumbersCountWhereTheyArePainted) {
    const LoadedScene plain = load(two_feet());
    const int vertices = plain.objects[0].source.mesh.vertex_count();
    std::string values;
    for (int v = 0; v < vertices; ++v) values += v < vertices / 2 ? "0\n" : "1\n";
    write("half.csv", values);
    struct Painted {
        const char *key, *low, *high;
    };
    // Extents longer than the least that the contact needs.
    for (const auto& [key, lower, higher] :
         {Painted{"'envelope': {}", "0.5", "0.7"}, Painted{"'extent': {}", "6", "8"},
          Painted{"'profile': {{'bulge_at': {}}}", "0.5", "0.7"}}) {
        const auto with = [&](const char* name, std::string_view number) {
            return solve(load(two_feet(", 'bulge': 0, 'attributes': {'half': 'half.csv'}, " +
                                       fmt::format(fmt::runtime(name), number))));
        };
        const SolvedFrame painted =
            with(key, fmt::format("{{'map': 'half', 'low': {}, 'high': {}}}", lower, higher));
        const SolvedFrame low = with(key, lower), high = with(key, higher);
        EXPECT_NE(low.after[0], high.after[0]) << key;
        for (int v = 0; v < vertices; ++v)
            EXPECT_LT((painted.after[0][v] - (v < vertices / 2 ? low : high).after[0][v]).norm(),
                      1e-12)
                << key;
    }
}

TEST_F(FrameSolverTest, PaintedNumbersOutOfRangeAreNamedWithTheirKey) {
    write("m.csv", "0\n0.5\n2\n");
    write("triangle.obj", triangle);
    const auto error = [&](std::string_view keys) {
        const std::string message = input_error([&] {
            load(fmt::format(
                "{{'name': 'a', 'mesh': 'triangle.obj', 'attributes': {{'m': 'm.csv'}}, {}}}",
                keys));
        });
        const std::string begin = here() + "scene.json:1: objects[0]";
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    };
    EXPECT_EQ(error("'envelope': {'map': 'm', 'high': 0.5}"), "no error");
    EXPECT_EQ(error("'envelope': {'map': 'm'}"),
              ".envelope.map: found 2 where \"m\" is 2, expected a number from 0 to 1");
    EXPECT_EQ(error("'extent': {'map': 'm', 'high': 2}"),
              ".extent.map: found 0 where \"m\" is 0, expected a positive number");
    EXPECT_EQ(
        error("'envelope': {'map': 'm', 'high': {'keys': [[1, 0.5], [4, 0.75]]}}"),
        ".envelope.map: found 1.5 where \"m\" is 2 at frame 4, expected a number from 0 to 1");
}

TEST_F(FrameSolverTest, WhatOnlyAFrameShowsNamesTheFrame) {
    const LoadedScene scene = load(
        two_feet(), "'contacts': [{'between': ['feet', 'floor'], 'direction': {'keys': [[1, [0, "
                    "1, 0]], [3, [0, -1, 0]]]}}],");
    EXPECT_EQ(input_error([&] { FrameSolver(scene).solve(2); }),
              here() +
                  "scene.json: frame 2: deform: contact 0 has the direction (0, 0, 0), expected "
                  "one that is finite and not zero");
}

TEST_F(FrameSolverTest, WhatIsNotAGroupIsNamed) {
    EXPECT_EQ(input_error([&] { load(two_feet(", 'region': 'middle'")); }),
              here() +
                  "scene.json:1: objects[0].region: found \"middle\", expected a vertex group; "
                  "the object has \"left\", \"right\"");
}

} // namespace
} // namespace knead
