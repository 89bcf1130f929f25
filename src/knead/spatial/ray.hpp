#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/spatial/surface.hpp"

#include <limits>
#include <optional>

namespace knead {

/// The part of a line from `origin` + `t_min` * `direction` to `origin` + `t_max` * `direction`: a
/// whole line with infinite bounds, a ray by default. The direction need not have unit length.
struct Line {
    Vec3 origin = Vec3::Zero();
    Vec3 direction = Vec3::UnitZ();
    double t_min = 0;
    double t_max = std::numeric_limits<double>::infinity();
};

struct Hit {
    double t = 0;
    FacePoint point;
    Vec3 position = Vec3::Zero();
    bool front = false; ///< the line meets the side that the face's normal points to
};

/// The first and the last face along the line; nothing when it misses, or when its direction is
/// zero or not finite. Watertight: a line through a shared edge or vertex meets at least one of the
/// faces around it. A face seen exactly edge-on is not met.
///
/// S. Woop, C. Benthin and I. Wald, "Watertight Ray/Triangle Intersection", Journal of Computer
/// Graphics Techniques 2(1), 2013.
std::optional<Hit> nearest_hit(const Surface& surface, const Line& line);
std::optional<Hit> farthest_hit(const Surface& surface, const Line& line);

} // namespace knead
