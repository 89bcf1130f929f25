#include "knead/base/file.hpp"
#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/rig/bone_weights.hpp"
#include "knead/scene/load/loaded_scene.hpp"

#include <gtest/gtest.h>

#include "scene/scene_folder.hpp"

namespace knead {
namespace {

class LoadedSceneOf : public SceneFolder {};

TEST_F(LoadedSceneOf, ATransformMovesTheMesh) {
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': {'box': {'cells': [1, 1, 1]}}, 'transform': "
             "{'translate': {'keys': [[1, [0, 0, 0]], [3, [4, 0, 0]]]}, "
             "'rotate': [0, 90, 0], 'scale': [1, 2, 3]}}");
    const std::vector<Vec3> rest = make_box({2, 2, 2}, {1, 1, 1}).positions;
    const std::vector<Vec3> moved = positions_at(loaded, 0, 2);
    ASSERT_EQ(moved.size(), rest.size());
    for (std::size_t v = 0; v < rest.size(); ++v)
        EXPECT_LT((moved[v] - Vec3(3 * rest[v].z() + 2, 2 * rest[v].y(), -rest[v].x())).norm(),
                  1e-14);
    EXPECT_EQ(loaded.objects[0].source.mesh.positions, rest);
    EXPECT_EQ(loaded.objects[0].source.name, "a");
    EXPECT_TRUE(is_animated(loaded, 0));
}

TEST_F(LoadedSceneOf, ZUpIsTurnedAfterTheTransform) {
    const LoadedScene loaded = load("{'name': 'a', 'mesh': {'sphere': {'subdivisions': 1}}, "
                                    "'transform': {'translate': [1, 2, 3]}}",
                                    "'up': 'z',");
    const std::vector<Vec3> rest = make_sphere(1, 1).positions;
    const std::vector<Vec3> moved = positions_at(loaded, 0, 1);
    for (std::size_t v = 0; v < rest.size(); ++v) {
        const Vec3 in_file = rest[v] + Vec3(1, 2, 3);
        EXPECT_EQ(moved[v], Vec3(in_file.x(), in_file.z(), -in_file.y()));
    }
    EXPECT_FALSE(is_animated(loaded, 0));
}

TEST_F(LoadedSceneOf, AListIsOneMeshWithGroups) {
    const LoadedScene loaded =
        load("{'name': 'comb', 'mesh': [{'box': {'cells': [1, 1, 1]}, 'group': 'back'}, {'sphere': "
             "{'subdivisions': 0}, 'at': {'translate': [5, 0, 0], 'scale': 2}, 'group': 'tooth', "
             "'bumps': {'amplitude': 0.1, 'wavelength': 1}}]}");
    const TriangleMesh& mesh = loaded.objects[0].source.mesh;
    EXPECT_EQ(mesh.vertex_count(), 8 + 12);
    EXPECT_EQ(mesh.groups.at("back").size(), 8u);
    EXPECT_EQ(mesh.groups.at("tooth").size(), 12u);
    EXPECT_EQ(mesh.groups.at("tooth")[0], 8);
    bool bumpy = false;
    for (const int v : mesh.groups.at("tooth")) {
        const double radius = (mesh.positions[v] - Vec3(5, 0, 0)).norm();
        EXPECT_NEAR(radius, 2, 0.2 + 1e-12);
        bumpy |= std::abs(radius - 2) > 0.01;
    }
    EXPECT_TRUE(bumpy);
}

TEST_F(LoadedSceneOf, AListKeepsFacesUvsAndLabelsOfItsFiles) {
    write("quad.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
                      "g palm\nusemtl skin\nf 1/1 2/2 3/3 4/4\n");
    write("triangle.obj", triangle);
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': ['triangle.obj', 'quad.obj', {'file': 'quad.obj', 'at': "
             "{'translate': [2, 0, 0]}}]}");
    const MeshFile& file = loaded.objects[0].source;
    ASSERT_EQ(file.polygons.count(), 3);
    EXPECT_EQ(file.polygons.corners, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
    EXPECT_EQ(file.corner_texture, (std::vector<int>{-1, -1, -1, 0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(file.face_groups.names, std::vector<std::string>{"palm"});
    EXPECT_EQ(file.face_groups.of_polygon, (std::vector<int>{-1, 0, 0}));
    EXPECT_EQ(file.face_materials.of_polygon, (std::vector<int>{-1, 0, 0}));
    EXPECT_EQ(file.mesh.faces[3], (Triangle{7, 8, 9}));
}

TEST_F(LoadedSceneOf, PlacesTooFarForVolumesAreRefused) {
    write("a.obj", "v 0 0 0\nv 1e100 0 0\nv 0 1 0\nf 1 2 3\n");
    EXPECT_EQ(
        input_error([&] { load("{'name': 'a', 'mesh': {'file': 'a.obj', 'at': {'scale': 2}}}"); }),
        here() + "scene.json:1: objects[0].mesh: the mesh: vertex 1 is at (2e+100, 0, 0), "
                 "expected coordinates between -1e100 and 1e100");
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': 'a.obj', 'transform': {'scale': 1e100}}");
    EXPECT_EQ(input_error([&] { positions_at(loaded, 0, 1); }),
              "object \"a\" at frame 1: vertex 1 is at (1e+200, 0, 0), expected coordinates "
              "between -1e100 and 1e100");
}

TEST_F(LoadedSceneOf, EveryShapeIsMade) {
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': {'sphere': {}}}, {'name': 'b', 'mesh': {'capsule': {}}}, "
             "{'name': 'c', 'mesh': {'grid': {}}}, {'name': 'd', 'mesh': {'box': {}}}, {'name': "
             "'e', 'mesh': "
             "{'torus': {}}}, {'name': 'f', 'mesh': {'blob': {'segments': [{'from': [0, 0, 0], "
             "'to': [1, 0, "
             "0], 'radii': [0.5, 0.3], 'group': 'g'}]}}}, {'name': 'h', 'skeleton': [{'point': [0, "
             "0, 0]}]}");
    for (int i = 0; i < 6; ++i) EXPECT_GT(positions_at(loaded, i, 1).size(), 100u);
    EXPECT_FALSE(loaded.objects[5].source.mesh.groups.at("g").empty());
    EXPECT_TRUE(positions_at(loaded, 6, 1).empty());
}

TEST_F(LoadedSceneOf, PaintedMapsComeFromTheMeshOrACsv) {
    write("tri.obj", triangle);
    write("firm.csv", "firmness\n0\n0.5\n1\n");
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': 'tri.obj', 'attributes': {'firm': "
             "'firm.csv'}, 'stiffness': {'map': 'firm', 'low': 1, 'high': {'keys': "
             "[[1, 3], [3, 5]]}}, 'bulge': 0.5}");
    const SceneObject& object = loaded.scene.objects[0];
    EXPECT_EQ(values_at(loaded, 0, object.stiffness, 1), (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(values_at(loaded, 0, object.stiffness, 3), (std::vector<double>{1, 3, 5}));
    EXPECT_EQ(values_at(loaded, 0, object.bulge, 3), (std::vector<double>{0.5, 0.5, 0.5}));
}

TEST_F(LoadedSceneOf, SequencesAreBlendedBetweenFrames) {
    write("s.0001.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("s.0002.obj", "v 0 0 4\nv 1 0 0\nv 0 3 0\nf 1 2 3\n");
    write("s.0003.obj", "v 0 0 4\nv 1 0 0\nv 0 3 0\nf 1 3 2\n");
    const LoadedScene loaded =
        load("{'name': 'a', 'mesh': {'file': 's.####.obj', 'at': {'scale': 2}}, 'transform': "
             "{'translate': [1, 0, 0]}}",
             "'frames': [1, 3],");
    EXPECT_TRUE(is_animated(loaded, 0));
    EXPECT_EQ(positions_at(loaded, 0, 1)[0], Vec3(1, 0, 0));
    EXPECT_EQ(positions_at(loaded, 0, 2)[0], Vec3(1, 0, 8));
    EXPECT_EQ(positions_at(loaded, 0, 1.25)[0], Vec3(1, 0, 2));
    EXPECT_EQ(positions_at(loaded, 0, 1.25)[2], Vec3(1, 3, 0));
    EXPECT_EQ(input_error([&] { positions_at(loaded, 0, 3); }),
              here() + "scene.json:1: objects[0].mesh: " + here() +
                  "s.0003.obj: face 0 has other corners than in s.0001.obj");
}

TEST_F(LoadedSceneOf, ASkeletonOfTheSceneBendsTheMesh) {
    for (const auto& [name, method] : {std::pair{"lbs", SkinningMethod::lbs},
                                       {"dqs", SkinningMethod::dqs},
                                       {"cor", SkinningMethod::cor}}) {
        const LoadedScene loaded =
            load(fmt::format("{{'name': 'a', 'mesh': {{'capsule': {{'resolution': 8}}}}, "
                             "'transform': {{'translate': [0, "
                             "0, 7]}}, 'skin': {{'method': '{}', 'weights': {{'smooth': 0.4}}, "
                             "'skeleton': [{{'name': "
                             "'root', 'position': [0, -1, 0]}}, {{'name': 'tip', 'parent': 'root', "
                             "'position': [0, 0, 0], "
                             "'rotate': {{'keys': [[1, [0, 0, 0]], [2, [90, 0, 0]]]}}, "
                             "'translate': [0.5, 0, 0]}}]}}}}",
                             name));
        const TriangleMesh mesh = make_capsule(0.5, 2, 8);
        Skeleton skeleton;
        skeleton.joints = {{"root", -1, {}}, {"tip", 0, {}}};
        skeleton.inverse_bind = {Affine3(Eigen::Translation3d(0, 1, 0)), Affine3::Identity()};
        const Affine3 tip =
            Eigen::Translation3d(0.5, 0, 0) * Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX());
        std::vector<Vec3> expected;
        apply_skin(make_skin(method, bone_weights(skeleton, mesh.positions, 0.4), mesh),
                   mesh.positions, std::vector{Affine3::Identity(), tip}, expected);
        const std::vector<Vec3> found = positions_at(loaded, 0, 2);
        for (std::size_t v = 0; v < expected.size(); ++v)
            EXPECT_LT((found[v] - Vec3(0, 0, 7) - expected[v]).norm(), 1e-13);
        EXPECT_TRUE(is_animated(loaded, 0));
    }
}

TEST_F(LoadedSceneOf, WeightsComeFromACsvOrFromAttributes) {
    write("tri.obj", triangle);
    write("w.csv", "a,b\n1, 0\n0, 2\n1, 1\n");
    write("a.csv", "1\n0\n0.5");
    write("b.csv", "0\n1\n0.5");
    for (const std::string_view weights : {"'w.csv'", "['a', 'b']"}) {
        const LoadedScene loaded = load(fmt::format(
            "{{'name': 'a', 'mesh': 'tri.obj', 'attributes': {{'a': 'a.csv', 'b': 'b.csv'}}, "
            "'skin': "
            "{{'weights': {}, 'skeleton': [{{'name': 'r', 'position': [0, 0, 0]}}, {{'name': 's', "
            "'position': [0, 0, 0], 'translate': [0, 0, 4]}}]}}}}",
            weights));
        const std::vector<Vec3> posed = positions_at(loaded, 0, 1);
        EXPECT_EQ(posed[0], Vec3(0, 0, 0));
        EXPECT_EQ(posed[1], Vec3(1, 0, 4));
        EXPECT_EQ(posed[2], Vec3(0, 1, 2));
    }
}

TEST_F(LoadedSceneOf, AFrameIsAPureFunctionOfItsNumber) {
    const std::string objects = "{'name': 'a', 'mesh': {'capsule': {}}, 'transform': {'rotate': "
                                "{'keys': [[1, [0, 0, 0]], [9, "
                                "[50, 60, 70]]]}}, 'skin': {'method': 'cor', 'skeleton': [{'name': "
                                "'r', 'position': [0, -1, 0]}, "
                                "{'name': 't', 'parent': 'r', 'position': [0, 0, 0], 'rotate': "
                                "{'keys': [[1, [0, 0, 0]], [9, "
                                "[90, 0, 0]]]}}]}}";
    const LoadedScene loaded = load(objects);
    std::vector<std::vector<Vec3>> forwards;
    for (int f = 0; f < 16; ++f) forwards.push_back(positions_at(loaded, 0, 1 + 0.5 * f));
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        const LoadedScene again = load(objects);
        std::vector<std::vector<Vec3>> backwards(16);
        parallel_for(16, 1, [&](std::size_t i) {
            const std::size_t f = 15 - i;
            backwards[f] = positions_at(again, 0, 1 + 0.5 * static_cast<double>(f));
        });
        EXPECT_EQ(backwards, forwards);
    }
}

TEST_F(LoadedSceneOf, APaintedMapIsAGroupWhereOneIsAskedFor) {
    write("tri.obj", triangle);
    write("soft.csv", "0.5\n0.2\n1\n");
    write("hardly.csv", "0\n0.4\n0.1\n");
    const auto object = [&](std::string_view region) {
        return fmt::format("{{'name': 'a', 'mesh': 'tri.obj', 'attributes': {{'soft': 'soft.csv', "
                           "'hardly': 'hardly.csv'}}, 'region': '{}'}}",
                           region);
    };
    const LoadedScene scene = load(object("soft"));
    const auto& groups = scene.objects[0].source.mesh.groups;
    EXPECT_EQ(groups.size(), 1u);
    EXPECT_EQ(groups.at("soft"), (std::vector<int>{0, 2}));
    EXPECT_EQ(input_error([&] { load(object("hardly")); }),
              here() + "scene.json:1: objects[0].region: found the map \"hardly\", expected one "
                       "with at least 0.5 at some vertex to be a vertex group");
}

TEST_F(LoadedSceneOf, WhatIsNotThereIsNamed) {
    write("tri.obj", "g left\n" + triangle);
    const auto error = [&](std::string_view keys, std::string_view scene = "") {
        const std::string message = input_error(
            [&] { load(fmt::format("{{'name': 'a', 'mesh': 'tri.obj', {}}}", keys), scene); });
        const std::string begin = here() + "scene.json:1: ";
        return message.starts_with(begin) ? message.substr(begin.size()) : message;
    };
    EXPECT_EQ(input_error([&] { load("{'name': 'a', 'mesh': 'none.obj'}"); }),
              here() + "scene.json:1: objects[0].mesh: " + here() + "none.obj: no such file");
    EXPECT_EQ(input_error([&] { load("{'name': 'a', 'mesh': {'capsule': {'radius': 1e-9}}}"); }),
              here() + "scene.json:1: objects[0].mesh: capsule: it would have 3.76e+11 vertices, "
                       "expected at most 2e+07");
    EXPECT_EQ(error("'region': 'lef'"),
              "objects[0].region: found \"lef\", expected a vertex group; the object has \"left\"");
    EXPECT_EQ(error("'region': 'left'"), "no error");
    EXPECT_EQ(
        error("'stiffness': {'map': 'firm'}"),
        "objects[0].stiffness.map: found \"firm\", expected a vertex attribute with one number a "
        "vertex; the object has none");
    EXPECT_EQ(
        error("'bulge_map': 'paint'"),
        "objects[0].bulge_map: found \"paint\", expected a vertex attribute with one number a "
        "vertex; the object has none");
    EXPECT_EQ(error("'animation': 'walk'"),
              "objects[0].animation: found \"walk\", expected an animation; the object has none");
    EXPECT_EQ(error("'body': {'type': 'volume', 'pins': [1, 3, 2]}"),
              "objects[0].body.pins[1]: found vertex 3, expected 0 to 2");
    EXPECT_EQ(
        error("'body': {'type': 'volume', 'pins': 'top'}"),
        "objects[0].body.pins: found \"top\", expected a vertex group; the object has \"left\"");
    EXPECT_EQ(error("'rigid': false", "'contacts': [{'between': ['a:left', 'a:right']}],"),
              "contacts[0].between[1]: found \"right\", expected a vertex group; the object has "
              "\"left\"");
    EXPECT_EQ(error("'proxy': 'p.obj'"), "objects[0].proxy: " + here() + "p.obj: no such file");
    EXPECT_EQ(error("'skin': {'method': 'dqs'}"),
              "objects[0].skin: the mesh brings no skeleton, expected the key skeleton");
    EXPECT_EQ(error("'skin': {'skeleton': 'tri.obj'}"),
              "objects[0].skin: \"tri.obj\" has no skeleton");
    write("two.csv", "1,2\n1,2\n1,2\n");
    const std::string joint = "'skeleton': [{'name': 'r', 'position': [0, 0, 0]}]";
    EXPECT_EQ(error("'skin': {'weights': 'two.csv', " + joint + "}"),
              "objects[0].skin.weights: found 2 columns in \"two.csv\", expected 1, one a joint");
    EXPECT_EQ(
        error("'skin': {'weights': ['x', 'x'], " + joint + "}"),
        "objects[0].skin.weights[0]: found \"x\", expected a vertex attribute with one number a "
        "vertex; the object has none");
    write("one.csv", "1\n0\n1\n");
    EXPECT_EQ(
        error("'skin': {'weights': 'one.csv', " + joint + "}"),
        "objects[0].skin.weights: vertex 1 has no weight, expected at least one joint to follow");
    write("few.csv", "1\n2\n");
    EXPECT_EQ(error("'attributes': {'w': 'few.csv'}"),
              "objects[0].attributes.w: " + here() +
                  "few.csv: has 2 values, expected one for each of 3 vertices");
}

TEST_F(LoadedSceneOf, FoldsNameJoints) {
    write("tri.obj",
          "g l\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\ng r\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 4 5 6\n");
    const auto error = [&](std::string_view joints) {
        return input_error([&] {
            load("{'name': 'a', 'mesh': 'tri.obj', 'skin': {'skeleton': [{'name': 'r', 'position': "
                 "[0, 0, "
                 "0]}, {'name': 's', 'parent': 'r', 'position': [0, 1, 0]}]}}",
                 fmt::format(
                     "'contacts': [{{'between': ['a:l', 'a:r'], 'fold': {{'joints': {}}}}}],",
                     joints));
        });
    };
    const std::string begin = here() + "scene.json:1: contacts[0].fold.joints";
    EXPECT_EQ(error("['r', 's', 'r']"),
              begin + "[2]: found \"r\" twice, expected three joints in a row");
    EXPECT_EQ(error("['r', 'x', 's']"),
              begin + "[1]: found \"x\", expected a joint; the object has \"r\", \"s\"");
}

} // namespace
} // namespace knead
