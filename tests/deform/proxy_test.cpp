#include "knead/deform/proxy.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "input_error.hpp"

namespace knead {
namespace {

// A ring of tubes in a ball that stands in for it.
struct RingInBall {
    TriangleMesh ring = make_torus(0.9, 0.08, 48), ball = make_sphere(1, 3);
    Surface proxy = make_surface(ball);
    ProxyBinding binding = bind_to_proxy(ring.positions, proxy);

    std::vector<Vec3> carried(const std::vector<Vec3>& after) const {
        return carry(binding, proxy.topology(), ball.positions, after, ring.positions);
    }
};

TEST(Proxy, WeightsSumToOneAndAreNotNegative) {
    const RingInBall scene;
    for (std::size_t v = 0; v < scene.ring.positions.size(); ++v) {
        double sum = 0;
        for (std::size_t i = scene.binding.starts[v]; i < scene.binding.starts[v + 1]; ++i) {
            EXPECT_GE(scene.binding.ties[i].weight, 0);
            sum += scene.binding.ties[i].weight;
        }
        EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(Proxy, OneThatDoesNotMoveChangesNoBit) {
    const RingInBall scene;
    EXPECT_EQ(scene.carried(scene.ball.positions), scene.ring.positions);
    // Where the proxy moves on one side only, the other side stays.
    std::vector<Vec3> after = scene.ball.positions;
    for (Vec3& p : after)
        if (p.x() > 0.5) p.x() -= 0.3 * (p.x() - 0.5);
    const std::vector<Vec3> carried = scene.carried(after);
    for (std::size_t v = 0; v < carried.size(); ++v)
        if (scene.ring.positions[v].x() < 0) {
            EXPECT_EQ(carried[v], scene.ring.positions[v]);
        }
    EXPECT_NE(carried, scene.ring.positions);
}

TEST(Proxy, ARigidMotionIsCarriedOver) {
    const RingInBall scene;
    Affine3 motion = Affine3::Identity();
    motion.translate(Vec3(0.3, -0.2, 1))
        .rotate(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
    std::vector<Vec3> after;
    for (const Vec3& p : scene.ball.positions) after.push_back(motion * p);
    const std::vector<Vec3> carried = scene.carried(after);
    for (std::size_t v = 0; v < carried.size(); ++v)
        EXPECT_LT((carried[v] - motion * scene.ring.positions[v]).norm(), 1e-12);
}

// The proxy is pressed flat below y = -0.6. A tube upright in it, through its lowest point, is not:
// it keeps its volume, and is as flat as the proxy where it was next to it.
TEST(Proxy, ATubeKeepsItsShapeWhereTheProxyIsPressed) {
    TriangleMesh tube = make_torus(0.9, 0.08, 48);
    Affine3 upright = Affine3::Identity();
    upright.rotate(Eigen::AngleAxisd(std::acos(0.0), Vec3::UnitX()));
    transform(tube, upright);
    const TriangleMesh ball = make_sphere(1, 4);
    const Surface proxy = make_surface(ball);
    std::vector<Vec3> after = ball.positions;
    for (Vec3& p : after) p.y() = std::max(p.y(), -0.6);
    const std::vector<Vec3> carried = carry(bind_to_proxy(tube.positions, proxy), proxy.topology(),
                                            ball.positions, after, tube.positions);
    const double before = signed_volume(tube.positions, tube.faces, Vec3::Zero());
    EXPECT_NEAR(signed_volume(carried, tube.faces, Vec3::Zero()) / before, 1, 0.05);
    double lowest = 0, thinnest = 1;
    for (const Vec3& p : carried) lowest = std::min(lowest, p.y());
    EXPECT_NEAR(lowest, -0.58, 0.03);
    for (std::size_t v = 0; v < carried.size(); ++v)
        for (std::size_t w = 0; w < v; ++w)
            // Opposite sides of the tube.
            if (std::abs((tube.positions[v] - tube.positions[w]).norm() - 0.16) < 1e-6)
                thinnest = std::min(thinnest, (carried[v] - carried[w]).norm());
    EXPECT_GT(thinnest, 0.8 * 0.16);
}

// Neighbouring places go to neighbouring places, also in the middle, where the nearest point jumps,
// and far away, where nothing is flung.
TEST(Proxy, ItIsContinuousInSpaceInsideAndFarAway) {
    const TriangleMesh ball = make_sphere(1, 3);
    const Surface proxy = make_surface(ball);
    std::vector<Vec3> after = ball.positions;
    for (Vec3& p : after) p.y() = std::max(p.y(), -0.5);
    for (const double height : {0.0, 0.3, -0.3}) {
        std::vector<Vec3> line;
        for (int i = 0; i <= 4000; ++i) line.push_back(Vec3(-4 + i * 0.002, height, 0.01));
        const std::vector<Vec3> carried =
            carry(bind_to_proxy(line, proxy), proxy.topology(), ball.positions, after, line);
        for (std::size_t i = 1; i < line.size(); ++i) {
            const Vec3 step = carried[i] - carried[i - 1] - (line[i] - line[i - 1]);
            EXPECT_LT(step.norm(), 0.004) << line[i].transpose();
        }
        for (std::size_t i = 0; i < line.size(); ++i)
            EXPECT_LT((carried[i] - line[i]).norm(), 0.55) << line[i].transpose();
    }
}

TEST(Proxy, VerticesTooFarAwayAreRefusedBeforeTheyFillTheMemory) {
    const TriangleMesh ball = make_sphere(1, 4);
    const Surface proxy = make_surface(ball);
    std::vector<Vec3> positions(20000);
    for (std::size_t v = 0; v < positions.size(); ++v)
        positions[v] = {100 + static_cast<double>(v) / 100, 0, 0};
    EXPECT_EQ(input_error([&] { bind_to_proxy(positions, proxy); }),
              "the mesh has 20000 vertices, many so far from this proxy that they would be tied to "
              "its 2562 vertices 5.12e+07 times, expected at most 5e+07: a proxy around all of the "
              "mesh, or a coarser one");
    positions.resize(100);
    EXPECT_EQ(bind_to_proxy(positions, proxy).ties.size(), 256200u);
}

} // namespace
} // namespace knead
