#include "knead/mesh/measures.hpp"

#include "knead/base/lanes.hpp"

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

// atan(sqrt(z)) / sqrt(z) up to the square of tan(pi / 8), to rounding: through the Chebyshev
// nodes.
constexpr double arc_tangent[] = {1,
                                  -0.3333333333333312,
                                  0.1999999999994089,
                                  -0.1428571427925024,
                                  0.11111110744919396,
                                  -0.09090896809056438,
                                  0.07692045330765912,
                                  -0.06662951812061838,
                                  0.05846878285787001,
                                  -0.050351024039430294,
                                  0.037965256099576565,
                                  -0.017805395704537506};

// Each face's unit normal at its corners, by the angle it has there. Four faces at once: normals
// are an eighth of a frame of two large bodies, and were three times that with library arc
// tangents.
KNEAD_FOR_AVX2_TOO
void add_by_angle(const double* positions, const int* faces, std::size_t face_count,
                  double* normals) {
    constexpr double pi = std::numbers::pi;
    for (std::size_t first = 0; first < face_count; first += 4) {
        const std::size_t count = face_count - first < 4 ? face_count - first : 4;
        double gathered[3][3][4];
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const int* const face = faces + 3 * (first + (lane < count ? lane : 0));
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < 3; ++i) gathered[c][i][lane] = positions[3 * face[c] + i];
        }
        Lanes4 corner[3][3];
        __builtin_memcpy(corner, gathered, sizeof(corner));
        Lanes4 ab[3], bc[3], ca[3], area[3];
        for (int i = 0; i < 3; ++i) {
            ab[i] = corner[1][i] - corner[0][i];
            bc[i] = corner[2][i] - corner[1][i];
            ca[i] = corner[0][i] - corner[2][i];
        }
        for (int i = 0; i < 3; ++i) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            area[i] = ab[k] * ca[j] - ab[j] * ca[k];
        }
        const Lanes4 squared = area[0] * area[0] + area[1] * area[1] + area[2] * area[2];
        Lanes4 length;
        for (int lane = 0; lane < 4; ++lane) length[lane] = __builtin_sqrt(squared[lane]);
        const Lanes4 cosine[2] = {-(ab[0] * ca[0] + ab[1] * ca[1] + ab[2] * ca[2]),
                                  -(bc[0] * ab[0] + bc[1] * ab[1] + bc[2] * ab[2])};
        // Both legs of an angle span the same area; the last angle is what is left.
        Lanes4 angle[3];
        for (int corner_index = 0; corner_index < 2; ++corner_index) {
            const Lanes4 x = cosine[corner_index], along = x < 0 ? -x : x;
            const Lanes4 low = length < along ? length : along;
            const Lanes4 high = length < along ? along : length;
            // Beyond tan(pi / 8) the angle is told from pi / 4.
            const auto large = low > 0.4142135623730951 * high;
            const Lanes4 t = (large ? low - high : low) / (large ? low + high : high);
            const Lanes4 z = t * t;
            Lanes4 sum = Lanes4{} + arc_tangent[11];
            for (int k = 10; k >= 0; --k) sum = sum * z + arc_tangent[k];
            sum = t * sum + (large ? Lanes4{} + pi / 4 : Lanes4{});
            sum = length > along ? pi / 2 - sum : sum;
            angle[corner_index] = x < 0 ? pi - sum : sum;
        }
        angle[2] = pi - angle[0] - angle[1];
        angle[2] = angle[2] > 0 ? angle[2] : Lanes4{};
        for (std::size_t lane = 0; lane < count; ++lane) {
            if (!(length[lane] > 0)) continue;
            const int* const face = faces + 3 * (first + lane);
            for (int c = 0; c < 3; ++c) {
                const double weight = angle[c][lane] / length[lane];
                for (int i = 0; i < 3; ++i) normals[3 * face[c] + i] += weight * area[i][lane];
            }
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
    std::vector<Vec3> normals;
    vertex_normals(positions, faces, normals, weighting);
    return normals;
}

void vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> faces,
                    std::vector<Vec3>& normals, NormalWeighting weighting) {
    normals.assign(positions.size(), Vec3::Zero());
    if (faces.empty()) return;
    if (weighting == NormalWeighting::area)
        for (const Triangle& f : faces) {
            const Vec3 area = area_vector(positions[f[0]], positions[f[1]], positions[f[2]]);
            for (const int v : f) normals[v] += area;
        }
    else
        add_by_angle(positions.data()->data(), faces.data()->data(), faces.size(),
                     normals.data()->data());
    for (Vec3& normal : normals) normal = unit_or_zero(normal);
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
