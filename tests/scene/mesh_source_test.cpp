#include <gtest/gtest.h>

#include "scene/scene_text.hpp"

namespace knead {
namespace {

std::vector<MeshSource> sources(std::string_view mesh) {
    return scene_of(fmt::format("{{'knead': 1, 'objects': [{{'name': 'a', 'mesh': {}}}]}}", mesh))
        .objects[0]
        .mesh;
}

std::string error(std::string_view mesh) {
    const std::string message = input_error([&] { sources(mesh); });
    const std::string begin = "ball.json:1: objects[0].mesh";
    return message.starts_with(begin) ? message.substr(begin.size()) : message;
}

template <typename Shape>
Shape shape(std::string_view mesh) {
    return std::get<Shape>(sources(mesh).at(0).shape);
}

TEST(MeshSource, EveryShape) {
    const auto sphere = shape<SphereShape>("{'sphere': {'radius': 2, 'subdivisions': 3}}");
    EXPECT_EQ(sphere.radius, 2);
    EXPECT_EQ(sphere.subdivisions, 3);
    const auto capsule =
        shape<CapsuleShape>("{'capsule': {'radius': 2, 'length': 0, 'resolution': 12}}");
    EXPECT_EQ(capsule.radius, 2);
    EXPECT_EQ(capsule.length, 0);
    EXPECT_EQ(capsule.resolution, 12);
    EXPECT_EQ(shape<GridShape>("{'grid': {'size': [3, 4], 'cells': [5, 6]}}").cells[1], 6);
    const auto box = shape<BoxShape>("{'box': {'size': [1, 2, 3], 'cells': [4, 5, 6]}}");
    EXPECT_EQ(box.size, Vec3(1, 2, 3));
    EXPECT_EQ(box.cells, (std::array{4, 5, 6}));
    const auto torus = shape<TorusShape>("{'torus': {'radii': [3, 1], 'resolution': 20}}");
    EXPECT_EQ(torus.ring_radius, 3);
    EXPECT_EQ(torus.tube_radius, 1);
    EXPECT_EQ(torus.resolution, 20);
    const auto lathe = shape<LatheShape>(
        "{'lathe': {'profile': [[1, 0], [0.5, 2], [0, 3]], 'resolution': 30, 'rows': 7}}");
    EXPECT_EQ(lathe.profile, (std::vector<Vec2>{{1, 0}, {0.5, 2}, {0, 3}}));
    EXPECT_EQ(lathe.resolution, 30);
    EXPECT_EQ(lathe.rows, 7);
    EXPECT_EQ(shape<LatheShape>("{'lathe': {'profile': [[1, 0], [1, 2]]}}").rows, 0);
}

TEST(MeshSource, Blob) {
    const auto blob = shape<BlobSettings>("{'blob': {'segments': [{'from': [0, 0, 0], 'to': [1, 0, "
                                          "0], 'radii': [0.5, 0.25], 'group': "
                                          "'thumb', 'part': 'hand'}, {'from': [1, 2, 3], 'radii': "
                                          "0.5, 'carve': true}], 'blend': 0.1, "
                                          "'part_blend': 0.02, 'edge': 0.05}}");
    ASSERT_EQ(blob.segments.size(), 2u);
    EXPECT_EQ(blob.segments[0].to, Vec3(1, 0, 0));
    EXPECT_EQ(blob.segments[0].from_radius, 0.5);
    EXPECT_EQ(blob.segments[0].to_radius, 0.25);
    EXPECT_EQ(blob.segments[0].group, "thumb");
    EXPECT_EQ(blob.segments[0].part, "hand");
    EXPECT_EQ(blob.segments[1].to, Vec3(1, 2, 3));
    EXPECT_TRUE(blob.segments[1].carve);
    EXPECT_EQ(blob.blend, 0.1);
    EXPECT_EQ(blob.part_blend, 0.02);
    EXPECT_EQ(blob.edge, 0.05);
}

TEST(MeshSource, AListWithPlacesGroupsAndBumps) {
    const std::vector<MeshSource> list =
        sources("['a.obj', {'file': 'b.obj', 'at': {'translate': [1, 2, 3], 'rotate': [0, 0, 90], "
                "'scale': 2}, "
                "'group': 'b', 'bumps': {'amplitude': 0.1, 'wavelength': 0.5}}, {'sphere': {}}]");
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].file()->name, "a.obj");
    EXPECT_EQ(list[1].at * Vec3(1, 0, 0), Vec3(1, 4, 3));
    EXPECT_EQ(list[1].group, "b");
    EXPECT_EQ(list[1].bumps->wavelength, 0.5);
    EXPECT_EQ(list[2].file(), nullptr);
    EXPECT_EQ(list[2].where, "ball.json:1: objects[0].mesh[2]");
}

