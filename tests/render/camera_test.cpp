#include "knead/base/random.hpp"
#include "knead/render/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "picture.hpp"

namespace knead {
namespace {

// Where a point lands: -1 to 1 across the picture in x and y.
Vec2 projected(const Camera& camera, double aspect, const Vec3& point) {
    const Vec3 view = (camera.target - camera.eye).normalized();
    const Vec3 right = view.cross(camera.up).normalized();
    const Vec3 from_eye = point - camera.eye;
    const double half = std::tan(camera.vertical_fov_degrees * std::numbers::pi / 360);
    const double depth = from_eye.dot(view);
    EXPECT_GT(depth, 0);
    return {from_eye.dot(right) / (depth * half * aspect),
            from_eye.dot(right.cross(view)) / (depth * half)};
}

TEST(Camera, FramesAnyBoxTightlyAndCentred) {
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec3 center = random.in_cube(1e3);
        const Vec3 half = random.in_cube(5).cwiseAbs() * std::pow(10, random.uniform(-3, 3));
        const double aspect = random.uniform(0.5, 2.5);
        const Camera camera =
            frame_camera({center - half, center + half}, random.uniform(-360, 360),
                         random.uniform(-90, 90), aspect, random.uniform(5, 90));
        Vec2 low = Vec2::Constant(10), high = -low;
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 sign(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
            const Vec2 at = projected(camera, aspect, center + half.cwiseProduct(sign));
            low = low.cwiseMin(at);
            high = high.cwiseMax(at);
        }
        const double extent = std::max(-low.minCoeff(), high.maxCoeff());
        EXPECT_NEAR(extent, 0.92, 1e-6);
        // The tighter of width and height is centred.
        const int tight = high.x() - low.x() > high.y() - low.y() ? 0 : 1;
        EXPECT_NEAR(low[tight], -high[tight], 1e-6);
    }
}

TEST(Camera, AnglesAreAsDocumented) {
    const Box box{Vec3(-1, -1, -1), Vec3(1, 1, 1)};
    EXPECT_LT(((frame_camera(box, 0, 0, 1).eye).normalized() - Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_LT(((frame_camera(box, 90, 0, 1).eye).normalized() - Vec3::UnitX()).norm(), 1e-12);
    const Camera above = frame_camera(box, 0, 90, 1);
    EXPECT_LT((above.eye.normalized() - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_LT((above.up - -Vec3::UnitZ()).norm(), 1e-12);
}

TEST(Camera, EmptyAndPointBoxesAreFramed) {
    EXPECT_TRUE(frame_camera(Box{}, 30, 20, 1.5).eye.allFinite());
    const Camera camera = frame_camera({Vec3(5, 6, 7), Vec3(5, 6, 7)}, 30, 20, 1.5);
    EXPECT_LT((camera.target - Vec3(5, 6, 7)).norm(), 1);
    EXPECT_GT((camera.eye - camera.target).norm(), 0.5);
}

TEST(Camera, BadNumbersAreNamed) {
    const double nan = std::nan("");
    EXPECT_EQ(input_error([&] { frame_camera({}, nan, 0, 1); }),
              "camera: azimuth is nan, expected a finite number");
    EXPECT_EQ(input_error([&] { frame_camera({}, 0, nan, 1); }),
              "camera: elevation is nan, expected a finite number");
    EXPECT_EQ(input_error([&] { frame_camera({}, 0, 0, 0); }),
              "camera: aspect is 0, expected a positive number");
    EXPECT_EQ(input_error([&] { frame_camera({}, 0, 0, 1, 180); }),
              "camera: field of view is 180 degrees, expected more than 0 and less than 180");
}

} // namespace
} // namespace knead
