#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <span>
#include <string>
#include <vector>

namespace knead {

/// What can be wrong with a mesh, in the order in which it is reported. The comment says what
/// `MeshFinding::first` is.
enum class MeshProblem {
    // Errors: the mesh cannot be used.
    empty,               ///< -1
    non_finite_position, ///< vertex
    index_out_of_range,  ///< face
    repeated_index,      ///< face
    // Warnings: messy, but it can be worked with.
    zero_area_face,           ///< face
    non_manifold_edge,        ///< edge of `build_topology`
    non_manifold_vertex,      ///< vertex; those at the end of such an edge are not told again
    inconsistent_orientation, ///< edge of `build_topology`
    duplicate_vertices,       ///< vertex, the second of those at the same place
    unreferenced_vertex,      ///< vertex
    open_boundary,            ///< edge of `build_topology`
    several_components,       ///< vertex, the first outside the first part
    inward_facing             ///< vertex, the first of the first closed part of negative volume
};

struct MeshFinding {
    MeshProblem problem{};
    bool error = false;
    int count = 0; ///< elements with this problem
    int first = -1;
    /// For a person; names the first element and how many more there are.
    std::string sentence = {};
};

/// Everything that is wrong with a mesh; nothing when it is closed, connected and clean. Where
/// indices cannot be trusted, what would follow from them is not looked at.
std::vector<MeshFinding> check_mesh(const TriangleMesh& mesh);

/// Throws an InputError that begins with `where` and names the first face with an index that is out
/// of range or repeated.
void check_indices(const TriangleMesh& mesh, const std::string& where);
void check_indices(std::span<const Triangle> faces, int vertex_count, const std::string& where);

} // namespace knead
