#include "knead/spatial/pseudonormal.hpp"

#include <cmath>

namespace knead {
namespace {

// Scaled first, so that tiny faces do not underflow.
Vec3 unit_or_zero(const Vec3& v) {
    const double largest = v.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return Vec3::Zero();
    return (v / largest).normalized();
}

} // namespace

Vec3 face_pseudonormal(const Surface& surface, int face) {
    const auto [a, b, c] = surface.corners(face);
    return unit_or_zero((b - a).cross(c - a));
}

Vec3 edge_pseudonormal(const Surface& surface, int edge) {
    Vec3 sum = Vec3::Zero();
    for (const int face : surface.topology().edge_faces[edge])
        sum += face_pseudonormal(surface, face);
    return unit_or_zero(sum);
}

Vec3 vertex_pseudonormal(const Surface& surface, int vertex) {
    Vec3 sum = Vec3::Zero();
    for (const int face : surface.topology().vertex_faces[vertex]) {
        const Triangle& f = surface.faces()[face];
        const int corner = f[0] == vertex ? 0 : f[1] == vertex ? 1 : 2;
        const Vec3& at = surface.positions[vertex];
        const Vec3 a = surface.positions[f[(corner + 1) % 3]] - at;
        const Vec3 b = surface.positions[f[(corner + 2) % 3]] - at;
        const Vec3 normal = a.cross(b);
        sum += std::atan2(normal.norm(), a.dot(b)) * unit_or_zero(normal);
    }
    return unit_or_zero(sum);
}

} // namespace knead
