#include <gtest/gtest.h>

#include "scene/scene_text.hpp"

namespace knead {
namespace {

TEST(SceneFile, TheExampleOfTheContract) {
    const Scene scene = scene_of(R"({
      'knead': 1,
      'frames': [1, 48],
      'fps': 24,
      'objects': [
        { 'name': 'ball',
          'mesh': 'ball.obj',
          'transform': { 'translate': {'keys': [[1, [0, 2.2, 0]], [48, [0, 1.4, 0]]]}, 'rotate': [0, 0, 0], 'scale': 1 },
          'stiffness': 1.0,
          'extent': 0.8,
          'bulge': 1.0 },
        { 'name': 'floor', 'mesh': {'grid': {'size': [6, 6], 'cells': [80, 80]}}, 'rigid': true }
      ],
      'contacts': [ { 'between': ['ball', 'floor'], 'apparent_stiffness': 0.0, 'direction': 'auto' } ]
    })");
    EXPECT_EQ(scene.path, "ball.json");
    EXPECT_EQ(scene.frames, (FrameRange{1, 48}));
    EXPECT_EQ(scene.frames.count(), 48);
    EXPECT_EQ(scene.fps, 24);
    ASSERT_EQ(scene.objects.size(), 2u);
    const SceneObject &ball = scene.objects[0], &floor = scene.objects[1];
    EXPECT_EQ(ball.mesh[0].file()->name, "ball.obj");
    EXPECT_EQ(ball.mesh[0].file()->path, std::filesystem::absolute("ball.obj"));
    EXPECT_EQ(ball.transform.translate.at(1), Vec3(0, 2.2, 0));
    EXPECT_NEAR(ball.transform.translate.at(24.5).y(), 1.8, 1e-15);
    EXPECT_EQ(ball.extent->at(5), 0.8);
    EXPECT_FALSE(ball.rigid);
    EXPECT_TRUE(ball.is_animated());
    EXPECT_TRUE(floor.rigid);
    EXPECT_FALSE(floor.is_animated());
    const GridShape& grid = std::get<GridShape>(floor.mesh[0].shape);
    EXPECT_EQ(grid.size, Vec2(6, 6));
    EXPECT_EQ(grid.cells, (std::array{80, 80}));
    ASSERT_EQ(scene.contacts->size(), 1u);
    EXPECT_EQ((*scene.contacts)[0].between[1].object, 1);
    EXPECT_FALSE((*scene.contacts)[0].direction);
}

TEST(SceneFile, Defaults) {
    const Scene scene = scene_of(scene_with(""));
    EXPECT_EQ(scene.frames, (FrameRange{1, 1}));
    EXPECT_EQ(scene.fps, 24);
    EXPECT_EQ(scene.gravity.at(0), Vec3(0, -9.81, 0));
    EXPECT_FALSE(scene.step);
    EXPECT_FALSE(scene.tolerance);
    const SceneObject& object = scene.objects[0];
    EXPECT_EQ(object.stiffness.at(0), 1);
    EXPECT_EQ(object.bulge.at(0), 1);
    EXPECT_FALSE(object.extent);
    EXPECT_EQ(object.bulge_map.kind, BulgeMap::Kind::isotropic);
    EXPECT_EQ(object.anisotropy.omega.at(0), 2);
    EXPECT_EQ(object.anisotropy.psi.at(0), 0);
    EXPECT_EQ(object.profile.bulge_at.at(0), 0.4);
    EXPECT_EQ(object.profile.end_at.at(0), 5.0 / 6);
    EXPECT_EQ(object.envelope.at(0), 1);
    EXPECT_EQ(object.offset.at(0), 0);
    EXPECT_EQ(std::get<SphereShape>(object.mesh[0].shape).subdivisions, 4);
}

TEST(SceneFile, EveryKeyOfTheScene) {
    const Scene scene = scene_of(scene_with("'frames': [-3, 4], 'fps': 29.97, 'up': 'z', "
                                            "'gravity': [1, 2, 3], 'step': 0.01, 'tolerance': "
                                            "1e-3, 'exclude': [['b', 'a']]"));
    EXPECT_EQ(scene.frames, (FrameRange{-3, 4}));
    EXPECT_EQ(scene.fps, 29.97);
    EXPECT_EQ(scene.up, UpAxis::z);
    EXPECT_EQ(scene.gravity.at(0), Vec3(1, 3, -2)); // turned to Y up
    EXPECT_EQ(scene.step, 0.01);
    EXPECT_EQ(scene.tolerance, 1e-3);
    EXPECT_EQ(scene.exclude, (std::vector{std::array{1, 0}}));
    EXPECT_DOUBLE_EQ(scene.seconds_at(-3 + 29.97), 1);
}

TEST(SceneFile, WhatPicturesNeed) {
    const Scene scene = scene_of(
        scene_with("'about': 'A test.', 'view': {'azimuth': -10, 'elevation': 45, 'zoom': 2}"));
    EXPECT_EQ(scene.about, "A test.");
    EXPECT_EQ(scene.view.azimuth, -10);
    EXPECT_EQ(scene.view.elevation, 45);
    EXPECT_EQ(scene.view.zoom, 2);
    EXPECT_EQ(ball("'color': [0, 0.5, 1]").color, Vec3(0, 0.5, 1));
    EXPECT_EQ(ball("").color, std::nullopt);
    EXPECT_EQ(scene_error(ball_with("'color': [0, 0.5, 2]")),
              "ball.json:3: objects[0].color[2]: found 2, expected a number from 0 to 1");
    EXPECT_EQ(scene_error(scene_with("'view': {'zoom': 0}")),
              "ball.json:2: view.zoom: found 0, expected a positive number");
}

TEST(SceneFile, TheHashTellsScenesApart) {
    const std::string text = scene_with("");
    EXPECT_EQ(scene_of(text).hash, scene_of(text).hash);
    EXPECT_NE(scene_of(text).hash, scene_of(text + " ").hash);
    EXPECT_NE(scene_of(text).hash, scene_of(text, {{}, {"fps=24"}}).hash);
}

TEST(SceneFile, EveryContactKey) {
    const Scene scene = scene_of(R"({'knead': 1, 'up': 'z',
      'objects': [ {'name': 'hand', 'mesh': 'hand.obj'} ],
      'contacts': [ {'between': ['hand:fingers', 'hand:palm'], 'fold': {'joints': ['a', 'b', 'c']},
        'apparent_stiffness': {'keys': [[1, -1], [3, 1]], 'interpolation': 'linear'},
        'direction': {'keys': [[1, [0, 0, 1]], [2, [1, 0, 0]]]},
        'mapping': 'direction', 'distance': 'steady_state'} ]})");
    const ContactSpec& contact = scene.contacts->at(0);
    EXPECT_EQ(contact.between[0], (ContactSide{0, "fingers"}));
    EXPECT_EQ(side_name(scene, contact.between[1]), "hand:palm");
    EXPECT_EQ(contact.fold->joints, (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(contact.apparent_stiffness->at(2), 0);
    EXPECT_EQ(contact.direction->at(1), Vec3(0, 1, 0)); // turned to Y up
    EXPECT_EQ(contact.mapping, MappingMethod::direction);
    EXPECT_EQ(contact.distance, DistanceMethod::steady_state);
    EXPECT_EQ(contact.zone, ZoneKind::symmetric);
}

TEST(SceneFile, TheParametrizationIsForARigidAndAnElasticObject) {
    const auto scene_with = [](std::string_view rigid) {
        return fmt::format(
            "{{'knead': 1, 'objects': [{{'name': 'a', 'mesh': 'a.obj', 'rigid': {}}}, "
            "{{'name': 'b', 'mesh': 'b.obj'}}], 'contacts': [{{'between': ['a', 'b'], "
            "'mapping': 'parametrization', 'zone': 'symmetric'}}]}}",
            rigid);
    };
    EXPECT_EQ(scene_of(scene_with("true")).contacts->at(0).mapping, MappingMethod::parametrization);
    EXPECT_EQ(input_error([&] { scene_of(scene_with("false")); }),
              "ball.json:1: contacts[0].mapping: found \"parametrization\", expected "
              "\"direction\": the shared parametrization is for one rigid and one elastic object");
    EXPECT_EQ(input_error([&] {
                  scene_of("{'knead': 1, 'objects': [{'name': 'a', 'mesh': 'a.obj'}], 'contacts': "
                           "[{'between': ['a:x', 'a:y'], 'fold': {}, 'direction': [0, 1, 0], "
                           "'mapping': 'parametrization'}]}");
              }),
              "ball.json:1: contacts[0].mapping: found \"parametrization\", expected "
              "\"direction\": the two sides of a fold are both elastic");
}

TEST(SceneFile, TheBallTestIsForARigidAndAnElasticObject) {
    const auto scene_with = [](std::string_view rigid) {
        return fmt::format(
            "{{'knead': 1, 'objects': [{{'name': 'a', 'mesh': 'a.obj', 'rigid': {}}}, "
            "{{'name': 'b', 'mesh': 'b.obj'}}], 'contacts': [{{'between': ['a', 'b'], "
            "'zone': 'ball', 'ball_radius': 0.5}}]}}",
            rigid);
    };
    const Scene scene = scene_of(scene_with("true"));
    EXPECT_EQ(scene.contacts->at(0).zone, ZoneKind::ball);
    EXPECT_EQ(scene.contacts->at(0).ball_radius->at(0), 0.5);
    EXPECT_EQ(
        input_error([&] { scene_of(scene_with("false")); }),
        "ball.json:1: contacts[0].zone: found \"ball\", expected \"symmetric\": the ball test is "
        "for one rigid and one elastic object");
}

TEST(SceneFile, ContactsLeftOutAreAllPairsThatCanMove) {
    const auto pairs = [](std::string_view more) {
        const Scene scene =
            scene_of(fmt::format("{{'knead': 1, {} 'objects': ["
                                 "{{'name': 'a', 'mesh': {{'sphere': {{}}}}}}, {{'name': 'b', "
                                 "'mesh': {{'sphere': {{}}}}}},"
                                 "{{'name': 'c', 'mesh': {{'box': {{}}}}, 'rigid': true}},"
                                 "{{'name': 'd', 'mesh': {{'box': {{}}}}, 'rigid': true}}]}}",
                                 more));
        std::string result;
        for (const ContactSpec& contact : contacts_of(scene))
            result +=
                side_name(scene, contact.between[0]) + side_name(scene, contact.between[1]) + " ";
        return result;
    };
    EXPECT_EQ(pairs(""), "ab ac ad bc bd ");
    EXPECT_EQ(pairs("'exclude': [['b', 'a'], ['a', 'd']],"), "ac bc bd ");
    EXPECT_EQ(pairs("'contacts': [],"), "");
    EXPECT_EQ(pairs("'contacts': [{'between': ['d', 'a']}],"), "da ");
}

TEST(SceneFile, UpZTurnsTheInput) {
    EXPECT_EQ(up_rotation(UpAxis::z) * Vec3(1, 2, 3), Vec3(1, 3, -2));
    EXPECT_EQ(up_rotation(UpAxis::y) * Vec3(1, 2, 3), Vec3(1, 2, 3));
}

TEST(SceneFile, BrokenScenesAreNamed) {
    EXPECT_EQ(scene_error("{'objects': []}"),
              "ball.json:1: knead: missing, expected 1, the version of the format");
    EXPECT_EQ(scene_error("{'knead': 2}"),
              "ball.json:1: knead: found 2, expected 1, the version of the format");
    EXPECT_EQ(scene_error("{\n\n'knead': 1}"),
              "ball.json:1: objects: missing, expected a list of objects");
    EXPECT_EQ(scene_error("[1]"),
              "ball.json:1: found a list of 1, expected an object with the keys "
              "knead, frames, objects ...");
    EXPECT_EQ(scene_error("{'knead': 1, 'objects': []}"),
              "ball.json:1: objects: found an empty list, expected a list of objects");
    const auto error = [](std::string_view keys) { return scene_error(scene_with(keys)); };
    EXPECT_EQ(error("'framse': [1, 2]"),
              "ball.json:2: framse: unknown key, did you mean \"frames\"?");
    EXPECT_EQ(
        error("'xyzzyplugh': 1"),
        "ball.json:2: xyzzyplugh: unknown key, expected one of knead, about, frames, fps, up, "
        "view, objects, contacts, contact_order, exclude, method, gravity, step, tolerance, "
        "wind, air_density, separate");
    EXPECT_EQ(error("'frames': [1, 1000000000]"),
              "ball.json:2: frames: found 1000000000 frames, expected at most 1000000");
    EXPECT_EQ(error("'frames': [5, 1]"),
              "ball.json:2: frames: found the last frame 1 before the first frame 5");
    EXPECT_EQ(error("'frames': [1, 2.5]"),
              "ball.json:2: frames[1]: found 2.5, expected a whole number from -1000000000 to "
              "1000000000");
    EXPECT_EQ(error("'frames': 7"), "ball.json:2: frames: found 7, expected [first, last]");
    EXPECT_EQ(error("'fps': -24"), "ball.json:2: fps: found -24, expected a positive number");
    EXPECT_EQ(error("'fps': null"), "ball.json:2: fps: found null, expected a positive number");
    EXPECT_EQ(error("'up': 'x'"), "ball.json:2: up: found \"x\", expected \"y\" or \"z\"");
    EXPECT_EQ(error("'contact_order': 'deep'"),
              "ball.json:2: contact_order: found \"deep\", expected \"together\" or "
              "\"deepest_first\"");
    EXPECT_EQ(error("'method': 'learned'"), "ball.json:2: method: found \"learned\", expected "
                                            "\"deform\", \"dynamics\" or \"implicit\"");
    EXPECT_EQ(error("'air_density': -1"),
              "ball.json:2: air_density: found -1, expected a number of at least 0");
    EXPECT_EQ(error("'separate': 1"), "ball.json:2: separate: found 1, expected true or false");
    EXPECT_EQ(error("'wind': 3"), "ball.json:2: wind: found 3, expected [x, y, z] or {\"keys\": "
                                  "[[frame, value], ...]}");
    EXPECT_EQ(error("'step': 0"), "ball.json:2: step: found 0, expected a positive number");
    EXPECT_EQ(error("'gravity': [0, 1]"),
              "ball.json:2: gravity: found a list of 2, expected [x, y, "
              "z] or {\"keys\": [[frame, value], ...]}");
    EXPECT_EQ(
        error("'exclude': [['a', 'c']]"),
        "ball.json:2: exclude[0][1]: found \"c\", expected the name of an object, did you mean "
        "\"a\"?");
}

TEST(SceneFile, BrokenContactsAreNamed) {
    const auto error = [](std::string_view contacts) {
        return scene_error(fmt::format("{{'knead': 1, 'objects': ["
                                       "{{'name': 'ball', 'mesh': {{'sphere': {{}}}}}},"
                                       "{{'name': 'floor', 'mesh': {{'grid': {{}}}}}} ],\n"
                                       "'contacts': [{}]}}",
                                       contacts));
    };
    const std::string begin = "ball.json:2: contacts[0]";
    EXPECT_EQ(error("{}"), begin + ".between: missing, expected two objects");
    EXPECT_EQ(error("{'between': ['ball']}"),
              begin + ".between: found a list of 1, expected two objects");
    EXPECT_EQ(error("{'between': ['ball', 'flor']}"),
              begin + ".between[1]: found \"flor\", expected the name of an object, did you mean "
                      "\"floor\"?");
    EXPECT_EQ(error("{'between': ['ball', 'floor:']}"),
              begin + ".between[1]: found \"floor:\", expected an object or \"object:group\"");
    for (const std::string_view pair :
         {"'ball', 'ball'", "'ball:a', 'ball'", "'ball:a', 'ball:a'"}) {
        const std::string message = error(fmt::format("{{'between': [{}]}}", pair));
        EXPECT_TRUE(message.starts_with(begin + ".between: found \"ball"));
        EXPECT_TRUE(message.ends_with(", expected two objects or two groups of one"));
    }
    EXPECT_EQ(error("{'between': ['ball:a', 'ball:b']}"), "no error");
    EXPECT_EQ(
        error("{'between': ['ball', 'floor']}, {'between': ['floor', 'ball']}"),
        "ball.json:2: contacts[1].between: found \"ball\" and \"floor\" a second time, expected "
        "one contact a pair");
    const auto key_error = [&](std::string_view key) {
        return error(fmt::format("{{'between': ['ball', 'floor'], {}}}", key));
    };
    EXPECT_EQ(key_error("'aparent_stiffness': 1"),
              begin + ".aparent_stiffness: unknown key, did you mean \"apparent_stiffness\"?");
    EXPECT_EQ(key_error("'direction': 'up'"),
              begin + ".direction: found \"up\", expected \"auto\" or [x, y, z]");
    EXPECT_EQ(key_error("'direction': [0, 0, 0]"),
              begin + ".direction: found [0, 0, 0], expected a vector that points somewhere");
    EXPECT_EQ(key_error("'direction': {'keys': [[1, [0, 1, 0]], [2, [0, 0, 0]]]}"),
              begin + ".direction: key 1 is [0, 0, 0], expected a vector that points somewhere");
    EXPECT_EQ(key_error("'mapping': 'ray'"),
              begin + ".mapping: found \"ray\", expected \"direction\" or \"parametrization\"");
    EXPECT_EQ(key_error("'distance': 'geodesic'"),
              begin + ".distance: found \"geodesic\", expected \"heat\" or \"steady_state\"");
    EXPECT_EQ(key_error("'zone': 'ball'"),
              begin + ".ball_radius: missing, expected a positive number, since zone is \"ball\"");
    EXPECT_EQ(key_error("'ball_radius': -1"),
              begin + ".ball_radius: found -1, expected a positive number");
    EXPECT_EQ(key_error("'ball_radius': 0.3"),
              begin + ".ball_radius: expected it only with zone \"ball\"");
    EXPECT_EQ(key_error("'fold': {'joints': ['a', 'b']}"),
              begin + ".fold: a fold is between two groups of one object");
    EXPECT_EQ(error("{'between': ['ball:a', 'ball:b'], 'fold': {'joints': ['a', 'b']}}"),
              begin + ".fold.joints: found a list of 2, expected the names of three joints");
}

TEST(SceneFile, OverridesChangeTheFile) {
    const auto with = [](std::vector<std::string> overrides) {
        return scene_of(ball_with("'stiffness': 2"), {{}, std::move(overrides)});
    };
    EXPECT_EQ(with({"fps=30"}).fps, 30);
    EXPECT_EQ(with({"objects[0].stiffness=3"}).objects[0].stiffness.at(0), 3);
    EXPECT_EQ(with({"objects.ball.stiffness=4"}).objects[0].stiffness.at(0), 4);
    EXPECT_EQ(with({"objects.floor.transform.scale=[1, 2, 3]"}).objects[1].transform.scale.at(0),
              Vec3(1, 2, 3));
    EXPECT_EQ(with({"objects.ball.bulge_map=anisotropic"}).objects[0].bulge_map.kind,
              BulgeMap::Kind::anisotropic);
    EXPECT_EQ(with({"objects.ball.mesh.sphere.radius=3"}).objects[0].mesh.size(), 1u);
    EXPECT_EQ(with({"contacts=[]"}).contacts->size(), 0u);
    EXPECT_EQ(with({"fps=1", "fps=2"}).fps, 2);
}

TEST(SceneFile, BrokenOverridesAreNamed) {
    const auto error = [](const std::string& override) {
        return scene_error(ball_with("'stiffness': 2"), {{}, {"fps=30", override}});
    };
    EXPECT_EQ(error("objects.ball.stiffness=soft"),
              "--set objects.ball.stiffness=soft: objects[0].stiffness: found \"soft\", expected a "
              "number or {\"keys\": [[frame, value], ...]}");
    EXPECT_EQ(error("objects.ball.stifness=1"),
              "--set objects.ball.stifness=1: objects[0].stifness: unknown key, did you mean "
              "\"stiffness\"?");
    EXPECT_EQ(error("fps"), "--set fps: expected PATH=VALUE, as in objects.ball.stiffness=2");
    EXPECT_EQ(error("=1"), "--set =1: expected PATH=VALUE, as in objects.ball.stiffness=2");
    EXPECT_EQ(error("a..b=1"), "--set a..b=1: the path has an empty step");
    EXPECT_EQ(error("objects.bal.stiffness=1"),
              "--set objects.bal.stiffness=1: objects has no entry named \"bal\", did you mean "
              "\"ball\"?");
    EXPECT_EQ(error("objects[2].stiffness=1"),
              "--set objects[2].stiffness=1: objects has no entry 2, expected 0 to 1");
    EXPECT_EQ(error("knead.x=1"), "--set knead.x=1: knead is 1, expected an object or a list");
    std::string deep = "a";
    for (int i = 0; i < 10000; ++i) deep += ".a";
    EXPECT_EQ(error(deep + "=1").substr(100),
              "a.a.a....: the path has 10001 steps, expected at most 32");
}

} // namespace
} // namespace knead
