#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/render/render.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <xmmintrin.h>

#include "picture.hpp"

namespace knead {
namespace {

const Vec3 white(0.93, 0.93, 0.93), red(0.8, 0.2, 0.2), blue(0.2, 0.3, 0.8);

Camera from_the_front(double distance = 6) {
    return {Vec3(0, 0, distance), Vec3::Zero(), Vec3::UnitY(), 30};
}

bool reddish(const std::array<std::uint8_t, 3>& c) {
    return c[0] > c[1] + 40 && c[0] > c[2] + 40;
}
bool bluish(const std::array<std::uint8_t, 3>& c) {
    return c[2] > c[0] + 40 && c[2] > c[1] + 40;
}

TEST(Render, BallOnTheGround) {
    const TriangleMesh ball = make_sphere(1, 4);
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(0, 2, 6), Vec3(0, 0, 0), Vec3::UnitY(), 30};
    settings.light_direction = Vec3(0, 1, 0);
    const Image image = render(std::vector{object_of(ball, white)}, settings);
    ASSERT_EQ(image.width, 160);
    ASSERT_EQ(image.height, 90);
    const Image empty = render({}, settings);
    // Light on top, darker below, and a shadow under it that fades into the background.
    EXPECT_GT(brightness(image, 80, 30), 200);
    EXPECT_LT(brightness(image, 80, 62), brightness(image, 80, 30) - 60);
    EXPECT_LT(brightness(image, 70, 73), brightness(empty, 70, 73) - 60);
    for (const auto& [x, y] : {std::pair{0, 0}, {159, 0}})
        EXPECT_EQ(image.at(x, y), empty.at(x, y));
    for (const auto& [x, y] : {std::pair{0, 89}, {159, 89}})
        EXPECT_LE(largest_difference(image.at(x, y), empty.at(x, y)), 12);

    settings.ground = false;
    const Image floating = render(std::vector{object_of(ball, white)}, settings);
    EXPECT_EQ(floating.at(70, 73), empty.at(70, 73));
}

TEST(Render, ShadowsFallAwayFromTheKeyLight) {
    const TriangleMesh ball = moved(make_sphere(0.4, 3), {0, 0.8, 0});
    const TriangleMesh floor = make_grid({6, 6}, {1, 1});
    RenderSettings settings = small_picture();
    settings.camera = frame_camera({Vec3(-2, 0, -1), Vec3(2, 1, 1)}, 0, 89, 16.0 / 9);
    settings.light_direction = Vec3(-1, 1, 0);
    const Image image = render(std::vector{object_of(ball), object_of(floor, white)}, settings);
    EXPECT_LT(brightness(image, 108, 45), brightness(image, 52, 45) - 35);
}

TEST(Render, FlatFacesHaveOneShadeEach) {
    const TriangleMesh ball = make_sphere(1, 1);
    RenderSettings settings = small_picture();
    settings.camera = from_the_front();
    const auto shades = [&](bool smooth) {
        RenderObject object = object_of(ball, white);
        object.smooth = smooth;
        const Image image = render(std::span(&object, 1), settings);
        std::vector<double> found;
        for (int x = 60; x < 100; ++x) found.push_back(std::round(brightness(image, x, 45)));
        std::sort(found.begin(), found.end());
        return std::unique(found.begin(), found.end()) - found.begin();
    };
    EXPECT_GT(shades(true), shades(false) + 5);
}

TEST(Render, SharpEdgesStaySharpWhenSmooth) {
    const TriangleMesh box = make_box({2, 2, 2}, {3, 3, 3});
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(4, 0, 4), Vec3::Zero(), Vec3::UnitY(), 30};
    settings.ground = false;
    settings.light_direction = Vec3(-1, 0.2, 0.5);
    const Image image = render(std::vector{object_of(box, white)}, settings);
    EXPECT_GT(brightness(image, 76, 45), brightness(image, 84, 45) + 30);
    EXPECT_NEAR(brightness(image, 76, 45), brightness(image, 66, 45), 12);
}

TEST(Render, FieldsTakeTheColoursOfTheScale) {
    const TriangleMesh ball = make_sphere(1, 4);
    RenderSettings settings = small_picture();
    settings.camera = from_the_front();
    settings.legend = false;
    settings.field_scale = FieldScale{"", -1, 1};
    const auto middle = [&](double value) {
        const std::vector<double> field(ball.positions.size(), value);
        RenderObject object = object_of(ball);
        object.field = field;
        return render(std::span(&object, 1), settings).at(80, 45);
    };
    EXPECT_TRUE(bluish(middle(-1)));
    EXPECT_TRUE(reddish(middle(1)));
    const auto zero = middle(0), unknown = middle(std::nan(""));
    EXPECT_LT(zero[0] - zero[2], 25);
    EXPECT_GT(zero[0], 200);
    EXPECT_GT(unknown[0], 120);
    EXPECT_LT(unknown[0], 200);
    EXPECT_EQ(middle(7), middle(1));
    settings.field_scale.reset();
    EXPECT_EQ(middle(7), middle(3)); // alone, any value is its own range
}

