#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "picture.hpp"

namespace knead {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

template <typename Change>
std::string settings_error(const Change& change) {
    RenderSettings settings = small_picture();
    settings.camera = Camera{};
    change(settings);
    return input_error([&] { render({}, settings); });
}

template <typename Change>
std::string object_error(const Change& change) {
    const TriangleMesh sphere = make_sphere(1, 1);
    RenderObject object = object_of(sphere);
    object.name = "ball";
    change(object);
    return input_error([&] { render(std::span(&object, 1), small_picture()); });
}

TEST(RenderInput, SizesOutOfRange) {
    EXPECT_EQ(settings_error([](auto& s) { s.width = 0; }),
              "render: width is 0, expected 1 to 8192");
    EXPECT_EQ(settings_error([](auto& s) { s.width = 100000; }),
              "render: width is 100000, expected 1 to 8192");
    EXPECT_EQ(settings_error([](auto& s) { s.height = -3; }),
              "render: height is -3, expected 1 to 8192");
    EXPECT_EQ(settings_error([](auto& s) { s.width = s.height = 8192; }),
              "render: 8192 x 8192 is 67108864 pixels, expected at most 16777216");
    EXPECT_EQ(settings_error([](auto& s) { s.samples = 65; }),
              "render: samples is 65, expected 1 to 64");
}

TEST(RenderInput, CamerasThatSeeNothing) {
    EXPECT_EQ(settings_error([](auto& s) { s.camera->eye.y() = nan; }),
              "render: camera eye is (0, nan, 5), expected finite numbers up to 1e+100");
    EXPECT_EQ(settings_error([](auto& s) { s.camera->target.x() = -infinity; }),
              "render: camera target is (-inf, 0, 0), expected finite numbers up to 1e+100");
    EXPECT_EQ(settings_error([](auto& s) { s.camera->up.setZero(); }),
              "render: camera up is (0, 0, 0), expected a direction");
    EXPECT_EQ(settings_error([](auto& s) { s.camera->eye.setZero(); }),
              "render: camera eye and target are both (0, 0, 0), expected two points");
    EXPECT_EQ(settings_error([](auto& s) { s.camera->up = Vec3(0, 0, 2); }),
              "render: camera up (0, 0, 2) is along the view, expected another direction");
    EXPECT_EQ(settings_error([](auto& s) { s.camera->vertical_fov_degrees = 0; }),
              "render: camera field of view is 0 degrees, expected more than 0 and less than 180");
}

TEST(RenderInput, OtherSettings) {
    EXPECT_EQ(settings_error([](auto& s) { s.contour = 1.5; }),
              "render: contour is 1.5, expected 0 to 1");
    EXPECT_EQ(settings_error([](auto& s) { s.background_top.x() = 255; }),
              "render: background_top is (255, 0.949, 0.937), expected channels from 0 to 1");
    EXPECT_EQ(settings_error([](auto& s) {
                  s.clip = ClipPlane{Vec3::Zero(), Vec3(0, nan, 0)};
              }),
              "render: clip normal is (0, nan, 0), expected a direction");
    EXPECT_EQ(settings_error([](auto& s) {
                  s.clip = ClipPlane{Vec3(nan, 0, 0), Vec3::UnitX()};
              }),
              "render: clip point is (nan, 0, 0), expected finite numbers up to 1e+100");
    EXPECT_EQ(settings_error([](auto& s) { s.light_direction = Vec3::Zero(); }),
              "render: light_direction is (0, 0, 0), expected a direction");
    EXPECT_EQ(settings_error([](auto& s) { s.ground_height = nan; }),
              "render: ground_height is nan, expected -1e+100 to 1e+100");
    EXPECT_EQ(settings_error([](auto& s) {
                  s.field_scale = FieldScale{"depth", 2, 1};
              }),
              "render: field_scale is from 2 to 1, expected finite numbers in order");
}

TEST(RenderInput, Objects) {
    std::vector<Vec3> positions = {{0, 0, 0}, {1, 0, 0}, {0, nan, 0}};
    std::vector<Triangle> faces = {{0, 1, 2}};
    EXPECT_EQ(object_error([&](auto& o) {
                  o.positions = positions;
                  o.faces = faces;
              }),
              "render: object 'ball': vertex 2 is (0, nan, 0), expected finite numbers up to "
              "1e+100");
    positions[2] = {0, 1e200, 0};
    EXPECT_EQ(object_error([&](auto& o) {
                  o.positions = positions;
                  o.faces = faces;
              }),
              "render: object 'ball': vertex 2 is (0, 1e+200, 0), expected finite numbers up to "
              "1e+100");
    faces = {{0, 1, 2}, {0, 42, 1}};
    EXPECT_EQ(object_error([&](auto& o) { o.faces = faces; }),
              "render: object 'ball': face 1 uses vertex 42, expected 0 to 41");
    faces = {{0, -1, 1}};
    EXPECT_EQ(object_error([&](auto& o) { o.faces = faces; }),
              "render: object 'ball': face 0 uses vertex -1, expected 0 to 41");
    const std::vector<double> field = {1};
    EXPECT_EQ(object_error([&](auto& o) { o.field = field; }),
              "render: object 'ball': the field has 1 value, expected 42");
    EXPECT_EQ(object_error([](auto& o) { o.color = Vec3(0, 0, -1); }),
              "render: object 'ball': color is (0, 0, -1), expected channels from 0 to 1");
    EXPECT_EQ(object_error([](auto& o) { o.opacity = 2; }),
              "render: object 'ball': opacity is 2, expected 0 to 1");
}

// Broken shapes are drawn as far as they can be.
TEST(RenderInput, DegenerateMeshesAreDrawn) {
    TriangleMesh sphere = make_sphere(1, 2);
    const Image whole = render(std::vector{object_of(sphere)}, small_picture());
    const int stray = sphere.vertex_count();
    sphere.positions.emplace_back(50, 50, 50); // no face uses it
    sphere.faces.push_back({0, 0, 0});
    sphere.faces.push_back({3, 3, 5});
    const Image with_slivers = render(std::vector{object_of(sphere)}, small_picture());
    EXPECT_LT(mean_difference(whole, with_slivers), 0.01);

    sphere.positions[stray] = sphere.positions[0];
    sphere.faces = {{0, stray, 0}};
    RenderSettings clipped = small_picture();
    clipped.clip = ClipPlane{};
    EXPECT_EQ(render(std::vector{object_of(sphere)}, clipped).bytes.size(), 3u * 160 * 90);
}

TEST(RenderInput, NothingToSeeIsTheBackground) {
    const Image empty = render({}, small_picture());
    const TriangleMesh none;
    const Image no_faces = render(std::vector{object_of(none)}, small_picture());
    EXPECT_EQ(empty.bytes, no_faces.bytes);
    EXPECT_NEAR(brightness(empty, 80, 0), 255 * 0.948, 2);
    EXPECT_NEAR(brightness(empty, 80, 89), 255 * 0.865, 2);
    for (int x = 1; x < 160; ++x) ASSERT_EQ(empty.at(x, 45), empty.at(0, 45));
}

TEST(RenderInput, StopRequestIsHeeded) {
    const TriangleMesh sphere = make_sphere(1, 2);
    std::stop_source source;
    source.request_stop();
    Progress progress;
    progress.stop = source.get_token();
    EXPECT_THROW(render(std::vector{object_of(sphere)}, small_picture(), progress), Cancelled);
}

} // namespace
} // namespace knead
