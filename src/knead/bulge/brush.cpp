#include "knead/bulge/brush.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/geodesic.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

BrushWeights local_brush(const Surface& surface, const FacePoint& center, const LocalBrush& brush) {
    check_face_point(surface.faces(), center, "brush");
    if (!(brush.radius > 0 && std::isfinite(brush.radius)))
        throw InputError(
            fmt::format("brush: the radius is {}, expected more than 0", brush.radius));
    if (!(brush.falloff >= 0 && brush.falloff <= 1))
        throw InputError(fmt::format("brush: the falloff is {}, expected 0 to 1", brush.falloff));
    const std::span<const Vec3> positions = surface.positions;
    std::vector<double> distances;
    if (brush.distance == BrushDistance::geodesic) {
        distances = geodesic_distances(positions, surface.faces(), surface.topology(), center,
                                       brush.radius);
    } else {
        const Vec3 from = interpolate<Vec3>(center, surface.faces(), positions);
        for (const Vec3& position : positions) distances.push_back((position - from).norm());
    }
    BrushWeights weights(positions.size(), 0);
    const double hard = 1 - brush.falloff;
    for (std::size_t v = 0; v < weights.size(); ++v) {
        const double at = distances[v] / brush.radius;
        if (!(at < 1)) continue;
        const double t = at > hard ? (at - hard) / brush.falloff : 0;
        weights[v] = std::pow(1 - t * t, 2);
    }
    return weights;
}

FacePoint mirrored(const Surface& surface, const FacePoint& center, const MirrorPlane& plane) {
    check_face_point(surface.faces(), center, "brush");
    const double squared = plane.normal.squaredNorm();
    if (!(squared > 0 && std::isfinite(squared) && plane.point.allFinite()))
        throw InputError("brush: the mirror plane is not finite or has the normal 0");
    const Vec3 from = interpolate<Vec3>(center, surface.faces(), surface.positions);
    const Vec3 image = from - 2 * (from - plane.point).dot(plane.normal) / squared * plane.normal;
    return closest_point(surface, image)->point;
}

BrushWeights together(const BrushWeights& a, const BrushWeights& b) {
    if (a.size() != b.size())
        throw InputError(
            fmt::format("brush: found {} and {} weights, expected as many", a.size(), b.size()));
    BrushWeights both(a.size());
    for (std::size_t v = 0; v < both.size(); ++v) both[v] = std::max(a[v], b[v]);
    return both;
}

void paint(const Topology& topology, const BrushWeights& weights, const BrushStroke& stroke,
           std::span<double> map) {
    const std::size_t vertices = static_cast<std::size_t>(topology.vertex_count);
    if (map.size() != vertices || weights.size() != vertices)
        throw InputError(fmt::format("brush: found a map of {} values and {} weights, expected {}",
                                     map.size(), weights.size(), vertices));
    if (!(stroke.strength >= 0 && stroke.strength <= 1))
        throw InputError(
            fmt::format("brush: the strength is {}, expected 0 to 1", stroke.strength));
    if (!std::isfinite(stroke.value))
        throw InputError(fmt::format("brush: the value is {}, expected a number", stroke.value));
    if (!(stroke.low <= stroke.high))
        throw InputError(fmt::format("brush: the limits are {} and {}, expected them in order",
                                     stroke.low, stroke.high));
    const std::vector<double> before(map.begin(), map.end());
    const auto painted = [&](std::size_t v, double amount) {
        switch (stroke.operation) {
        case BrushOperation::set:
            return before[v] + amount * (stroke.value - before[v]);
        case BrushOperation::add:
            return before[v] + amount * stroke.value;
        case BrushOperation::subtract:
            return before[v] - amount * stroke.value;
        case BrushOperation::smooth:
            break;
        }
        const std::span<const int> ring = topology.vertex_vertices[static_cast<int>(v)];
        if (ring.empty()) return before[v];
        double mean = 0;
        for (const int neighbour : ring) mean += before[neighbour];
        mean /= static_cast<double>(ring.size());
        return before[v] + amount * (mean - before[v]);
    };
    for (std::size_t v = 0; v < vertices; ++v) {
        const double amount = stroke.strength * weights[v];
        if (amount > 0) map[v] = std::clamp(painted(v, amount), stroke.low, stroke.high);
    }
}

} // namespace knead
