#pragma once

#include "knead/base/adjacency.hpp"
#include "knead/base/types.hpp"

#include <span>
#include <vector>

namespace knead {

/// Everything about a mesh that follows from its faces alone, so that it can be kept while vertices
/// move. Non-manifold edges and inconsistent orientation are represented as they are.
struct Topology {
    int vertex_count = 0;
    /// Smaller vertex first, in lexicographic order.
    std::vector<Edge> edges;
    /// Edge i of a face goes from its corner i to corner i + 1.
    std::vector<std::array<int, 3>> face_edges;
    Adjacency edge_faces;
    Adjacency vertex_faces;
    /// The one-ring: neighbours along edges, ascending.
    Adjacency vertex_vertices;

    int edge_count() const { return static_cast<int>(edges.size()); }
    int face_count() const { return static_cast<int>(face_edges.size()); }
    bool is_boundary_edge(int edge) const { return edge_faces[edge].size() == 1; }
    /// The edge between two vertices, or -1.
    int find_edge(int a, int b) const;
};

/// Throws InputError for an index out of range, or a face with the same vertex twice: all that
/// meshes from outside are put to passes here first.
Topology build_topology(std::span<const Triangle> faces, int vertex_count);

/// The topology of a part of a mesh that a cut runs through, in a third of the time: its triangles
/// come by the `faces` of the whole that they lie in, ascending; those with corners of the whole
/// alone are such a face, with its first corner first, or have its sides. `vertices` are those of
/// the whole, ascending; vertices of the cut come behind them.
Topology part_topology(const Topology& whole, std::span<const Triangle> whole_faces,
                       std::span<const int> vertices, std::span<const int> faces,
                       std::span<const Triangle> triangles, int vertex_count);

/// The last part of it: the one-rings, from the sorted edges.
void list_rings(Topology& topology);

/// Closed chains of boundary edges as vertices in order, the surface to the left. Where the border
/// touches itself at a vertex, a loop goes on around the same fan of faces.
std::vector<std::vector<int>> boundary_loops(const Topology& topology,
                                             std::span<const Triangle> faces);

/// No boundary edge, and at least one face.
bool is_closed(const Topology& topology);

/// Parts joined by edges. A vertex without faces is a part of its own.
struct Components {
    int count = 0;
    std::vector<int> of_vertex;
};
Components connected_components(const Topology& topology);

} // namespace knead
