#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/render/render.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "picture.hpp"

namespace knead {
namespace {

const Vec3 pale(0.93, 0.93, 0.93), crimson(0.8, 0.2, 0.2), azure(0.2, 0.3, 0.8);

// Its field is the height above the centre, in radii.
class TracedSphere : public TracedSurface {
public:
    explicit TracedSphere(double radius, const Vec3& center = Vec3::Zero())
        : radius_(radius), center_(center) {}

    Box box() const override {
        return {center_ - Vec3::Constant(radius_), center_ + Vec3::Constant(radius_)};
    }
    std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction, double near,
                                           double far) const override {
        const double middle = (center_ - origin).dot(direction);
        const Vec3 aside = origin + middle * direction - center_;
        const double square = radius_ * radius_ - aside.squaredNorm();
        if (!(square > 0)) return std::nullopt;
        for (const double t : {middle - std::sqrt(square), middle + std::sqrt(square)})
            if (t >= near && t <= far)
                return Crossing{t, (origin + t * direction - center_) / radius_};
        return std::nullopt;
    }
    bool contains(const Vec3& point) const override { return (point - center_).norm() < radius_; }
    double field_at(const Vec3& point) const override { return (point - center_).y() / radius_; }

protected:
    double radius_;
    Vec3 center_;
};

// As inexact as it may be.
class ShakySphere : public TracedSphere {
public:
    using TracedSphere::TracedSphere;
    std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction, double near,
                                           double far) const override {
        auto crossing = TracedSphere::first_crossing(origin, direction, near, far);
        if (!crossing) return crossing;
        const double error = 1e-6 * box().diagonal() * std::sin(1e7 * crossing->t);
        crossing->t = std::clamp(crossing->t + error, near, far);
        return crossing;
    }
};

RenderObject object_of(const TracedSurface& surface, const Vec3& color = palette_color(0)) {
    RenderObject object;
    object.name = "thing";
    object.surface = &surface;
    object.color = color;
    return object;
}

// As good as round at the size of these pictures.
const TriangleMesh& round_ball() {
    static const TriangleMesh ball = make_sphere(1, 5);
    return ball;
}

TriangleMesh round_ball(double radius, const Vec3& center) {
    TriangleMesh ball = round_ball();
    for (Vec3& p : ball.positions) p = radius * p + center;
    return ball;
}

Image picture(const std::vector<RenderObject>& objects, const RenderSettings& settings) {
    return render(objects, settings);
}

// The share of pixels that the eye would tell apart.
double share_that_differs(const Image& a, const Image& b) {
    int count = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) count += largest_difference(a.at(x, y), b.at(x, y)) > 24;
    return count / static_cast<double>(a.width * a.height);
}

void expect_same_picture(const Image& a, const Image& b) {
    EXPECT_LT(mean_difference(a, b), 0.1);
    EXPECT_LT(share_that_differs(a, b), 1e-3);
}

TEST(TracedSurface, LooksLikeAFineMeshFromAllSides) {
    const TracedSphere sphere(1);
    for (const double azimuth : {0, 100, 200, 300})
        for (const double elevation : {-10, 25, 80}) {
            RenderSettings settings = small_picture();
            settings.camera = frame_camera(sphere.box(), azimuth, elevation, 16.0 / 9);
            expect_same_picture(picture({object_of(sphere)}, settings),
                                picture({object_of(round_ball())}, settings));
        }
}

TEST(TracedSurface, CameraAndGroundGoByItsBox) {
    const TracedSphere sphere(0.7, {3, -2, 5});
    const TriangleMesh mesh = round_ball(0.7, {3, -2, 5});
    expect_same_picture(picture({object_of(sphere)}, small_picture()),
                        picture({object_of(mesh)}, small_picture()));
}

