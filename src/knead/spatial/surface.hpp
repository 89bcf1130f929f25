#pragma once

#include "knead/mesh/topology.hpp"
#include "knead/mesh/triangle_mesh.hpp"
#include "knead/spatial/structure.hpp"
#include "knead/spatial/wide_tree.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace knead {

/// What spatial queries need to know of a mesh that stays the same while its vertices move. Made
/// once per mesh and shared by all its poses.
struct SurfaceStructure {
    std::vector<Triangle> faces;
    Topology topology;
    BoxTree tree;                    ///< over the faces
    WideTree wide_tree;              ///< the same for queries
    bool has_loose_vertices = false; ///< of no face
    Components components;           ///< of a whole mesh; of a part, not listed
    /// Every edge belongs to the first of its faces, so that joint traversals meet it once: bit i
    /// is set where edge i of the face belongs to it.
    std::vector<std::uint8_t> own_edges;
    std::vector<int> border_edges;       ///< those of one face
    std::vector<std::uint8_t> on_border; ///< 1 for the vertices of boundary edges
    /// The faces bound a solid: every edge is passed equally often in both directions. A mesh
    /// without boundary whose faces disagree in orientation has no inside, and counts as open.
    bool closed = false;
    /// The vertices as they are to be eliminated, where that is known already; else empty.
    std::vector<int> elimination_order;
    /// Of each face: one of some thousand cells of neighbours, which fields are summed over.
    std::vector<int> face_cells;
    int cell_count = 0; ///< of a part, that of the whole
};

/// As `make_structure` when the topology of these very faces is known already.
std::shared_ptr<const SurfaceStructure>
make_structure(std::span<const Vec3> positions, std::span<const Triangle> faces, Topology topology);

/// That of some faces of a mesh, or of triangles that they are cut into: `triangles` have vertices
/// of their own and the `topology`, `faces` are those of the mesh that they lie in, ascending. Its
/// tree follows the mesh's, so that it does not depend on any pose.
std::shared_ptr<const SurfaceStructure> part_structure(const SurfaceStructure& whole,
                                                       std::span<const int> faces,
                                                       std::span<const Triangle> triangles,
                                                       Topology topology);

/// A mesh in one pose, ready for queries. Looks at positions that live elsewhere.
struct Surface {
    std::shared_ptr<const SurfaceStructure> structure;
    std::span<const Vec3> positions;
    Box bounds;      ///< around all faces
    WideBoxes boxes; ///< of the wide tree

    const WideTree& tree() const { return structure->wide_tree; }
    const Topology& topology() const { return structure->topology; }
    std::span<const Triangle> faces() const { return structure->faces; }
    bool closed() const { return structure->closed; }
    /// Around all faces; empty when there are none.
    const Box& box() const { return bounds; }
    /// The box of a node of the structure's box tree; at most a millionth of the surface larger
    /// than its faces need.
    Box node_box(int node) const { return knead::node_box(structure->wide_tree, boxes, node); }
    std::array<Vec3, 3> corners(int face) const {
        const Triangle& f = structure->faces[face];
        return {positions[f[0]], positions[f[1]], positions[f[2]]};
    }
    Box face_box(int face) const {
        const Triangle& f = structure->faces[face];
        const Vec3 &a = positions[f[0]], &b = positions[f[1]], &c = positions[f[2]];
        return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
    }
};

/// For a single pose: builds everything. The mesh must outlive the surface.
Surface make_surface(const TriangleMesh& mesh);
Surface make_surface(TriangleMesh&&) = delete;

/// For many poses: only fits the boxes.
Surface make_surface(std::shared_ptr<const SurfaceStructure> structure,
                     std::span<const Vec3> positions);

/// The next pose, in the memory of the last one.
void move(Surface& surface, std::span<const Vec3> positions);

} // namespace knead
