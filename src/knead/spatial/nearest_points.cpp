#include "knead/spatial/nearest_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

// Below this sine of the angle between two sides, squared, rounding may have decided which part of
// a face, or of two edges, is nearest: all borders are looked at too.
constexpr double thin_sine_squared = 1e-6;

// Of the segment from a to b, the place nearest to the origin, from 0 at a to 1 at b.
double nearest_on_segment(const Vec3& a, const Vec3& along) {
    const double squared = along.squaredNorm();
    return squared > 0 ? std::clamp(-a.dot(along) / squared, 0.0, 1.0) : 0;
}

NearestPoints vertex_to_face(const std::array<Vec3, 4>& points) {
    // Everything relative to the vertex: near a face few digits of the positions matter.
    const Vec3 a = points[1] - points[0], u = points[2] - points[1], v = points[3] - points[1];
    const Vec3 n = u.cross(v);
    const double squared = n.squaredNorm();

    NearestPoints best;
    best.distance = std::numeric_limits<double>::infinity();
    const auto offer = [&](double r, double s, double t, bool inside) {
        const Vec3 difference = -(a + s * u + t * v);
        const double distance = difference.norm();
        if (!(distance < best.distance)) return;
        best.weights = {1, -r, -s, -t};
        best.difference = difference;
        best.distance = distance;
        best.inside = inside;
    };
    if (squared > 0) {
        const double s = v.cross(a).dot(n) / squared, t = a.cross(u).dot(n) / squared;
        if (const double r = 1 - s - t; r > 0 && s > 0 && t > 0) {
            offer(r, s, t, true);
            if (squared > thin_sine_squared * u.squaredNorm() * v.squaredNorm()) return best;
        }
    }
    const double on_first = nearest_on_segment(a, u), on_last = nearest_on_segment(a, v);
    const double between = nearest_on_segment(a + u, v - u);
    offer(1 - on_first, on_first, 0, false);
    offer(0, 1 - between, between, false);
    offer(1 - on_last, 0, on_last, false);
    return best;
}

NearestPoints edge_to_edge(const std::array<Vec3, 4>& points) {
    const Vec3 offset = points[0] - points[2];
    const Vec3 u = points[1] - points[0], v = points[3] - points[2];
    const Vec3 n = u.cross(v);
    const double squared = n.squaredNorm();

    NearestPoints best;
    best.distance = std::numeric_limits<double>::infinity();
    const auto offer = [&](double s, double t, bool inside) {
        const Vec3 difference = offset + s * u - t * v;
        const double distance = difference.norm();
        if (!(distance < best.distance)) return;
        best.weights = {1 - s, s, -(1 - t), -t};
        best.difference = difference;
        best.distance = distance;
        best.inside = inside;
    };
    if (squared > 0) {
        const double s = v.cross(offset).dot(n) / squared, t = u.cross(offset).dot(n) / squared;
        if (s > 0 && s < 1 && t > 0 && t < 1) {
            offer(s, t, true);
            if (squared > thin_sine_squared * u.squaredNorm() * v.squaredNorm()) return best;
        }
    }
    offer(0, nearest_on_segment(-offset, v), false);
    offer(1, nearest_on_segment(-(offset + u), v), false);
    offer(nearest_on_segment(offset, u), 0, false);
    offer(nearest_on_segment(offset - v, u), 1, false);
    return best;
}

} // namespace

NearestPoints nearest_points(PrimitivePair::Kind kind, const std::array<Vec3, 4>& points) {
    return kind == PrimitivePair::Kind::vertex_face ? vertex_to_face(points) : edge_to_edge(points);
}

} // namespace knead
