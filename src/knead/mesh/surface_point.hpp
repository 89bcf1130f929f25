#pragma once

#include "knead/base/types.hpp"

#include <span>

namespace knead {

/// A point on edge `edge` of a `Topology`: t = 0 at its first (smaller) vertex, 1 at its second.
struct EdgePoint {
    int edge = -1;
    double t = 0;
};

/// A point on a face by barycentric coordinates, which sum to 1.
struct FacePoint {
    int face = -1;
    Vec3 barycentric = Vec3::Zero();
};

/// A vertex quantity carried to a point on the surface.
template <typename T>
T interpolate(const EdgePoint& point, std::span<const Edge> edges, std::span<const T> values) {
    const Edge& ends = edges[point.edge];
    return (1 - point.t) * values[ends[0]] + point.t * values[ends[1]];
}

template <typename T>
T interpolate(const FacePoint& point, std::span<const Triangle> faces, std::span<const T> values) {
    const Triangle& corners = faces[point.face];
    return point.barycentric[0] * values[corners[0]] + point.barycentric[1] * values[corners[1]] +
           point.barycentric[2] * values[corners[2]];
}

} // namespace knead