TEST(TracedSurface, HasTheSameSilhouetteAsAFineMesh) {
    const TracedSphere sphere(1);
    RenderSettings settings = small_picture();
    settings.ground = false;
    settings.background_top = settings.background_bottom = Vec3(0, 1, 0);
    const Vec3 black = Vec3::Zero();
    const Image traced = picture({object_of(sphere, black)}, settings);
    const Image mesh = picture({object_of(round_ball(), black)}, settings);
    const auto background = [](const Image& image, int x, int y) {
        return linear_from_srgb(Vec3::Constant(image.at(x, y)[1] / 255.0)).x();
    };
    double sum = 0;
    for (int y = 0; y < traced.height; ++y)
        for (int x = 0; x < traced.width; ++x) {
            const double difference = background(traced, x, y) - background(mesh, x, y);
            sum += difference;
            // A pixel whose first rays just miss the ball takes no more of them.
            ASSERT_NEAR(difference, 0, 0.25) << x << ' ' << y;
        }
    // Facets lie within the round ball: by less than a pixel in all.
    EXPECT_LE(sum, 0);
    EXPECT_GT(sum, -1);
}

// With the light behind the eye all that is seen is lit, and nothing else is there: each pixel has
// the shade of its normal.
TEST(TracedSurface, ThrowsNoShadowOnItselfWhereItFacesTheLight) {
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(0, 0, 6), Vec3::Zero(), Vec3::UnitY(), 30};
    settings.light_direction = Vec3(0, 0, 1);
    settings.ground = false;
    const TracedSphere exact(1);
    const ShakySphere shaky(1);
    const TracedSurface* const surfaces[] = {&exact, &shaky};
    for (const TracedSurface* surface : surfaces) {
        const Image image = picture({object_of(*surface, pale)}, settings);
        for (int y = 20; y < 70; ++y)
            for (int x = 60; x < 100; ++x) {
                if (std::hypot(x - 79.5, y - 44.5) > 23) continue;
                // A mirror image, but for the light from the sky.
                ASSERT_LE(largest_difference(image.at(x, y), image.at(159 - x, y)), 4)
                    << x << ' ' << y;
                ASSERT_LE(std::abs(brightness(image, x, y) - brightness(image, x + 1, y)), 14)
                    << x << ' ' << y;
            }
    }
}

TEST(TracedSurface, ThrowsAndReceivesShadows) {
    const TracedSphere low(1), high(0.4, {0.8, 1.6, 0});
    const TriangleMesh low_mesh = round_ball(), high_mesh = round_ball(0.4, {0.8, 1.6, 0});
    const TriangleMesh floor = moved(make_grid({8, 8}, {1, 1}), {0, -1, 0});
    RenderSettings settings = small_picture();
    settings.camera = frame_camera({Vec3(-2, -1, -1), Vec3(2, 2, 1)}, 20, 35, 16.0 / 9);
    settings.light_direction = Vec3(0.8, 1.6, 0.3);
    const RenderObject on_floor = object_of(floor, pale);
    const Image meshes =
        picture({object_of(low_mesh, pale), object_of(high_mesh), on_floor}, settings);
    expect_same_picture(picture({object_of(low, pale), object_of(high), on_floor}, settings),
                        meshes);
    expect_same_picture(picture({object_of(low_mesh, pale), object_of(high), on_floor}, settings),
                        meshes);
    expect_same_picture(picture({object_of(low, pale), object_of(high_mesh), on_floor}, settings),
                        meshes);
    const Image without = picture({object_of(low, pale), on_floor}, settings);
    EXPECT_GT(share_that_differs(meshes, without), 0.02);
}

TEST(TracedSurface, ClipPlanesShowSections) {
    const TracedSphere left(1, {-0.5, 0, 0}), right(1, {0.5, 0, 0});
    const TriangleMesh left_mesh = round_ball(1, {-0.5, 0, 0});
    const TriangleMesh right_mesh = round_ball(1, {0.5, 0, 0});
    for (const auto& [azimuth, offset] : {std::pair{0.0, 0.0}, {50.0, 0.4}, {180.0, -0.2}}) {
        RenderSettings settings = small_picture();
        settings.camera = frame_camera({Vec3(-1.5, -1, -1), Vec3(1.5, 1, 1)}, azimuth, 15, 1.8);
        settings.clip = ClipPlane{Vec3(0, 0, offset), Vec3(0.1, 0.2, 1)};
        const Image meshes =
            picture({object_of(left_mesh, crimson), object_of(right_mesh, azure)}, settings);
        expect_same_picture(picture({object_of(left, crimson), object_of(right, azure)}, settings),
                            meshes);
        expect_same_picture(
            picture({object_of(left_mesh, crimson), object_of(right, azure)}, settings), meshes);
        expect_same_picture(
            picture({object_of(left, crimson), object_of(right_mesh, azure)}, settings), meshes);
    }
}

