#include "knead/mesh/vertex_number.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>

namespace knead {

double VertexNumber::largest() const {
    if (!is_map_) return constant_;
    return map_.empty() ? 0 : *std::max_element(map_.begin(), map_.end());
}

double VertexNumber::least() const {
    if (!is_map_) return constant_;
    return map_.empty() ? 0 : *std::min_element(map_.begin(), map_.end());
}

std::vector<Vec3> vertex_gradients(const VertexNumber& number, std::span<const Vec3> positions,
                                   std::span<const Triangle> faces) {
    if (!number.is_map()) return {};
    std::vector<Vec3> gradients(positions.size(), Vec3::Zero());
    std::vector<double> areas(positions.size(), 0);
    for (const Triangle& f : faces) {
        const Vec3 &a = positions[f[0]], &b = positions[f[1]], &c = positions[f[2]];
        const Vec3 normal = area_vector(a, b, c);
        const double area = normal.norm();
        if (!(area > 0)) continue;
        // The gradient times twice the area.
        const Vec3 gradient =
            normal.cross(number[f[0]] * (c - b) + number[f[1]] * (a - c) + number[f[2]] * (b - a)) /
            area;
        for (const int v : f) {
            gradients[v] += gradient;
            areas[v] += area;
        }
    }
    for (std::size_t v = 0; v < gradients.size(); ++v)
        if (areas[v] > 0) gradients[v] /= areas[v];
    return gradients;
}

} // namespace knead
