#pragma once

#include "knead/base/types.hpp"

#include <limits>
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

/// What a point lies on: a vertex, the inside of an edge, or the inside of a face.
enum class Feature { vertex, edge, face };

/// The point of a surface that is nearest to some other one.
struct ClosestPoint {
    FacePoint point = {};
    Vec3 position = Vec3::Zero();
    double squared_distance = std::numeric_limits<double>::infinity();
    Feature feature = Feature::face; ///< what the point lies on
    int element = -1;                ///< the face, edge or vertex
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