TEST(Render, FieldsVaryOverTheSurfaceAndBringALegend) {
    const TriangleMesh ball = make_sphere(1, 4);
    std::vector<double> field;
    for (const Vec3& p : ball.positions) field.push_back(p.x());
    RenderObject object = object_of(ball);
    object.field = field;
    RenderSettings settings;
    settings.width = 480;
    settings.height = 270;
    settings.camera = from_the_front();
    const Image with = render(std::span(&object, 1), settings);
    EXPECT_TRUE(bluish(with.at(170, 135)));
    EXPECT_TRUE(reddish(with.at(310, 135)));
    settings.legend = false;
    const Image without = render(std::span(&object, 1), settings);
    int changed = 0;
    for (int y = 0; y < 270; ++y)
        for (int x = 0; x < 480; ++x)
            if (with.at(x, y) != without.at(x, y)) {
                ++changed;
                ASSERT_GT(x, 360);
            }
    EXPECT_GT(changed, 16 * 100);
}

TEST(Render, WireframeDrawsTheEdges) {
    TriangleMesh square = make_grid({2, 2}, {4, 4});
    RenderSettings settings = small_picture();
    settings.camera = frame_camera(bounding_box(square.positions), 0, 90, 16.0 / 9);
    RenderObject object = object_of(square, white);
    const auto dark_columns = [&] {
        const Image image = render(std::span(&object, 1), settings);
        int count = 0;
        // Half-way between two rows of vertices; the square is 83 pixels wide.
        for (int x = 45; x < 115; ++x)
            if (brightness(image, x, 38) < brightness(image, 50, 45 - 27) - 30) ++count;
        return count;
    };
    EXPECT_EQ(dark_columns(), 0);
    object.wireframe = true;
    EXPECT_GE(dark_columns(), 5);
    EXPECT_LE(dark_columns(), 30);
}

TEST(Render, GhostShowsAroundButNotOnWhatItCoincidesWith) {
    const TriangleMesh ball = make_sphere(1, 4);
    const TriangleMesh larger = make_sphere(1.35, 4);
    RenderSettings settings = small_picture();
    settings.camera = from_the_front();
    settings.ground = false;
    const Image alone = render(std::vector{object_of(ball, white)}, settings);
    RenderObject ghost = object_of(ball, blue);
    ghost.ghost = true;
    const Image same = render(std::vector{object_of(ball, white), ghost}, settings);
    EXPECT_LT(mean_difference(alone, same), 0.3);
    ghost.positions = larger.positions;
    const Image around = render(std::vector{object_of(ball, white), ghost}, settings);
    // Beside the ball (radius 28 pixels) the ghost tints the background, and the ball shines
    // through it.
    EXPECT_LT(around.at(80 + 35, 45)[0], alone.at(80 + 35, 45)[0] - 25);
    EXPECT_GT(around.at(80 + 35, 45)[2] - around.at(80 + 35, 45)[0], 15);
    EXPECT_LT(around.at(80, 45)[0], alone.at(80, 45)[0]);
    EXPECT_GT(around.at(80, 45)[0], 100);
}

TEST(Render, GhostsThrowNoShadowAndDoNotMoveTheGround) {
    const TriangleMesh ball = make_sphere(1, 3), below = moved(make_sphere(1, 3), {0, -0.3, 0});
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(0, 2, 6), Vec3::Zero(), Vec3::UnitY(), 30};
    RenderObject ghost = object_of(below, blue);
    ghost.ghost = true;
    const Image alone = render(std::vector{object_of(ball)}, settings);
    const Image both = render(std::vector{object_of(ball), ghost}, settings);
    EXPECT_LT(mean_difference(alone, both), 2.5);
}

TEST(Render, TranslucentObjectsShowWhatIsBehind) {
    const TriangleMesh front = moved(make_sphere(0.6, 3), {0, 0, 1.5}), back = make_sphere(1, 3);
    RenderSettings settings = small_picture();
    settings.camera = from_the_front(8);
    settings.ground = false;
    RenderObject glass = object_of(front, blue);
    const auto middle = [&](double opacity) {
        glass.opacity = opacity;
        return render(std::vector{object_of(back, red), glass}, settings).at(80, 45);
    };
    EXPECT_TRUE(reddish(middle(0)));
    EXPECT_TRUE(bluish(middle(1)));
    EXPECT_GT(middle(0.3)[0], middle(0.7)[0]);
    EXPECT_LT(middle(0.3)[2], middle(0.7)[2]);
}

