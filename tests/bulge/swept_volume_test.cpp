#include "knead/bulge/swept_volume.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <gtest/gtest.h>

namespace knead {
namespace {

// A ball with a flat bottom: the ways there, and the raise of its upper half.
struct FlattenedBall {
    TriangleMesh mesh = make_sphere(1, 2);
    std::vector<Vec3> ways, raise;

    FlattenedBall() {
        for (const Vec3& p : mesh.positions) {
            ways.push_back(p.y() < -0.5 ? Vec3(-0.1 * p) : Vec3(Vec3::Zero()));
            raise.push_back(p.y() > 0 ? p : Vec3(Vec3::Zero()));
        }
    }
    std::optional<double> height() const {
        return volume_keeping_height(mesh.positions, ways, raise, mesh.faces);
    }
    double volume_change(double raised) const {
        std::vector<Vec3> moved = mesh.positions;
        for (std::size_t v = 0; v < moved.size(); ++v) moved[v] += ways[v] + raised * raise[v];
        return signed_volume(moved, mesh.faces, Vec3::Zero()) -
               signed_volume(mesh.positions, mesh.faces, Vec3::Zero());
    }
};

TEST(SweptVolume, TheVolumeCubicIsExact) {
    FlattenedBall ball;
    const auto height = ball.height();
    ASSERT_TRUE(height.has_value());
    EXPECT_NEAR(ball.volume_change(*height), 0, 1e-13);
    // Too much volume is taken away again.
    for (std::size_t v = 0; v < ball.ways.size(); ++v) ball.ways[v] = 0.02 * ball.mesh.positions[v];
    const auto lower = ball.height();
    ASSERT_TRUE(lower.has_value());
    EXPECT_LT(*lower, 0);
    EXPECT_GT(*lower, -0.1);
    EXPECT_NEAR(ball.volume_change(*lower), 0, 1e-13);
    for (Vec3& way : ball.ways) way.setZero();
    EXPECT_FALSE(ball.height().has_value());
}

TEST(SweptVolume, TheVolumeOfAContactThatIsHardlyThereIsNotRounding) {
    std::vector<double> heights;
    for (const double fade : {1e-6, 1e-20, 1e-40}) {
        FlattenedBall ball;
        for (auto* all : {&ball.ways, &ball.raise})
            for (Vec3& way : *all) way *= fade;
        const auto height = ball.height();
        ASSERT_TRUE(height.has_value());
        heights.push_back(*height);
    }
    EXPECT_NEAR(heights[1], heights[0], 1e-5 * heights[0]);
    EXPECT_NEAR(heights[2], heights[1], 1e-12 * heights[1]);
}

TEST(SweptVolume, TheVolumeCubicIsThatOfTheFacesThatMove) {
    const FlattenedBall ball;
    std::vector<int> moving;
    for (int f = 0; f < ball.mesh.face_count(); ++f)
        for (const int v : ball.mesh.faces[f])
            if (!(ball.ways[v].isZero(0) && ball.raise[v].isZero(0))) {
                moving.push_back(f);
                break;
            }
    ASSERT_LT(moving.size(), ball.mesh.faces.size());
    // An odd number of them and an even one.
    for (int round = 0; round < 2; ++round, moving.push_back(moving.front())) {
        std::vector<Triangle> faces;
        for (const int f : moving) faces.push_back(ball.mesh.faces[f]);
        const auto expected =
            volume_keeping_height(ball.mesh.positions, ball.ways, ball.raise, faces, 0.01);
        const auto found = volume_keeping_height(ball.mesh.positions, ball.ways, ball.raise,
                                                 ball.mesh.faces, moving, 0.01);
        ASSERT_TRUE(expected.has_value() && found.has_value());
        EXPECT_EQ(*found, *expected);
    }
}

} // namespace
} // namespace knead
