#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/spatial/surface.hpp"

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace knead {

/// The point of a triangle that is nearest to `query`. `feature` and `element` are those of a
/// triangle on its own: vertex i, edge i from corner i to i + 1, or face 0.
ClosestPoint closest_point_on_triangle(const Vec3& query, const std::array<Vec3, 3>& corners);

struct ClosestPointOptions {
    /// A face that is likely near, such as that of a neighbouring query; it only saves time.
    int first_face = -1;
    /// Nothing further than this is looked for.
    double max_squared_distance = std::numeric_limits<double>::infinity();
    /// The caller has no use for points nearer than this: the search stops at the first.
    double enough_squared_distance = -1;
};

/// The point of the surface that is nearest to `query`; nothing when there are no faces (within the
/// given distance) or the query is not finite.
std::optional<ClosestPoint> closest_point(const Surface& surface, const Vec3& query,
                                          const ClosestPointOptions& options = {});

/// Of every face that is no further away than `distance` the point that is nearest to `query`.
void find_near_faces(const Surface& surface, const Vec3& query, double distance,
                     std::vector<ClosestPoint>& found);

/// The point lies on a boundary edge or on an end of one.
bool on_border(const Surface& surface, const ClosestPoint& point);

/// Which side of the surface `query` is on, seen from its nearest point: 1 in front, -1 behind, 0
/// on the surface. For a closed surface that does not intersect itself, -1 is inside.
int side_of(const Surface& surface, const Vec3& query, const ClosestPoint& nearest);

/// The shortest distance from a vertex of either surface to the other one, or `reach` if none is
/// shorter.
double distance_between(const Surface& a, const Surface& b, double reach);

} // namespace knead
