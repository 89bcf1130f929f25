#pragma once

#include "knead/mesh/surface_point.hpp"
#include "knead/mesh/triangle_mesh.hpp"

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
    ClosestPoint nearest = {}; ///< to the deepest vertex, on the other mesh
};

/// Of two meshes as they are. Vertices without a face are no part of a surface and do not count.
Penetration measure_penetration(const TriangleMesh& a, const TriangleMesh& b);

} // namespace knead
