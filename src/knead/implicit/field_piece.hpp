#pragma once

#include "knead/base/types.hpp"
#include "knead/implicit/field_function.hpp"

#include <vector>

namespace knead {

/// A skeleton and the field that it generates.
struct FieldPiece {
    enum class Shape {
        point,     ///< one point
        chain,     ///< consecutive points are joined: a segment, a polyline, a sampled curve
        triangles, ///< three points each
    };
    enum class Kind {
        distance,    ///< the function of the distance to the nearest point of the skeleton
        convolution, ///< the integral over the skeleton; of a point, which has no length, the same
    };

    Shape shape = Shape::point;
    std::vector<Vec3> points = {};
    FieldFunction function = {};
    Kind kind = Kind::distance;
};

} // namespace knead
