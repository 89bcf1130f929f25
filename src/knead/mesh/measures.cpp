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

// Several faces at once: library arc tangents alone took a tenth of a frame.
constexpr int lane_count = 8;
using Lanes = Eigen::Array<double, lane_count, 1>;

// atan2 for y >= 0, to rounding.
Lanes angles(const Lanes& y, const Lanes& x) {
    const Lanes ax = x.abs();
    const Lanes ratio = y.min(ax) / y.max(ax);
    // Below tan(pi / 8) the series ends soon.
    const auto large = (ratio > 0.4142135623730951).eval();
    const Lanes r = large.select((ratio - 1) / (ratio + 1), ratio);
    const Lanes squared = r * r;
    Lanes series = Lanes::Constant(1.0 / 39);
    for (int k = 18; k >= 0; --k) series = 1.0 / (2 * k + 1) - squared * series;
    Lanes angle = r * series + large.select(Lanes::Constant(std::numbers::pi / 4), Lanes::Zero());
    angle = (y > ax).select(std::numbers::pi / 2 - angle, angle);
    return (x < 0).select(std::numbers::pi - angle, angle);
}

// The corners of some faces, a coordinate at a time.
using LaneVec3 = Eigen::Array<double, lane_count, 3>;

Lanes dot(const LaneVec3& a, const LaneVec3& b) {
    return a.col(0) * b.col(0) + a.col(1) * b.col(1) + a.col(2) * b.col(2);
}

LaneVec3 cross(const LaneVec3& a, const LaneVec3& b) {
    LaneVec3 result;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        result.col(i) = a.col(j) * b.col(k) - a.col(k) * b.col(j);
    }
    return result;
}

// Each face's unit normal at its corners, by the angle it has there.
void add_by_angle(std::span<const Vec3> positions, std::span<const Triangle> faces,
                  std::vector<Vec3>& normals) {
    for (std::size_t first = 0; first < faces.size(); first += lane_count) {
        const int count = static_cast<int>(std::min<std::size_t>(lane_count, faces.size() - first));
        std::array<LaneVec3, 3> corner;
        for (int lane = 0; lane < lane_count; ++lane) {
            const Triangle& face =
                faces[first + static_cast<std::size_t>(std::min(lane, count - 1))];
            for (int c = 0; c < 3; ++c)
                corner[c].row(lane) = positions[face[c]].array().transpose();
        }
        const LaneVec3 ab = corner[1] - corner[0], bc = corner[2] - corner[1],
                       ca = corner[0] - corner[2];
        const LaneVec3 area = cross(ab, -ca);
        const Lanes length = dot(area, area).sqrt();
        // Both legs of an angle span the same area; the last angle is what is left.
        const Lanes at_a = angles(length, -dot(ab, ca)), at_b = angles(length, -dot(bc, ab));
        const Lanes at_c = (std::numbers::pi - at_a - at_b).max(0.0);
        for (int lane = 0; lane < count; ++lane) {
            if (!(length[lane] > 0)) continue;
            const Vec3 normal = area.row(lane).matrix().transpose() / length[lane];
            const Triangle& face = faces[first + static_cast<std::size_t>(lane)];
            normals[face[0]] += at_a[lane] * normal;
            normals[face[1]] += at_b[lane] * normal;
            normals[face[2]] += at_c[lane] * normal;
        }
    }
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
    if (weighting == NormalWeighting::area)
        for (const Triangle& f : faces) {
            const Vec3 area = area_vector(positions[f[0]], positions[f[1]], positions[f[2]]);
            for (const int v : f) normals[v] += area;
        }
    else
        add_by_angle(positions, faces, normals);
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
