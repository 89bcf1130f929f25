#include <knead/deform/deform.hpp>
#include <knead/mesh/primitives.hpp>
#include <knead/spatial/depth.hpp>
#include <cstdio>

int main() {
    knead::TriangleMesh ball = knead::make_sphere(1, 4), box = knead::make_box({2, 2, 2}, {24, 24, 24});
    for (knead::Vec3& p : ball.positions) p += knead::Vec3(0.1, 1.8, 0.05);
    const double before = knead::measure_penetration(ball, box).depth;
    const auto resolved = knead::deform(ball, box);
    ball.positions = resolved[0];
    box.positions = resolved[1];
    std::printf("depth %.3f before, %.3f after\n", before, knead::measure_penetration(ball, box).depth);
}