TEST(MeshSource, Sequences) {
    EXPECT_TRUE(sources("'hand.####.obj'")[0].file()->is_sequence());
    EXPECT_EQ(error("'####/hand.obj'"),
              ": found \"####/hand.obj\", expected one run of at most 9 # in the file's name");
    EXPECT_EQ(error("'a.#.#.obj'"),
              ": found \"a.#.#.obj\", expected one run of at most 9 # in the file's name");
    EXPECT_EQ(error("['a.#.obj']"), "[0]: a sequence of files cannot be part of a list");
    EXPECT_EQ(error("{'file': 'a.#.obj', 'bumps': {'amplitude': 1, 'wavelength': 1}}"),
              ".bumps: a sequence of files cannot have bumps");
}

TEST(MeshSource, BrokenOnesAreNamed) {
    EXPECT_EQ(error("7"), ": found 7, expected a file, a shape or a list of these");
    EXPECT_EQ(error("[]"), ": found an empty list, expected a file, a shape or a list of these");
    EXPECT_EQ(error("{}"),
              ": found 0 shapes, expected one of file, sphere, capsule, grid, box, torus, "
              "lathe, blob");
    EXPECT_EQ(error("{'sphere': {}, 'box': {}}"), ": found 2 shapes, expected one of file, sphere, "
                                                  "capsule, grid, box, torus, lathe, blob");
    EXPECT_EQ(error("{'spere': {}}"), ".spere: unknown key, did you mean \"sphere\"?");
    EXPECT_EQ(error("{'sphere': {'radius': -1}}"),
              ".sphere.radius: found -1, expected a positive number");
    EXPECT_EQ(error("{'sphere': {'subdivisions': 10}}"),
              ".sphere.subdivisions: found 10, expected a whole number from 0 to 9");
    EXPECT_EQ(error("{'sphere': {'radius': {'keys': [[1, 2]]}}}"),
              ".sphere.radius: found an object, expected a positive number");
    EXPECT_EQ(error("{'grid': {'size': [1, 2, 3]}}"),
              ".grid.size: found a list of 3, expected a list of two numbers");
    EXPECT_EQ(error("{'grid': {'size': [1, 0]}}"),
              ".grid.size[1]: found 0, expected a positive number");
    EXPECT_EQ(error("{'box': {'cells': [1, 1]}}"),
              ".box.cells: found a list of 2, expected a list of 3 whole numbers");
    EXPECT_EQ(error("{'lathe': {}}"),
              ".lathe.profile: missing, expected a list of [radius, height]");
    EXPECT_EQ(error("{'lathe': {'profile': [[1, 2]]}}"),
              ".lathe.profile: found a list of 1, expected two points [radius, height] or more");
    EXPECT_EQ(error("{'lathe': {'profile': [[1, 2], [-1, 3]]}}"),
              ".lathe.profile[1][0]: found -1, expected a number of at least 0");
    EXPECT_EQ(error("{'lathe': {'profile': [[1, 2], 3]}}"),
              ".lathe.profile[1]: found 3, expected a list of two numbers");
    EXPECT_EQ(error("{'torus': {'radii': [1, 2]}}"),
              ".torus.radii: found a ring of radius 1 and a "
              "tube of radius 2, expected [ring, tube] with a "
              "smaller tube");
    EXPECT_EQ(error("{'blob': {'segments': []}}"),
              ".blob.segments: found an empty list, expected a list of segments");
    EXPECT_EQ(error("{'blob': {'segments': [{'from': [0, 0, 0]}]}}"),
              ".blob.segments[0].radii: missing, expected one or two radii");
    EXPECT_EQ(error("{'sphere': {}, 'at': {'scale': {'keys': [[1, 1], [2, 2]]}}}"),
              ".at: found an object, expected a transform without key frames");
}

