#include "knead/mesh/geodesic.hpp"

#include "knead/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

namespace knead {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The distance of c when those of a and b are known: from the point in the face's plane that has
// these two distances, on the side away from c. Where the way from there does not pass between a
// and b it goes along an edge.
double through_face(const Vec3& a, const Vec3& b, const Vec3& c, double at_a, double at_b) {
    const double along_edge = std::min(at_a + (c - a).norm(), at_b + (c - b).norm());
    const Vec3 side = b - a;
    const double length = side.norm();
    if (!(length > 0)) return along_edge;
    const Vec3 x = side / length;
    const double cx = x.dot(c - a), cy = (c - a - cx * x).norm();
    const double sx = (length * length + at_a * at_a - at_b * at_b) / (2 * length);
    const double squared = at_a * at_a - sx * sx;
    if (!(squared >= 0) || !(cy > 0)) return along_edge;
    const double sy = std::sqrt(squared);
    const double crossing = sx + (cx - sx) * sy / (sy + cy);
    if (!(crossing >= 0 && crossing <= length)) return along_edge;
    return std::min(along_edge, std::hypot(cx - sx, cy + sy));
}

} // namespace

void check_face_point(std::span<const Triangle> faces, const FacePoint& point,
                      std::string_view who) {
    if (point.face < 0 || point.face >= static_cast<int>(faces.size()))
        throw InputError(fmt::format("{}: the centre is on face {}, expected 0 to {}", who,
                                     point.face, static_cast<int>(faces.size()) - 1));
    const Vec3& b = point.barycentric;
    if (!(b.allFinite() && b.minCoeff() >= -1e-9 && std::abs(b.sum() - 1) < 1e-9))
        throw InputError(fmt::format("{}: the centre has the barycentric coordinates ({}, {}, {}), "
                                     "expected three of at least 0 that sum to 1",
                                     who, b[0], b[1], b[2]));
}

std::vector<double> geodesic_distances(std::span<const Vec3> positions,
                                       std::span<const Triangle> faces, const Topology& topology,
                                       const FacePoint& from, double farthest) {
    check_face_point(faces, from, "geodesic distances");
    std::vector<double> distances(positions.size(), infinite);
    std::vector<char> done(positions.size(), 0);
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> front;
    const auto reach = [&](int vertex, double distance) {
        if (done[vertex] || !(distance < distances[vertex]) || distance > farthest) return;
        distances[vertex] = distance;
        front.emplace(distance, vertex);
    };
    const Vec3 start = interpolate<Vec3>(from, faces, positions);
    for (const int corner : faces[from.face]) reach(corner, (positions[corner] - start).norm());
    while (!front.empty()) {
        const auto [distance, vertex] = front.top();
        front.pop();
        if (done[vertex]) continue;
        done[vertex] = 1;
        for (const int f : topology.vertex_faces[vertex]) {
            const Triangle& face = faces[f];
            for (int i = 0; i < 3; ++i) {
                const int target = face[i];
                if (done[target]) continue;
                const int a = face[(i + 1) % 3], b = face[(i + 2) % 3];
                const int other = a == vertex ? b : a;
                reach(target, distance + (positions[target] - positions[vertex]).norm());
                if (distances[other] < infinite)
                    reach(target, through_face(positions[vertex], positions[other],
                                               positions[target], distance, distances[other]));
            }
        }
    }
    return distances;
}

} // namespace knead
