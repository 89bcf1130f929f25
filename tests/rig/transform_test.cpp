#include "knead/base/random.hpp"
#include "knead/rig/transform.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace knead {
namespace {

TEST(Transform, RotatesAboutXThenYThenZ) {
    EXPECT_EQ(rotation_from_degrees({90, 0, 0}) * Vec3::UnitY(), Vec3::UnitZ());
    EXPECT_EQ(rotation_from_degrees({0, 90, 0}) * Vec3::UnitZ(), Vec3::UnitX());
    EXPECT_EQ(rotation_from_degrees({0, 0, 90}) * Vec3::UnitX(), Vec3::UnitY());
    EXPECT_EQ(rotation_from_degrees({90, 90, 0}) * Vec3::UnitY(), Vec3::UnitX());
    EXPECT_EQ(rotation_from_degrees({90, 90, 90}) * Vec3::UnitY(), Vec3::UnitY());
    EXPECT_EQ(rotation_from_degrees({-270, 450, 3690}) * Vec3::UnitY(), Vec3::UnitY());
}

TEST(Transform, AgreesWithAngleAxis) {
    Random random(3);
    constexpr double radians = std::numbers::pi / 180;
    for (int i = 0; i < 200; ++i) {
        const Vec3 degrees = random.in_cube(720);
        const Mat3 expected = (Eigen::AngleAxisd(degrees.z() * radians, Vec3::UnitZ()) *
                               Eigen::AngleAxisd(degrees.y() * radians, Vec3::UnitY()) *
                               Eigen::AngleAxisd(degrees.x() * radians, Vec3::UnitX()))
                                  .toRotationMatrix();
        EXPECT_LT((rotation_from_degrees(degrees) - expected).norm(), 1e-13);
    }
}

TEST(Transform, ScalesThenRotatesThenTranslates) {
    Transform transform;
    EXPECT_TRUE(transform.is_constant());
    EXPECT_EQ(transform.at(5) * Vec3(1, 2, 3), Vec3(1, 2, 3));
    transform.scale = Vec3(2, 3, 4);
    transform.rotate = Vec3(0, 0, 90);
    transform.translate = Keyed<Vec3>({0, 10}, {Vec3(0, 0, 0), Vec3(10, 0, 0)});
    EXPECT_FALSE(transform.is_constant());
    EXPECT_EQ(transform.at(5) * Vec3(1, 1, 1), Vec3(5 - 3, 2, 4));
}

} // namespace
} // namespace knead
