#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/spatial/surface.hpp"

#include <array>
#include <vector>

namespace knead {

/// An edge of one mesh passing through a face of another.
struct Crossing {
    EdgePoint edge;
    FacePoint face;
    Vec3 position = Vec3::Zero();
    /// The first vertex of the edge is in front of the face, the second behind it.
    bool entering = false;
};

struct Crossings {
    std::vector<Crossing> of_a; ///< edges of a through faces of b, by edge, then along it
    std::vector<Crossing> of_b; ///< edges of b through faces of a

    bool empty() const { return of_a.empty() && of_b.empty(); }
};

/// Memory that `find_crossings` reuses from call to call; nothing in it changes a result.
struct CrossingWorkspace {
    std::vector<std::array<int, 2>> face_pairs;
    std::vector<Crossings> pieces;
};

/// All places where an edge of either mesh passes through a face of the other, by one joint
/// traversal of both trees and exact tests. Touching is not passing through: surfaces in contact
/// are seen as if both had shrunk by an infinitesimal amount, the second more than the first (see
/// `PerturbedPoint`). An edge that passes exactly between two faces goes through one of them.
Crossings find_crossings(const Surface& a, const Surface& b);

/// The same in the memory of an earlier result, for callers that do it every frame. Surfaces that
/// `share_border` are parts of one: an edge and a face that have a corner at the same place do not
/// cross.
void find_crossings(const Surface& a, const Surface& b, Crossings& result,
                    CrossingWorkspace& workspace, bool share_border = false);

/// How many edges have at least one crossing: one that passes through several faces counts once.
int count_crossing_edges(const Crossings& crossings);

} // namespace knead