TEST(TracedSurface, FieldsTakeTheColoursOfTheScale) {
    const TracedSphere sphere(1);
    std::vector<double> heights;
    for (const Vec3& p : round_ball().positions) heights.push_back(p.y());
    RenderSettings settings = small_picture();
    settings.field_scale = FieldScale{"height", -0.8, 1};
    RenderObject traced = object_of(sphere), mesh = object_of(round_ball());
    traced.surface_field = true;
    mesh.field = heights;
    expect_same_picture(picture({traced}, settings), picture({mesh}, settings));

    // Without a scale, that of the mesh beside it.
    const TracedSphere beside(1, {2.5, 0, 0});
    const TriangleMesh beside_mesh = round_ball(1, {2.5, 0, 0});
    settings.field_scale.reset();
    RenderObject other_traced = object_of(beside), other_mesh = object_of(beside_mesh);
    other_traced.surface_field = true;
    other_mesh.field = heights;
    expect_same_picture(picture({mesh, other_traced}, settings),
                        picture({mesh, other_mesh}, settings));
}

TEST(TracedSurface, ValuesThatAreNotThereAreGrey) {
    class Plain : public TracedSphere {
    public:
        using TracedSphere::TracedSphere;
        double field_at(const Vec3& point) const override { return TracedSurface::field_at(point); }
    };
    const Plain sphere(1);
    RenderSettings settings = small_picture();
    settings.legend = false;
    settings.field_scale = FieldScale{"", 0, 1};
    const std::vector<double> unknown(round_ball().positions.size(), std::nan(""));
    RenderObject traced = object_of(sphere, crimson), mesh = object_of(round_ball());
    traced.surface_field = true;
    mesh.field = unknown;
    expect_same_picture(picture({traced}, settings), picture({mesh}, settings));
    // Only when asked for.
    traced.surface_field = false;
    mesh.field = {};
    mesh.color = crimson;
    expect_same_picture(picture({traced}, settings), picture({mesh}, settings));
}

TEST(TracedSurface, MayBeAGhostOrTranslucent) {
    const TracedSphere inner(1), outer(1.35), lens(0.5, {0.4, 0.2, 1.6});
    const ShakySphere shaky(1.35);
    const TriangleMesh outer_mesh = round_ball(1.35, {0, 0, 0});
    const TriangleMesh lens_mesh = round_ball(0.5, {0.4, 0.2, 1.6});
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(0, 1, 8), Vec3::Zero(), Vec3::UnitY(), 30};
    const auto with = [&](RenderObject veil, double opacity, bool ghost) {
        veil.color = azure;
        veil.opacity = opacity;
        veil.ghost = ghost;
        return picture({object_of(inner, pale), veil}, settings);
    };
    expect_same_picture(with(object_of(outer), 1, true), with(object_of(outer_mesh), 1, true));
    expect_same_picture(with(object_of(shaky), 1, true), with(object_of(outer_mesh), 1, true));
    expect_same_picture(with(object_of(lens), 0.4, false), with(object_of(lens_mesh), 0.4, false));
    settings.clip = ClipPlane{Vec3(0, 0, 0.6), Vec3(0.3, 0, 1)};
    expect_same_picture(with(object_of(outer), 1, true), with(object_of(outer_mesh), 1, true));
    // Where it coincides with a surface, a ghost is not seen.
    settings.clip.reset();
    EXPECT_LT(mean_difference(with(object_of(inner), 1, true),
                              picture({object_of(inner, pale)}, settings)),
              0.3);
}

TEST(TracedSurface, IsSeenFromWithin) {
    const TracedSphere sphere(1);
    RenderSettings settings = small_picture();
    settings.camera = Camera{Vec3(0.2, 0.1, 0.5), Vec3(-1, 0, -1), Vec3::UnitY(), 70};
    expect_same_picture(picture({object_of(sphere)}, settings),
                        picture({object_of(round_ball())}, settings));
}

