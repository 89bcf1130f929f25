#pragma once

#include "knead/contact/cut_set.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/winding.hpp"

namespace knead {

/// The parts of two meshes that are inside each other (or behind, where the other is open), cut
/// exactly where edges pass through faces.
struct Intersection {
    std::array<CutSet, 2> parts;
    Crossings crossings;

    bool empty() const { return crossings.empty(); }
};

/// What `intersect` keeps from call to call; nothing in it changes a result.
struct IntersectionWorkspace {
    CrossingWorkspace crossings;
    WindingNumbers winding;
    WindingWorkspace for_winding;
    struct Part {
        std::vector<char> crossed;      ///< one an edge
        std::vector<char> seen, shared; ///< one a vertex
        std::vector<int> stack;
    };
    std::array<Part, 2> parts;
};

/// Of several crossings on one edge, those nearest to each end decide ([Bru21] ch. 4 sec. 1).
/// Surfaces that `share_border` are parts of one: an edge and a face that have a corner at the same
/// place do not cross there.
void intersect(const Surface& first, const Surface& second, Intersection& result,
               IntersectionWorkspace& workspace, bool share_border = false);

} // namespace knead
