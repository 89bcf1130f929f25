#include "pressed_ball.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "dynamics/simulated.hpp"

namespace knead::quality {

using testing_dynamics::make_body;

TriangleMesh ball_mesh(double radius, const Vec3& at, int subdivisions) {
    TriangleMesh mesh = make_sphere(radius, subdivisions);
    for (Vec3& p : mesh.positions) p += at;
    return mesh;
}

BodyDefinition soft_ball_body(const std::string& name, TriangleMesh mesh) {
    BodyDefinition body = make_body(name, BodyKind::volume, std::move(mesh));
    body.material.young = 1.5e5;
    body.material.poisson = 0.45;
    body.material.damping = 0.05;
    body.material.friction = 0.1;
    body.cells = 14;
    return body;
}

BodyDefinition soft_ball_ground() {
    BodyDefinition body =
        make_body("floor", BodyKind::kinematic, make_grid({24, 24}, {1, 1}), Vec3(6, 0, 3));
    body.material.friction = 0.1;
    return body;
}

double highest(std::span<const Vec3> points, double side) {
    double high = -1e300;
    for (const Vec3& p : points) high = std::max(high, side * p.y());
    return side * high;
}

double widest(std::span<const Vec3> points) {
    double wide = 0;
    for (const Vec3& p : points) wide = std::max(wide, std::hypot(p.x(), p.z()));
    return wide;
}

double bulge_height(std::span<const Vec3> points, const Vec3& center, double radius) {
    double out = 0;
    for (const Vec3& p : points) out = std::max(out, (p - center).norm() - radius);
    return out;
}

double contact_radius(std::span<const Vec3> positions, std::span<const Triangle> faces,
                      std::span<const double> gaps) {
    double area = 0;
    for (const Triangle& face : faces) {
        const double whole = 0.5 * (positions[face[1]] - positions[face[0]])
                                       .cross(positions[face[2]] - positions[face[0]])
                                       .norm();
        for (const int v : face)
            if (gaps[v] < ball_touching) area += whole / 3;
    }
    return std::sqrt(area / std::numbers::pi);
}

std::vector<std::vector<Vec2>> section(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces) {
    std::vector<std::vector<Vec2>> pieces;
    for (const Triangle& face : faces) {
        std::vector<Vec2> ends;
        for (int i = 0; i < 3; ++i) {
            const Vec3 &a = positions[face[i]], &b = positions[face[(i + 1) % 3]];
            if ((a.z() < 0) == (b.z() < 0)) continue;
            const Vec3 p = a + (b - a) * (a.z() / (a.z() - b.z()));
            ends.emplace_back(p.x(), p.y());
        }
        if (ends.size() == 2) pieces.push_back(std::move(ends));
    }
    return pieces;
}

} // namespace knead::quality