struct MixedScene {
    TracedSphere first, second, shell;
    TriangleMesh box, torus;
    explicit MixedScene(double scale = 1, const Vec3& shift = Vec3::Zero())
        : first(scale, shift),
          second(0.6 * scale, scale * Vec3(-1.2, 0.2, 0.5) + shift),
          shell(0.8 * scale, scale * Vec3(1.1, 0.4, -0.4) + shift),
          box(make_box({1.5, 1.5, 1.5}, {4, 4, 4})),
          torus(make_torus(1, 0.3, 24)) {
        for (Vec3& p : box.positions) p = scale * (p + Vec3(1.1, -0.2, 0.3)) + shift;
        for (Vec3& p : torus.positions) p = scale * (p + Vec3(-1, -0.7, 0)) + shift;
    }
    std::vector<RenderObject> objects() const {
        std::vector<RenderObject> all = {object_of(first), object_of(second, pale),
                                         object_of(shell, crimson), object_of(box, azure),
                                         object_of(torus, palette_color(3))};
        all[0].surface_field = true;
        all[2].ghost = true;
        all[3].wireframe = true;
        all[4].opacity = 0.6;
        return all;
    }
};

RenderSettings mixed_settings() {
    RenderSettings settings = small_picture();
    settings.camera = frame_camera({Vec3(-2.3, -1, -1.3), Vec3(1.9, 1.2, 1.3)}, 30, 20, 16.0 / 9);
    settings.field_scale = FieldScale{"height", -1, 1};
    settings.clip = ClipPlane{Vec3(0, 0, 0.7), Vec3(0.2, 0.1, 1)};
    return settings;
}

TEST(TracedSurface, MixesWithMeshes) {
    const MixedScene scene;
    const TriangleMesh first = round_ball(), second = round_ball(0.6, {-1.2, 0.2, 0.5}),
                       shell = round_ball(0.8, {1.1, 0.4, -0.4});
    std::vector<double> heights;
    for (const Vec3& p : first.positions) heights.push_back(p.y());
    std::vector<RenderObject> meshes = scene.objects();
    const TriangleMesh* const balls[] = {&first, &second, &shell};
    for (int i = 0; i < 3; ++i) {
        meshes[i].surface = nullptr;
        meshes[i].positions = balls[i]->positions;
        meshes[i].faces = balls[i]->faces;
    }
    meshes[0].field = heights;
    RenderSettings settings = mixed_settings();
    expect_same_picture(picture(scene.objects(), settings), picture(meshes, settings));
    settings.clip.reset();
    expect_same_picture(picture(scene.objects(), settings), picture(meshes, settings));
}

TEST(TracedSurface, ALineMarksWhereItMeetsAMesh) {
    const TracedSphere left(1, {-0.6, 0, 0});
    const TriangleMesh right = round_ball(1, {0.6, 0, 0});
    const auto middle = [&](double contour) {
        RenderSettings settings = small_picture();
        settings.camera = Camera{Vec3(0, 0, 6), Vec3::Zero(), Vec3::UnitY(), 30};
        settings.contour = contour;
        const Image image = picture({object_of(left, pale), object_of(right, pale)}, settings);
        return std::min(brightness(image, 79, 45), brightness(image, 80, 45));
    };
    EXPECT_LT(middle(1), middle(0) - 60);
}

TEST(TracedSurface, SameBitsForAnyNumberOfThreads) {
    const MixedScene scene;
    std::vector<std::uint8_t> expected;
    for (const int threads : {1, 2, 8, 1}) {
        const ThreadLimit limit(threads);
        const Image image = picture(scene.objects(), mixed_settings());
        if (expected.empty()) expected = image.bytes;
        EXPECT_EQ(image.bytes, expected) << threads;
    }
}

TEST(TracedSurface, SamePictureFarAwayAndAtAnyScale) {
    const MixedScene scene;
    const RenderSettings settings = mixed_settings();
    const Image here = picture(scene.objects(), settings);
    for (const auto& [scale, shift] :
         {std::pair{1.0, Vec3(1e6, -3e5, 2e6)}, {1e-6, Vec3(0, 0, 0)}, {1e7, Vec3(0, 5, 0)}}) {
        const MixedScene far(scale, shift);
        RenderSettings there = settings;
        there.camera->eye = scale * settings.camera->eye + shift;
        there.camera->target = scale * settings.camera->target + shift;
        there.clip->point = scale * settings.clip->point + shift;
        EXPECT_LT(mean_difference(here, picture(far.objects(), there)), 0.15) << scale;
    }
}

