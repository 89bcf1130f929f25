#include "knead/contact/mapping_direction.hpp"

#include "knead/mesh/measures.hpp"

#include <algorithm>

namespace knead {

NormalStatistics normal_statistics(const CutSet& part, const Surface& surface,
                                   std::span<const Vec3> normals) {
    NormalStatistics result;
    Vec3 sum = Vec3::Zero();
    double squares = 0;
    const std::span<const Triangle> faces = surface.faces();
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) {
        const CutFace cut = cut_face(part, f, faces, surface.topology());
        for_each_triangle(cut, [&](const std::array<CutCorner, 3>& triangle, double weight) {
            std::array<Vec3, 3> p, n;
            for (int c = 0; c < 3; ++c) {
                p[c] = triangle[c].of<Vec3>(surface.positions);
                n[c] = triangle[c].of<Vec3>(normals);
            }
            const double area = weight * 0.5 * area_vector(p[0], p[1], p[2]).norm();
            result.area += area;
            sum += area / 3 * (n[0] + n[1] + n[2]);
            // Exact for the square of a linear field: the three mid-points, a third of the area
            // each.
            for (int c = 0; c < 3; ++c)
                squares += area / 3 * (0.5 * (n[c] + n[(c + 1) % 3])).squaredNorm();
        });
    }
    if (!(result.area > 0)) return result;
    const double length = sum.norm();
    if (length > 0) result.mean = sum / length;
    result.variation = std::max(0.0, squares / result.area - (sum / result.area).squaredNorm());
    return result;
}

std::optional<Vec3> mapping_direction(const NormalStatistics& first,
                                      const NormalStatistics& second) {
    // A few edges may pass through faces before any vertex of one mesh is inside.
    if (!(first.area > 0) && !(second.area > 0)) return std::nullopt;
    if (!(first.area > 0)) return second.mean;
    if (!(second.area > 0)) return Vec3(-first.mean);
    // Flat parts have no variation: with both flat, both count the same.
    const double tiny = 1e-12;
    const Vec3 direction =
        second.mean * (first.variation + tiny) - first.mean * (second.variation + tiny);
    const double length = direction.norm();
    if (!(length > 1e-6 * (first.variation + second.variation + 2 * tiny))) return std::nullopt;
    return direction / length;
}

} // namespace knead
