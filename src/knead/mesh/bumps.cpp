#include "knead/mesh/bumps.hpp"

#include "knead/mesh/measures.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

constexpr int wave_count = 7;

// Spread evenly over a half sphere.
std::array<Vec3, wave_count> wave_directions() {
    const double golden_angle = std::numbers::pi * (3 - std::sqrt(5.0));
    std::array<Vec3, wave_count> directions;
    for (int i = 0; i < wave_count; ++i) {
        const double y = (i + 0.5) / wave_count, r = std::sqrt(1 - y * y);
        directions[i] = {r * std::cos(golden_angle * i), y, r * std::sin(golden_angle * i)};
    }
    return directions;
}

} // namespace

void add_bumps(TriangleMesh& mesh, double amplitude, double wavelength) {
    const std::array<Vec3, wave_count> directions = wave_directions();
    const std::vector<Vec3> normals = vertex_normals(mesh.positions, mesh.faces);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        Vec3& position = mesh.positions[v];
        double sum = 0;
        for (int i = 0; i < wave_count; ++i)
            sum += std::sin(2 * std::numbers::pi / wavelength * directions[i].dot(position) + i);
        position += amplitude / wave_count * sum * normals[v];
    }
}

} // namespace knead
