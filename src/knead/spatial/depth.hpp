#pragma once

#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/penetration.hpp"
#include "knead/spatial/winding.hpp"

namespace knead {

/// How deep a point is: its distance to the surface when it is inside or behind it in the sense of
/// `Penetration::depth`, otherwise 0.
double depth_of_point(const Surface& surface, const Vec3& point);

/// Memory that `measure_penetration` reuses from call to call; nothing in it changes a result.
struct PenetrationWorkspace {
    Crossings crossings;
    CrossingWorkspace for_crossings;
    WindingNumbers winding;
    WindingWorkspace for_winding;
    std::vector<int> candidates;
};

/// Vertices without a face are no part of a surface and do not count.
Penetration measure_penetration(const Surface& a, const Surface& b);
Penetration measure_penetration(const Surface& a, const Surface& b,
                                PenetrationWorkspace& workspace);

} // namespace knead
