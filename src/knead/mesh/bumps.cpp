#include "knead/mesh/bumps.hpp"

#include "knead/mesh/measures.hpp"

#include <cmath>
#include <numbers>

namespace knead {
namespace {

// Directions, spread evenly over a half sphere, in which a wave runs.
constexpr int wave_count = 7;

double wave_sum(const Vec3& position, double wavelength) {
    using std::numbers::pi;
    const double golden_angle = pi * (3 - std::sqrt(5.0));
    double sum = 0;
    for (int i = 0; i < wave_count; ++i) {
        const double y = (i + 0.5) / wave_count, r = std::sqrt(1 - y * y);
        const Vec3 direction(r * std::cos(golden_angle * i), y, r * std::sin(golden_angle * i));
        sum += std::sin(2 * pi / wavelength * direction.dot(position) + i);
    }
    return sum / wave_count;
}

} // namespace

void add_bumps(TriangleMesh& mesh, double amplitude, double wavelength) {
    const std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.faces);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v)
        mesh.positions[v] += amplitude * wave_sum(mesh.positions[v], wavelength) * normals[v];
}

} // namespace knead
