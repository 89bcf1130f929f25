#pragma once

#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/crossings.hpp"
#include "knead/spatial/winding.hpp"

namespace knead {

/// How far two meshes are in each other: the figures by which every method is judged.
struct Penetration {
    /// The largest distance to the other surface of a vertex that is inside it, if it is closed
    /// (winding number above one half), or behind it, if it is open (there only vertices count
    /// whose nearest point is not on its border). 0 when there is none.
    double depth = 0;
    /// Edges of either mesh that pass through at least one face of the other: an edge through
    /// several faces counts once, and touching does not count.
    int crossings = 0;

    /// The vertex that is deepest, the first if several are: of mesh 0 or 1, or -1.
    int deepest_mesh = -1;
    int deepest_vertex = -1;
    ClosestPoint nearest; ///< to the deepest vertex, on the other mesh
};

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

/// For two meshes that are looked at once.
Penetration measure_penetration(const TriangleMesh& a, const TriangleMesh& b);

} // namespace knead
