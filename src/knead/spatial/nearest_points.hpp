#pragma once

#include "knead/spatial/collision_mesh.hpp"

#include <array>

namespace knead {

/// Where two primitives are nearest to each other.
struct NearestPoints {
    /// Of the four vertices of the pair (`vertices_of`), so that the point of the first primitive
    /// less that of the second is the sum of weight times position: positive weights first.
    std::array<double, 4> weights{};
    Vec3 difference = Vec3::Zero(); ///< from the second to the first
    double distance = 0;
    /// The nearest points are inside the face, or inside both edges: not on a border of either.
    bool inside = false;
};

/// Faces without area and edges without length are taken for the segments or points they are. Of
/// parallel edges that run side by side for a while, an end of one is taken. Vertices that the
/// nearest points do not depend on have a weight of exactly zero.
NearestPoints nearest_points(PrimitivePair::Kind kind, const std::array<Vec3, 4>& points);

} // namespace knead
