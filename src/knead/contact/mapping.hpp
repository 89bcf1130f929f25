#pragma once

#include "knead/contact/cut_set.hpp"
#include "knead/contact/mapped_point.hpp"

#include <optional>

namespace knead {

/// Maps a point of one mesh onto the other: the farthest point along its inward direction, no
/// further than its reach, where the surfaces face each other. What the direction only grazes on
/// its way counts less than what it meets before that. Nothing when there is none.
std::optional<MappedPoint> map_point(const PairSide& other, const SidePoint& from);

/// The part of a mesh that can be mapped onto the other.
struct Mapping {
    CutSet region;
    std::vector<MappedPoint> of_vertex; ///< where `region.inside`
    std::vector<MappedPoint> of_edge;   ///< where the border cuts the edge
    bool own_directions = false;        ///< every point goes its own way, not all along the side's
};

/// Memory of `map_side`.
struct MappingWorkspace {
    std::vector<char> seen; ///< one a vertex
    std::vector<int> stack;
};

/// How far a vertex has gone through the other mesh on its `way`, against what is deep there or
/// long: 0 to 1. An edge may pass through the other mesh more than once: when a vertex goes in, the
/// whole way to the next crossing is inside at once, and when it goes out, outside. The border of a
/// region can be moved there by this instead.
double gone_through(double way, double deepest, double edge_length);
/// The same for a vertex outside of the other mesh, by its distance.
double gone_out(const Surface& other, const Vec3& position, double deepest, double edge_length);

/// The mapping region of one side ([BBG21] sec. 4.2): what of its intersection part faces the other
/// mesh, and what is met from there on. It ends where the mesh leaves the other, on the contour
/// seen along the mapping direction, or where the line along it misses the other mesh. Of surfaces
/// that `share_border` all is looked at: what is inside is not sure next to that border, and what
/// comes in would bring all that is met from there at once.
Mapping map_side(const PairSide& side, const PairSide& other, const CutSet& part,
                 bool share_border = false);
/// The same in the memory of another.
void map_side(const PairSide& side, const PairSide& other, const CutSet& part, bool share_border,
              MappingWorkspace& workspace, Mapping& result);

} // namespace knead