TEST(Render, ClipPlaneCutsAndShowsTheSection) {
    const TriangleMesh ball = make_sphere(1, 4);
    RenderSettings settings = small_picture();
    settings.camera = from_the_front();
    settings.ground = false;
    settings.clip = ClipPlane{Vec3(0, 0, 0.2), Vec3(0, 0, 1)};
    const Image empty = render({}, settings);
    const Image cut = render(std::vector{object_of(ball, white)}, settings);
    // A disc of one tone but for the hatching, darker than the object.
    const double tone = brightness(cut, 80, 45);
    EXPECT_LT(tone, 225);
    for (const auto& [x, y] : {std::pair{66, 45}, {94, 45}, {80, 30}, {80, 60}})
        EXPECT_NEAR(brightness(cut, x, y), tone, 45);
    // The other way round the plane takes the half behind, and nothing shows the cut.
    settings.clip->normal = Vec3(0, 0, -1);
    const Image front = render(std::vector{object_of(ball, white)}, settings);
    settings.clip.reset();
    const Image whole = render(std::vector{object_of(ball, white)}, settings);
    EXPECT_LE(largest_difference(front.at(80, 45), whole.at(80, 45)), 3);
    // All of it gone.
    settings.clip = ClipPlane{Vec3(0, 0, -5), Vec3(0, 0, 1)};
    EXPECT_EQ(render(std::vector{object_of(ball, white)}, settings).bytes, empty.bytes);
}

TEST(Render, SectionsOfOverlappingObjectsAreStriped) {
    const TriangleMesh left = moved(make_sphere(1, 4), {-0.5, 0, 0});
    const TriangleMesh right = moved(make_sphere(1, 4), {0.5, 0, 0});
    RenderSettings settings = small_picture();
    settings.width = 320;
    settings.height = 180;
    settings.camera = from_the_front();
    settings.ground = false;
    settings.clip = ClipPlane{Vec3(0, 0, 0), Vec3(0, 0, 1)};
    const Image image = render(std::vector{object_of(left, red), object_of(right, blue)}, settings);
    EXPECT_TRUE(reddish(image.at(110, 90)));
    EXPECT_TRUE(bluish(image.at(210, 90)));
    int of_red = 0, of_blue = 0;
    for (int x = 150; x < 170; ++x) {
        of_red += reddish(image.at(x, 90));
        of_blue += bluish(image.at(x, 90));
    }
    EXPECT_GT(of_red, 4);
    EXPECT_GT(of_blue, 4);
}

// Two boxes that share a wall to the last bit, as objects in contact do.
TEST(Render, SectionsOfTouchingObjectsMeetWithoutHoles) {
    const TriangleMesh left = moved(make_box({1, 1, 1}, {2, 2, 2}), {-0.5, 0, 0});
    const TriangleMesh right = moved(make_box({1, 1, 1}, {2, 2, 2}), {0.5, 0, 0});
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(2.5, 1.1, 4), Vec3::Zero(), Vec3::UnitY(), 30};
    settings.clip = ClipPlane{Vec3(0, 0, 0.1), Vec3(0, 0, 1)};
    settings.contour = 0;
    const Image both = render(std::vector{object_of(left, red), object_of(right, red)}, settings);
    // Seen through the right box, the left one's wall comes before and after that of the right.
    const Image one = render(
        std::vector{object_of(moved(make_box({2, 1, 1}, {2, 2, 2}), {0, 0, 0}), red)}, settings);
    EXPECT_LT(mean_difference(both, one), 0.5);
}

TEST(Render, AnOpenObjectIsCutHollow) {
    TriangleMesh bowl = make_sphere(1, 4);
    std::erase_if(bowl.faces,
                  [&](const Triangle& face) { return bowl.positions[face[0]].y() > 0.6; });
    RenderSettings settings = small_picture();
    settings.camera = from_the_front();
    settings.clip = ClipPlane{Vec3(0, 0, 0), Vec3(0, 0, 1)};
    settings.ground = false;
    const Image hollow = render(std::vector{object_of(bowl, white)}, settings);
    // The inside curves away from the light; a section would have one tone.
    EXPECT_GT(std::abs(brightness(hollow, 80, 50) - brightness(hollow, 60, 60)), 8);
}

TEST(Render, ALineMarksWhereObjectsMeet) {
    const TriangleMesh left = moved(make_sphere(1, 4), {-0.6, 0, 0});
    const TriangleMesh right = moved(make_sphere(1, 4), {0.6, 0, 0});
    const auto middle = [&](double contour) {
        RenderSettings settings = small_picture();
        settings.camera = from_the_front();
        settings.contour = contour;
        const Image image =
            render(std::vector{object_of(left, white), object_of(right, white)}, settings);
        return std::min({brightness(image, 79, 45), brightness(image, 80, 45)});
    };
    EXPECT_LT(middle(1), middle(0) - 60);
}

