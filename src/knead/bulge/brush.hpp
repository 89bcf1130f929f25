#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/spatial/surface.hpp"

#include <limits>
#include <vector>

namespace knead {

/// What a brush reaches: a weight a vertex, 1 where it has its full effect and 0 where it has none.
using BrushWeights = std::vector<double>;

enum class BrushDistance {
    geodesic, ///< over the surface: a finger next to the painted one is left alone
    euclidean ///< through space
};

/// A round brush ([Bru21] ch. 5 sec. 5.1).
struct LocalBrush {
    double radius = 0; ///< a length, more than 0
    /// The part of the radius over which the effect vanishes, 0 to 1: 0 is a hard edge, 1 falls off
    /// from the middle on.
    double falloff = 1;
    BrushDistance distance = BrushDistance::geodesic;

    friend bool operator==(const LocalBrush&, const LocalBrush&) = default;
};

/// Throws InputError when the centre is not on the surface or the brush is out of its range.
BrushWeights local_brush(const Surface& surface, const FacePoint& center, const LocalBrush& brush);

/// A brush that reaches everything on the same ways out of a contact: along the gradient of u, from
/// the zone (u = 0) to the end of the deformable region (u = 1), between the two ways that start
/// `radius` to the left and to the right of the centre, along the line of its own u; at least a
/// face wide, and no more than once around.
///
/// Across, nu goes harmonically from 0 on one of the ways to 1 on the other, and the weight is
/// (1 - (2 nu - 1)^2)^2. With several zones whose regions meet, the ways are those of u, not of one
/// zone. Throws InputError when u does not fit the surface or is not between 0 and 1 at the centre.
BrushWeights radial_brush(const Surface& surface, std::span<const double> u,
                          const FacePoint& center, double radius);

/// The plane of a symmetric model.
struct MirrorPlane {
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::UnitX(); ///< any length but 0
};

/// Where a brush is on the other side of the plane: the point of the surface that is nearest to the
/// mirror image of `center`.
FacePoint mirrored(const Surface& surface, const FacePoint& center, const MirrorPlane& plane);

/// Two brushes at once. Where both reach, the stronger counts, so that a stroke across the mirror
/// plane leaves no seam.
BrushWeights together(const BrushWeights& a, const BrushWeights& b);

enum class BrushOperation {
    set,      ///< towards `value`
    add,      ///< by `value`
    subtract, ///< by `value`
    smooth    ///< towards the mean of the neighbours
};

struct BrushStroke {
    BrushOperation operation = BrushOperation::set;
    double value = 1;
    double strength = 1; ///< 0 to 1: how much of it is done
    // What is painted stays within these.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    friend bool operator==(const BrushStroke&, const BrushStroke&) = default;
};

/// Paints on a vertex map. Vertices of weight 0 keep their bits, and the order of vertices does not
/// matter. Throws InputError when sizes do not fit, a number is not finite, or the strength is out
/// of its range.
void paint(const Topology& topology, const BrushWeights& weights, const BrushStroke& stroke,
           std::span<double> map);

} // namespace knead
