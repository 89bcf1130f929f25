#include <gtest/gtest.h>

#include <tuple>

#include "scene/scene_text.hpp"

namespace knead {
namespace {

TEST(SceneObject, EveryKeyOfTheDeformer) {
    const SceneObject object = ball(
        "'rigid': false, 'stiffness': {'map': 'firm', 'low': 1, 'high': {'keys': [[0, 3], [1, "
        "5]]}}, "
        "'extent': 'auto', 'bulge': {'keys': [[1, 0], [3, 2]], 'interpolation': 'step'}, "
        "'bulge_map': 'painted', 'anisotropy': {'omega': 3, 'psi': 45}, 'profile': {'bulge_at': "
        "0.5, "
        "'end_at': 0.9, 'wrinkles': {'amplitude': 0.1, 'waves': 4}}, 'region': 'front', "
        "'envelope': "
        "0.5, 'offset': -0.01, 'smooth_normals': 0.2, 'details': 0.3, 'softness': 0.3, 'proxy': "
        "'p.obj', 'preset': 'flesh', 'animation': "
        "'walk', 'attributes': {'firm': 'maps/firm.csv'}");
    EXPECT_TRUE(object.stiffness.is_painted());
    EXPECT_EQ(object.stiffness.at(0, 0.5), 2);
    EXPECT_EQ(object.stiffness.at(1, 0.5), 3);
    EXPECT_FALSE(object.extent);
    EXPECT_EQ(object.bulge.at(2.9), 0);
    EXPECT_EQ(object.bulge_map.kind, BulgeMap::Kind::attribute);
    EXPECT_EQ(object.bulge_map.attribute, "painted");
    EXPECT_EQ(object.anisotropy.omega.at(0), 3);
    EXPECT_EQ(object.anisotropy.psi.at(0), 45);
    EXPECT_EQ(object.profile.bulge_at.at(0), 0.5);
    EXPECT_EQ(object.profile.end_at.at(0), 0.9);
    EXPECT_EQ(object.profile.wrinkles.amplitude.at(0), 0.1);
    EXPECT_EQ(object.profile.wrinkles.waves.at(0), 4);
    EXPECT_EQ(object.region, "front");
    EXPECT_EQ(object.envelope.at(0), 0.5);
    EXPECT_EQ(object.offset.at(0), -0.01);
    EXPECT_EQ(object.smooth_normals.at(0), 0.2);
    EXPECT_EQ(object.details.at(0), 0.3);
    EXPECT_EQ(object.softness.at(0), 0.3);
    EXPECT_EQ(object.proxy.at(0).file()->name, "p.obj");
    EXPECT_EQ(object.preset, "flesh");
    EXPECT_EQ(object.animation, "walk");
    EXPECT_EQ(std::get<SceneFile>(object.attributes.at("firm")).name, "maps/firm.csv");
}

TEST(SceneObject, ASheetIsTouchedFromTheFrontOrTheBack) {
    EXPECT_EQ(ball("").side, SheetSide::front);
    EXPECT_EQ(ball("'side': 'front'").side, SheetSide::front);
    EXPECT_EQ(ball("'side': 'back'").side, SheetSide::back);
    EXPECT_EQ(ball_error("'side': 'behind'"),
              ".side: found \"behind\", expected \"front\" or \"back\"");
    const std::string keyed =
        ball_error("'side': {'keys': [[1, 'front'], [9, 'back']], 'interpolation': 'step'}");
    EXPECT_TRUE(keyed.starts_with(".side: found ") &&
                keyed.ends_with(", expected \"front\" or \"back\""))
        << keyed;
}

TEST(SceneObject, KeysWinOverThePreset) {
    const SceneObject dough = ball("'preset': 'dough'");
    EXPECT_EQ(dough.preset, "dough");
    EXPECT_EQ(dough.stiffness.at(0), 0.2);
    EXPECT_EQ(dough.softness.at(0), 0.9);
    EXPECT_EQ(dough.bulge.at(0), 1);
    EXPECT_EQ(dough.profile.bulge_at.at(0), 0.35);
    EXPECT_EQ(dough.profile.end_at.at(0), 0.75);
    const SceneObject own = ball("'softness': 0.4, 'profile': {'end_at': 0.7}, 'preset': 'dough'");
    EXPECT_EQ(own.stiffness.at(0), 0.2);
    EXPECT_EQ(own.softness.at(0), 0.4);
    EXPECT_EQ(own.profile.bulge_at.at(0), 0.35);
    EXPECT_EQ(own.profile.end_at.at(0), 0.7);
    for (const char* name : {"rubber", "flesh", "cushion"})
        EXPECT_NE(ball(fmt::format("'preset': '{}'", name)).softness.at(0), 0.5) << name;
    EXPECT_EQ(ball_error("'preset': 'jelly'"),
              ".preset: found \"jelly\", expected \"rubber\", \"flesh\", \"cushion\" or \"dough\"");
    EXPECT_EQ(ball_error("'preset': 'rubber', 'profile': {'end_at': 0.4}"),
              ".profile.end_at: found 0.4, expected at least bulge_at, 0.45");
}

TEST(SceneObject, EveryKeyOfDynamics) {
    const SceneObject object = ball(
        "'body': {'type': 'cloth', 'density': 1000, 'young': 1e5, 'poisson': 0.3, 'damping': 0.1, "
        "'friction': 0.5, 'thickness': 0.001, 'cells': 12, 'pins': [0, 4], 'velocity': [1, 2, 3]}");
    const BodySpec& body = *object.body;
    EXPECT_EQ(body.type, BodySpec::Type::cloth);
    EXPECT_EQ(body.density->at(0), 1000);
    EXPECT_EQ(body.young->at(0), 1e5);
    EXPECT_EQ(body.poisson->at(0), 0.3);
    EXPECT_EQ(body.damping->at(0), 0.1);
    EXPECT_EQ(body.friction->at(0), 0.5);
    EXPECT_EQ(body.thickness->at(0), 0.001);
    EXPECT_EQ(body.cells, 12);
    EXPECT_EQ(body.pin_vertices, (std::vector{0, 4}));
    EXPECT_EQ(body.velocity->at(0), Vec3(1, 2, 3));
    EXPECT_EQ(ball("'body': {'type': 'volume', 'pins': 'top'}").body->pin_group, "top");
}

TEST(SceneObject, EveryKeyOfImplicitSolidsAndNoMesh) {
    const Scene scene = scene_of(
        "{'knead': 1, 'objects': [{'name': 'a', 'skeleton': [{'point': {'keys': [[1, [0, 0, 0]], "
        "[2, "
        "[1, 0, 0]]]}}, {'segment': [[0, 0, 0], [1, 0, 0]]}, {'polyline': [[0, 0, 0], [1, 0, 0], "
        "[1, 1, "
        "0], [0, 1, 0]]}, {'triangle': [[0, 0, 0], [1, 0, 0], [0, 1, 0]]}], 'field': {'radius': "
        "0.5, "
        "'influence': 1, 'stiffness': 10, 'law': 'nonlinear', 'kind': 'convolution'}, "
        "'propagation': "
        "{'width': 0.3, 'attenuation': 0.8}, 'density': 2, 'drag': 0.1, 'friction': 0.4}]}");
    const ImplicitSpec& implicit = scene.objects[0].implicit;
    EXPECT_TRUE(scene.objects[0].mesh.empty());
    ASSERT_EQ(implicit.skeleton.size(), 4u);
    EXPECT_EQ(implicit.skeleton[0].points[0].at(2), Vec3(1, 0, 0));
    EXPECT_EQ(implicit.skeleton[1].kind, SkeletonPiece::Kind::segment);
    EXPECT_EQ(implicit.skeleton[2].points.size(), 4u);
    EXPECT_EQ(implicit.skeleton[3].kind, SkeletonPiece::Kind::triangle);
    EXPECT_EQ(implicit.field.radius->at(0), 0.5);
    EXPECT_EQ(implicit.field.influence->at(0), 1);
    EXPECT_EQ(implicit.field.stiffness->at(0), 10);
    EXPECT_EQ(implicit.field.law, FieldSpec::Law::nonlinear);
    EXPECT_EQ(implicit.field.kind, FieldSpec::Kind::convolution);
    EXPECT_EQ(implicit.propagation.width->at(0), 0.3);
    EXPECT_EQ(implicit.propagation.attenuation->at(0), 0.8);
    EXPECT_EQ(implicit.density->at(0), 2);
    EXPECT_EQ(implicit.drag->at(0), 0.1);
    EXPECT_EQ(implicit.friction.at(0), 0.4);
}

TEST(SceneObject, ScalesByOneNumberOrThree) {
    EXPECT_EQ(ball("'transform': {'scale': 2}").transform.scale.at(0), Vec3(2, 2, 2));
    EXPECT_EQ(ball("'transform': {'scale': [1, 2, 3]}").transform.scale.at(0), Vec3(1, 2, 3));
    EXPECT_EQ(ball("'transform': {'scale': {'keys': [[0, 1], [2, 3]]}}").transform.scale.at(1),
              Vec3(2, 2, 2));
    EXPECT_EQ(ball("'transform': {'scale': {'keys': [[0, [1, 1, 1]], [2, [3, 1, 1]]]}}")
                  .transform.scale.at(1),
              Vec3(2, 1, 1));
}

TEST(SceneObject, KeyFramesAreChecked) {
    const auto error = [](std::string_view value) {
        return ball_error(fmt::format("'bulge': {}", value));
    };
    EXPECT_EQ(error("'soft'"), ".bulge: found \"soft\", expected a number or {\"keys\": "
                               "[[frame, value], ...]}");
    EXPECT_EQ(error("{'keys': []}"), ".bulge.keys: found an empty list, expected a list of [frame, "
                                     "value]");
    EXPECT_EQ(error("{'keys': [[1, 0], [1, 2]]}"),
              ".bulge.keys[1]: found frame 1 after frame 1, expected frames that ascend");
    EXPECT_EQ(error("{'keys': [[1, 0], [5, 1], [3, 2]]}"),
              ".bulge.keys[2]: found frame 3 after frame 5, expected frames that ascend");
    EXPECT_EQ(error("{'keys': [[1, 0], [2, [1, 2, 3]]]}"),
              ".bulge.keys[1][1]: found a list of 3, expected a number of at least 0");
    EXPECT_EQ(error("{'keys': [[1, 0], [2, -4]]}"),
              ".bulge.keys[1][1]: found -4, expected a number of at least 0");
    EXPECT_EQ(error("{'keys': [[1, 0], 2]}"), ".bulge.keys[1]: found 2, expected [frame, value]");
    EXPECT_EQ(error("{'keys': [['a', 0]]}"),
              ".bulge.keys[0][0]: found \"a\", expected a frame number");
    EXPECT_EQ(error("{'keys': [[1, 0]], 'interpolation': 'cubic'}"),
              ".bulge.interpolation: found \"cubic\", expected \"smooth\", \"linear\" or \"step\"");
    EXPECT_EQ(error("{'keys': [[1, 0]], 'interpolate': 'step'}"),
              ".bulge.interpolate: unknown key, did you mean \"interpolation\"?");
    EXPECT_EQ(ball_error("'transform': {'scale': {'keys': [[1, 2], [2, [1, 2, 3]]]}}"),
              ".transform.scale.keys[1][1]: found a list of 3, expected a positive number");
    EXPECT_EQ(ball_error("'transform': {'scale': -1}"),
              ".transform.scale: found -1, expected a positive number");
    EXPECT_EQ(ball_error("'transform': {'scale': [1, 0, 1]}"),
              ".transform.scale[1]: found 0, expected a positive number");
    EXPECT_EQ(ball_error("'transform': {'translate': {'keys': [[1, [1, 2, 3]], [2, [1, 2]]]}}"),
              ".transform.translate.keys[1][1]: found a list of 2, expected [x, y, z]");
    EXPECT_EQ(ball_error("'transform': {'translate': {'keys': [[1, [1, 'up', 3]]]}}"),
              ".transform.translate.keys[0][1][1]: found \"up\", expected a number");
    EXPECT_EQ(ball_error("'transform': {'scale': {'keys': [[1, [1, 2, 3]], [2, [1, 2, 0]]]}}"),
              ".transform.scale.keys[1][1][2]: found 0, expected a positive number");
    EXPECT_EQ(
        ball_error("'transform': {'scale': 'big'}"),
        ".transform.scale: found \"big\", expected a number, [x, y, z] or {\"keys\": [[frame, "
        "value], ...]}");
}

TEST(SceneObject, NumbersOutOfRangeAreNamedWithTheirKey) {
    const auto error = [](std::string_view key, std::string_view value) {
        return ball_error(fmt::format("'{}': {}", key, value));
    };
    for (const auto& [key, wrong, expected] :
         {std::tuple("stiffness", "-1", "a number of at least 0"),
          std::tuple("extent", "-0.5", "a positive number"),
          std::tuple("bulge", "-2", "a number of at least 0"),
          std::tuple("envelope", "-0.1", "a number from 0 to 1"),
          std::tuple("softness", "2", "a number from 0 to 1")}) {
        EXPECT_EQ(error(key, wrong),
                  fmt::format(".{}: found {}, expected {}", key, wrong, expected));
        EXPECT_EQ(error(key, fmt::format("{{'keys': [[1, 0.5], [2, {}], [3, 0.5]]}}", wrong)),
                  fmt::format(".{}.keys[1][1]: found {}, expected {}", key, wrong, expected));
        EXPECT_EQ(error(key, fmt::format("{{'map': 'm', 'low': 0.5, 'high': {}}}", wrong)),
                  fmt::format(".{}.high: found {}, expected {}", key, wrong, expected));
    }
    EXPECT_EQ(error("smooth_normals", "-1"),
              ".smooth_normals: found -1, expected a number of at least 0");
    EXPECT_EQ(error("details", "-1"), ".details: found -1, expected a number of at least 0");
    EXPECT_EQ(error("anisotropy", "{'omega': -1}"),
              ".anisotropy.omega: found -1, expected a number of at least 0");
    EXPECT_EQ(error("profile", "{'wrinkles': {'waves': {'keys': [[1, 2], [2, -2]]}}}"),
              ".profile.wrinkles.waves.keys[1][1]: found -2, expected a number of at least 0");
    for (const char* key : {"bulge_at", "end_at"})
        for (const char* wrong : {"0", "1", "-0.2", "1.5"})
            EXPECT_EQ(error("profile", fmt::format("{{'{}': {}}}", key, wrong)),
                      fmt::format(".profile.{}: found {}, expected a number between 0 and 1", key,
                                  wrong));
}

TEST(SceneObject, TheBulgeComesBeforeTheEnd) {
    const auto error = [](std::string_view profile) {
        return ball_error(fmt::format("'profile': {{{}}}", profile));
    };
    EXPECT_EQ(error("'bulge_at': 0.5, 'end_at': 0.5"), "no error");
    EXPECT_EQ(error("'bulge_at': 0.9"),
              ".profile.bulge_at: found 0.9, expected at most end_at, 0.8333333333333334");
    EXPECT_EQ(error("'end_at': 0.3"),
              ".profile.end_at: found 0.3, expected at least bulge_at, 0.4");
    EXPECT_EQ(error("'bulge_at': 0.7, 'end_at': 0.6"),
              ".profile.bulge_at: found 0.7, expected at most end_at, 0.6");
    EXPECT_EQ(error("'bulge_at': {'keys': [[1, 0.2], [5, 0.7], [9, 0.2]]}, 'end_at': 0.6"),
              ".profile.bulge_at: found 0.7 at frame 5, expected at most end_at, 0.6");
    EXPECT_EQ(error("'end_at': {'keys': [[1, 0.8], [5, 0.3]]}"),
              ".profile.end_at: found 0.3 at frame 5, expected at least bulge_at, 0.4");
    // A step holds its value until the next key, when the other has already gone down.
    EXPECT_EQ(
        error("'bulge_at': {'keys': [[1, 0.6], [5, 0.2]], 'interpolation': 'step'}, 'end_at': "
              "{'keys': [[1, 0.8], [5, 0.4]], 'interpolation': 'linear'}")
            .substr(0, 40),
        ".profile.bulge_at: found 0.6 at frame 4.");
}

TEST(SceneObject, BrokenNamesAreNamed) {
    const auto error = [](std::string_view names) {
        return scene_error(fmt::format("{{'knead': 1, 'objects': [{}]}}", names));
    };
    const std::string expected =
        ", expected a name of letters, digits, '_', '-' and '.', not beginning with '.'";
    for (const std::string name : {"", "a/b", ".hidden", "..", "a b", "a:b"})
        EXPECT_EQ(error(fmt::format("{{'name': '{}', 'mesh': 'a.obj'}}", name)),
                  fmt::format("ball.json:1: objects[0].name: found \"{}\"{}", name, expected));
    EXPECT_EQ(error("{'mesh': 'a.obj'}"),
              "ball.json:1: objects[0].name: missing, expected the object's name");
    EXPECT_EQ(
        error("{'name': 'a', 'mesh': 'a.obj'}, {'name': 'a', 'mesh': 'a.obj'}"),
        "ball.json:1: objects[1].name: found \"a\" a second time, expected names that differ");
    EXPECT_EQ(error("{'name': 'a'}"),
              "ball.json:1: objects[0].mesh: missing, expected a file or a shape");
    EXPECT_EQ(error("7").substr(0, 68),
              "ball.json:1: objects[0]: found 7, expected an object with the keys n");
}

TEST(SceneObject, BrokenKeysAreNamed) {
    EXPECT_EQ(ball_error("'stifness': 1"), ".stifness: unknown key, did you mean \"stiffness\"?");
    EXPECT_EQ(ball_error("'rigid': 1"), ".rigid: found 1, expected true or false");
    EXPECT_EQ(ball_error("'extent': 'long'"),
              ".extent: found \"long\", expected a positive number or \"auto\"");
    EXPECT_EQ(ball_error("'extent': 0"), ".extent: found 0, expected a positive number");
    EXPECT_EQ(ball_error("'envelope': 1.5"), ".envelope: found 1.5, expected a number from 0 to 1");
    EXPECT_EQ(ball_error("'bulge': {'map': 'm', 'hi': 1}"),
              ".bulge.hi: unknown key, did you mean \"high\"?");
    EXPECT_EQ(ball_error("'bulge': {'map': 7}"),
              ".bulge.map: found 7, expected the name of a vertex attribute");
    EXPECT_EQ(ball_error("'bulge_map': 3"), ".bulge_map: found 3, expected \"isotropic\", "
                                            "\"anisotropic\" or the name of a vertex attribute");
    EXPECT_EQ(ball_error("'profile': {'wrinkles': {'wave': 3}}"),
              ".profile.wrinkles.wave: unknown key, did you mean \"waves\"?");
    EXPECT_EQ(ball_error("'body': {}"),
              ".body.type: missing, expected \"volume\", \"cloth\", \"rigid\" "
              "or \"kinematic\"");
    EXPECT_EQ(
        ball_error("'body': {'type': 'gas'}"),
        ".body.type: found \"gas\", expected \"volume\", \"cloth\", \"rigid\" or \"kinematic\"");
    EXPECT_EQ(ball_error("'body': {'type': 'volume', 'poisson': 0.5}"),
              ".body.poisson: found 0.5, expected a number between -1 and 0.5");
    for (const char* key : {"density", "thickness"})
        EXPECT_EQ(ball_error(fmt::format("'body': {{'type': 'volume', '{}': 0}}", key)),
                  fmt::format(".body.{}: found 0, expected a positive number", key));
    for (const char* key : {"young", "damping", "friction", "targets"})
        EXPECT_EQ(ball_error(fmt::format("'body': {{'type': 'cloth', '{}': -1}}", key)),
                  fmt::format(".body.{}: found -1, expected a number of at least 0", key));
    EXPECT_EQ(ball_error("'body': {'type': 'rigid', 'angular_velocity': 3}"),
              ".body.angular_velocity: found 3, expected [x, y, z] or {\"keys\": [[frame, value], "
              "...]}");
    for (const char* type : {"rigid", "kinematic"})
        for (const char* key : {"pins", "targets"})
            EXPECT_EQ(ball_error(fmt::format("'body': {{'type': '{}', '{}': [0]}}", type, key)),
                      fmt::format(".body.{}: found {} of a body that is not soft, expected "
                                  "\"volume\" or \"cloth\"",
                                  key, key));
    EXPECT_EQ(ball_error("'body': {'type': 'volume', 'pins': [1, -1]}"),
              ".body.pins[1]: found -1, expected a whole number from 0 to 2147483647");
    EXPECT_EQ(ball_error("'skeleton': []"), ".skeleton: found an empty list, expected a list of "
                                            "points, segments, polylines and triangles");
    EXPECT_EQ(ball_error("'skeleton': [{'segment': [[0, 0, 0]]}]"),
              ".skeleton[0].segment: found a list of 1, expected a list of two points");
    EXPECT_EQ(ball_error("'field': {'law': 'cubic'}"),
              ".field.law: found \"cubic\", expected \"linear\" or \"nonlinear\"");
    EXPECT_EQ(ball_error("'attributes': 7"),
              ".attributes: found 7, expected an object {\"name\": \"values.csv\"}");
}

} // namespace
} // namespace knead