TEST(TracedSurface, AnyCameraAndAnyClipPlane) {
    const TracedSphere sphere(1);
    Random random(11);
    for (int trial = 0; trial < 25; ++trial) {
        RenderSettings settings;
        settings.width = 48;
        settings.height = 32;
        settings.camera = Camera{random.in_cube(3), random.in_cube(1), random.direction(),
                                 random.uniform(10, 90)};
        settings.clip = ClipPlane{random.in_cube(1), random.direction()};
        const Image traced = picture({object_of(sphere)}, settings);
        const Image mesh = picture({object_of(round_ball())}, settings);
        EXPECT_LT(mean_difference(traced, mesh), 0.3) << trial;
        EXPECT_LT(share_that_differs(traced, mesh), 0.004) << trial;
    }
}

TEST(TracedSurface, IsAskedWithinItsBoxOnly) {
    class Strict : public TracedSphere {
    public:
        using TracedSphere::TracedSphere;
        std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction,
                                               double near, double far) const override {
            const Box allowed = grown(box(), 1e-4);
            if (!(std::isfinite(near) && std::isfinite(far) && 0 <= near && near <= far))
                throw std::logic_error("not an interval");
            if (std::abs(direction.norm() - 1) > 1e-12) throw std::logic_error("not unit");
            if (!allowed.contains(origin + near * direction) ||
                !allowed.contains(origin + far * direction))
                throw std::logic_error("outside");
            return TracedSphere::first_crossing(origin, direction, near, far);
        }
        bool contains(const Vec3& point) const override {
            if (!box().contains(point)) throw std::logic_error("contains outside");
            return TracedSphere::contains(point);
        }
    };
    const Strict left(1), right(0.5, {2, 0.3, 0.4});
    const std::vector<RenderObject> objects = {object_of(left), object_of(right)};
    RenderSettings settings = small_picture();
    EXPECT_NO_THROW(render(objects, settings));
    settings.clip = ClipPlane{Vec3(0, 0, 0.2), Vec3(0, 0, 1)};
    EXPECT_NO_THROW(render(objects, settings));
}

class Boxed : public TracedSphere {
public:
    explicit Boxed(const Box& box) : TracedSphere(1), box_(box) {}
    Box box() const override { return box_; }

private:
    Box box_;
};

TEST(TracedSurface, BoxesThatAreNotFiniteAreNamed) {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const auto error = [](const Box& box) {
        const Boxed surface(box);
        RenderObject object = object_of(surface);
        object.name = "blob";
        return input_error([&] { render(std::span(&object, 1), small_picture()); });
    };
    const Vec3 ones = Vec3::Ones();
    EXPECT_EQ(error({Vec3(0, nan, 0), ones}),
              "render: object 'blob': the lower corner of the surface's box is (0, nan, 0), "
              "expected finite numbers up to 1e+100");
    EXPECT_EQ(error({-ones, Vec3(1, 1, infinity)}),
              "render: object 'blob': the upper corner of the surface's box is (1, 1, inf), "
              "expected finite numbers up to 1e+100");
    EXPECT_EQ(error({-ones, Vec3(1e200, 1, 1)}),
              "render: object 'blob': the upper corner of the surface's box is (1e+200, 1, 1), "
              "expected finite numbers up to 1e+100");
    EXPECT_EQ(error({Vec3(2, nan, 2), ones}),
              "render: object 'blob': the lower corner of the surface's box is (2, nan, 2), "
              "expected finite numbers up to 1e+100");
}

TEST(TracedSurface, AnEmptyBoxHasNothingToSee) {
    const RenderSettings settings = small_picture();
    const Image nothing = render({}, settings);
    for (const Box& box : {Box{}, Box{Vec3::Ones(), Vec3::Zero()}}) {
        const Boxed surface(box);
        EXPECT_EQ(picture({object_of(surface)}, settings).bytes, nothing.bytes);
        const TriangleMesh ball = make_sphere(1, 3);
        EXPECT_EQ(picture({object_of(ball), object_of(surface)}, settings).bytes,
                  picture({object_of(ball)}, settings).bytes);
    }
}

