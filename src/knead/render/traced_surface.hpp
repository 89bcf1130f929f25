#pragma once

#include "knead/base/box.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace knead {

/// A closed surface that finds the crossings of rays by itself, instead of being made of triangles.
/// In world coordinates; called from several threads at once. What a member throws ends the picture
/// and reaches the caller of `render`.
class TracedSurface {
public:
    struct Crossing {
        /// Along the ray. A millionth of the box's diagonal is exact enough; with less, the surface
        /// would throw shadows on itself.
        double t = 0;
        Vec3 normal = Vec3::Zero(); ///< unit, outwards
    };

    virtual ~TracedSurface() = default;
    /// Everything is in it; what is not, is not seen. The camera and the ground go by it, so it had
    /// better be tight. Empty when there is nothing to see.
    virtual Box box() const = 0;
    /// Boxes that together hold all of the surface, so that rays are only followed there; the whole
    /// box where nothing better is known.
    virtual std::vector<Box> boxes() const { return {box()}; }
    /// Where origin + t direction (unit) first goes through the surface, in either direction, for t
    /// in [near, far]. Both are finite: the renderer asks for no more of a ray than what is in one
    /// of the boxes.
    virtual std::optional<Crossing> first_crossing(const Vec3& origin, const Vec3& direction,
                                                   double near, double far) const = 0;
    /// For sections: clip planes ask it about points in the box.
    virtual bool contains(const Vec3& point) const = 0;
    /// What a colour field shows at a point of the surface; NaN is grey.
    virtual double field_at(const Vec3& /*point*/) const {
        return std::numeric_limits<double>::quiet_NaN();
    }
};

} // namespace knead