TEST(SkinSpec, EveryKey) {
    const SkinSpec skin =
        *ball("'skin': {'skeleton': [{'name': 'tip', 'parent': 'root', 'position': "
              "[0, 1, 0], 'rotate': {'keys': [[1, [0, 0, 0]], [2, [90, 0, 0]]]}, "
              "'translate': [1, 2, 3], 'scale': 2}, {'name': 'root', 'position': [0, "
              "0, 0]}], 'weights': {'smooth': 0.5}, 'method': 'cor'}")
             .skin;
    const auto& joints = std::get<std::vector<JointSpec>>(skin.skeleton);
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].parent, 1);
    EXPECT_EQ(joints[1].parent, -1);
    EXPECT_EQ(joints[0].rotate.at(2), Vec3(90, 0, 0));
    EXPECT_EQ(joints[0].scale.at(2), Vec3(2, 2, 2));
    EXPECT_EQ(std::get<SmoothWeights>(skin.weights).radius, 0.5);
    EXPECT_EQ(skin.method, SkinningMethod::cor);
    EXPECT_TRUE(skin.is_animated());
    const auto weights = [](std::string_view value) {
        return ball(fmt::format("'skin': {{'skeleton': 'arm.glb', 'weights': {}}}", value))
            .skin->weights;
    };
    EXPECT_EQ(std::get<SmoothWeights>(weights("'smooth'")).radius, 0);
    EXPECT_EQ(std::get<SceneFile>(weights("'w.csv'")).name, "w.csv");
    EXPECT_EQ(std::get<AttributeWeights>(weights("['a', 'b']")).names[1], "b");
}

TEST(SkinSpec, BrokenOnesAreNamed) {
    EXPECT_EQ(ball_error("'skin': {'skeleton': [{'name': 'a', 'position': [0, 0, 0], 'parent': "
                         "'rot'}, {'name': 'root', 'position': [0, 0, 0]}]}"),
              ".skin.skeleton[0].parent: found \"rot\", expected the name of a joint, did you mean "
              "\"root\"?");
    EXPECT_EQ(ball_error("'skin': {'skeleton': []}"),
              ".skin.skeleton: found an empty list, expected a glTF file or a list of joints");
    EXPECT_EQ(ball_error("'skin': {'skeleton': [{'name': 'a'}]}"),
              ".skin.skeleton[0].position: missing, expected [x, y, z]");
    EXPECT_EQ(
        ball_error("'skin': {'skeleton': [{'name': 'a', 'position': [0, 0, 0]}, {'name': 'a', "
                   "'position': [0, 0, 0]}]}"),
        ".skin.skeleton[1].name: found \"a\" a second time, expected names that differ");
    EXPECT_EQ(ball_error("'skin': {'method': 'linear'}"),
              ".skin.method: found \"linear\", expected \"lbs\", \"dqs\" or \"cor\"");
    EXPECT_EQ(
        ball_error("'skin': {'weights': 3}"),
        ".skin.weights: found 3, expected \"smooth\", {\"smooth\": radius}, a CSV file or a list "
        "of vertex attributes");
    EXPECT_EQ(ball_error("'skin': {'weights': {'smooth': 0}}"),
              ".skin.weights.smooth: found 0, expected a positive number");
}

} // namespace
} // namespace knead