struct Variety {
    TriangleMesh ball = make_sphere(1, 3);
    TriangleMesh box = moved(make_box({1.5, 1.5, 1.5}, {4, 4, 4}), {1.1, -0.2, 0.3});
    TriangleMesh torus = moved(make_torus(1, 0.3, 24), {-1, -0.7, 0});
    std::vector<double> field;
    Variety() {
        for (const Vec3& p : ball.positions) field.push_back(p.y());
    }
    std::vector<RenderObject> objects() const {
        RenderObject a = object_of(ball), b = object_of(box, blue), c = object_of(torus, red);
        a.field = field;
        b.wireframe = true;
        c.ghost = true;
        return {a, b, c};
    }
};

TEST(Render, SameBitsForAnyNumberOfThreads) {
    const Variety scene;
    RenderSettings settings = small_picture();
    settings.clip = ClipPlane{Vec3(0, 0, 0.4), Vec3(0.2, 0.1, 1)};
    std::vector<std::uint8_t> expected;
    for (const int threads : {1, 2, 8, 2, 1}) {
        const ThreadLimit limit(threads);
        const Image image = render(scene.objects(), settings);
        if (expected.empty()) expected = image.bytes;
        EXPECT_EQ(image.bytes, expected) << threads;
    }
}

TEST(Render, PicturesMayBeMadeSideBySide) {
    const Variety scene;
    const Image expected = render(scene.objects(), small_picture());
    const ThreadLimit limit(4);
    std::vector<Image> images(8);
    parallel_for(images.size(), 1,
                 [&](std::size_t i) { images[i] = render(scene.objects(), small_picture()); });
    for (const Image& image : images) EXPECT_EQ(image.bytes, expected.bytes);
}

TEST(Render, SamePictureFarAwayAndAtAnyScale) {
    const Variety scene;
    RenderSettings settings = small_picture();
    settings.legend = false;
    settings.clip = ClipPlane{Vec3(0, 0, 0.7), Vec3(0.2, 0.1, 1)};
    const Camera camera = frame_camera({Vec3(-2.3, -1, -1.3), Vec3(1.9, 1, 1.3)}, 30, 20, 16.0 / 9);
    settings.camera = camera;
    const Image here = render(scene.objects(), settings);
    for (const auto& [scale, shift] :
         {std::pair{1.0, Vec3(1e6, -3e5, 2e6)}, {1e-6, Vec3(0, 0, 0)}, {1e7, Vec3(0, 5, 0)}}) {
        Variety far = scene;
        for (TriangleMesh* mesh : {&far.ball, &far.box, &far.torus})
            for (Vec3& p : mesh->positions) p = scale * p + shift;
        RenderSettings there = settings;
        there.camera = Camera{scale * camera.eye + shift, scale * camera.target + shift, camera.up,
                              camera.vertical_fov_degrees};
        there.clip->point = scale * settings.clip->point + shift;
        EXPECT_LT(mean_difference(here, render(far.objects(), there)), 0.15) << scale;
    }
}

TEST(Render, ADistantEyeSeesTheSame) {
    const TriangleMesh ball = make_sphere(1, 3);
    RenderSettings settings = small_picture();
    const auto from = [&](double fov) {
        settings.camera = frame_camera({Vec3(-1, -1, -1), Vec3(1, 1, 1)}, 30, 20, 16.0 / 9, fov);
        return render(std::vector{object_of(ball)}, settings);
    };
    EXPECT_LT(mean_difference(from(0.5), from(0.0005)), 1);
}

TEST(Render, CallersFloatingPointModeIsKept) {
    const unsigned before = _mm_getcsr();
    const TriangleMesh ball = make_sphere(1, 3);
    render(std::vector{object_of(ball)}, small_picture());
    // All but the sticky exception flags.
    EXPECT_EQ(_mm_getcsr() & ~0x3Fu, before & ~0x3Fu);
}

TEST(Render, AnySizeAndAnyCamera) {
    const TriangleMesh ball = make_sphere(1, 2);
    Random random(5);
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 40}, {40, 1}, {17, 33}})
        for (int trial = 0; trial < 10; ++trial) {
            RenderSettings settings;
            settings.width = width;
            settings.height = height;
            settings.samples = 1 + random.index(6);
            // Inside, outside, below the ground.
            settings.camera = Camera{random.in_cube(3), random.in_cube(3), random.direction(),
                                     random.uniform(0.01, 179)};
            settings.clip = ClipPlane{random.in_cube(1), random.direction()};
            const Image image = render(std::vector{object_of(ball)}, settings);
            EXPECT_EQ(image.bytes.size(), 3u * width * height);
        }
}

} // namespace
} // namespace knead