TEST(TracedSurface, PositionsAndFacesAreNotLookedAt) {
    const TracedSphere sphere(1);
    const RenderSettings settings = small_picture();
    const std::vector<Vec3> positions = {{std::nan(""), 0, 0}, {100, 0, 0}};
    const std::vector<Triangle> faces = {{0, 1, 77}};
    const std::vector<double> field = {1, 2, 3};
    RenderObject object = object_of(sphere);
    const Image expected = picture({object}, settings);
    object.positions = positions;
    object.faces = faces;
    object.field = field;
    object.wireframe = true;
    object.smooth = false;
    EXPECT_EQ(picture({object}, settings).bytes, expected.bytes);
}

// Crossings that cannot be are none; without a normal, they are still seen.
TEST(TracedSurface, BrokenAnswersBreakNothing) {
    class Broken : public TracedSphere {
    public:
        Broken(double shift, double normal) : TracedSphere(1), shift_(shift), normal_(normal) {}
        std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction,
                                               double near, double far) const override {
            auto crossing = TracedSphere::first_crossing(origin, direction, near, far);
            if (crossing) crossing->t += shift_;
            if (crossing) crossing->normal *= normal_;
            return crossing;
        }

    private:
        double shift_, normal_;
    };
    RenderSettings settings = small_picture();
    settings.ground = false;
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    settings.camera = Camera{Vec3(0, 0, 6), Vec3::Zero(), Vec3::UnitY(), 30};
    const Image nothing = render({}, settings);
    for (const double shift : {nan, infinity, -infinity, 10.0, -10.0}) {
        const Broken surface(shift, 1);
        EXPECT_EQ(picture({object_of(surface)}, settings).bytes, nothing.bytes) << shift;
    }
    for (const double normal : {nan, infinity, 0.0}) {
        const Broken surface(0, normal);
        const Image image = picture({object_of(surface, crimson)}, settings);
        EXPECT_GT(image.at(80, 45)[0], image.at(80, 45)[2] + 40) << normal;
    }
    const Broken scaled(0, 1e-3);
    EXPECT_EQ(picture({object_of(scaled)}, settings).bytes,
              picture({object_of(TracedSphere(1))}, settings).bytes);
}

TEST(TracedSurface, WhatItThrowsReachesTheCaller) {
    enum class Where { crossing, shadow, section, field };
    class Failing : public TracedSphere {
    public:
        explicit Failing(Where where) : TracedSphere(1), where_(where) {}
        std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction,
                                               double near, double far) const override {
            // Rays to the light start on the surface, the others far from it.
            const bool shadow = (origin - center_).norm() < 1.01;
            if (where_ == Where::crossing || (where_ == Where::shadow && shadow))
                throw std::runtime_error("lost its way");
            return TracedSphere::first_crossing(origin, direction, near, far);
        }
        bool contains(const Vec3& point) const override {
            if (where_ == Where::section) throw std::runtime_error("lost its way");
            return TracedSphere::contains(point);
        }
        double field_at(const Vec3& point) const override {
            if (where_ == Where::field) throw std::runtime_error("lost its way");
            return TracedSphere::field_at(point);
        }

    private:
        Where where_;
    };
    const TriangleMesh ball = round_ball(0.5, {0, 2, 0});
    for (const Where where : {Where::crossing, Where::shadow, Where::section, Where::field}) {
        const Failing surface(where);
        std::vector<RenderObject> objects = {object_of(surface), object_of(ball)};
        objects[0].surface_field = true;
        RenderSettings settings = small_picture();
        settings.clip = ClipPlane{Vec3(0, 0, 0.5), Vec3(0, 0, 1)};
        try {
            render(objects, settings);
            ADD_FAILURE() << static_cast<int>(where);
        } catch (const std::runtime_error& error) {
            EXPECT_STREQ(error.what(), "lost its way");
        }
        // Nothing is left behind.
        objects.erase(objects.begin());
        EXPECT_NO_THROW(render(objects, settings));
    }
}

} // namespace
} // namespace knead
