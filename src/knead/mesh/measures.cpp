#include "knead/mesh/measures.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

Vec3 unit_or_zero(const Vec3& v) {
    // Scaled first, so that faces a millionth of a unit across still have a normal.
    const double largest = v.cwiseAbs().maxCoeff();
    if (!(largest > 0)) return Vec3::Zero();
    return (v / largest).normalized();
}

} // namespace

std::vector<Vec3> face_normals(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    std::vector<Vec3> normals;
    normals.reserve(faces.size());
    for (const Triangle& f : faces)
        normals.push_back(
            unit_or_zero(area_vector(positions[f[0]], positions[f[1]], positions[f[2]])));
    return normals;
}

std::vector<Vec3> vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> faces,
                                 NormalWeighting weighting) {
    std::vector<Vec3> normals(positions.size(), Vec3::Zero());
    for (const Triangle& f : faces) {
        const Vec3 area = area_vector(positions[f[0]], positions[f[1]], positions[f[2]]);
        if (weighting == NormalWeighting::area) {
            for (const int v : f) normals[v] += area;
            continue;
        }
        const double length = area.norm();
        if (!(length > 0)) continue;
        const Vec3 normal = unit_or_zero(area);
        const Vec3 &a = positions[f[0]], &b = positions[f[1]], &c = positions[f[2]];
        // Both legs of an angle span the same area; the last angle is what is left.
        const double at_a = std::atan2(length, (b - a).dot(c - a));
        const double at_b = std::atan2(length, (c - b).dot(a - b));
        normals[f[0]] += at_a * normal;
        normals[f[1]] += at_b * normal;
        normals[f[2]] += std::max(0.0, std::numbers::pi - at_a - at_b) * normal;
    }
    for (Vec3& normal : normals) normal = unit_or_zero(normal);
    return normals;
}

std::vector<double> face_areas(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    std::vector<double> areas;
    areas.reserve(faces.size());
    for (const Triangle& f : faces)
        areas.push_back(0.5 *
                        area_vector(positions[f[0]], positions[f[1]], positions[f[2]]).norm());
    return areas;
}

std::vector<double> vertex_areas(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    std::vector<double> areas(positions.size(), 0.0);
    for (const Triangle& f : faces) {
        const double third =
            area_vector(positions[f[0]], positions[f[1]], positions[f[2]]).norm() / 6;
        for (const int v : f) areas[v] += third;
    }
    return areas;
}

double surface_area(std::span<const Vec3> positions, std::span<const Triangle> faces) {
    double area = 0;
    for (const Triangle& f : faces)
        area += 0.5 * area_vector(positions[f[0]], positions[f[1]], positions[f[2]]).norm();
    return area;
}

double signed_volume(std::span<const Vec3> positions, std::span<const Triangle> faces,
                     const Vec3& origin) {
    double six_volumes = 0;
    for (const Triangle& f : faces) {
        const Vec3 a = positions[f[0]] - origin;
        six_volumes += a.dot((positions[f[1]] - origin).cross(positions[f[2]] - origin));
    }
    return six_volumes / 6;
}

double mean_edge_length(std::span<const Vec3> positions, const Topology& topology) {
    if (topology.edges.empty()) return 0;
    double sum = 0;
    for (const Edge& edge : topology.edges) sum += (positions[edge[0]] - positions[edge[1]]).norm();
    return sum / topology.edge_count();
}

} // namespace knead
