#pragma once

#include "knead/base/box.hpp"
#include "knead/base/types.hpp"
#include "knead/mesh/attributes.hpp"

#include <map>
#include <string>
#include <vector>

namespace knead {

/// A triangle mesh: where its vertices are, how faces join them, and what has been painted on them.
///
/// Faces turn counter-clockwise seen from outside. Nothing else is promised: meshes from outside
/// may be open, non-manifold or broken; `check_mesh` tells. What follows from the faces alone
/// (edges, one-rings) is in `Topology`, so that it can be kept while the positions move.
struct TriangleMesh {
    std::vector<Vec3> positions = {};
    std::vector<Triangle> faces = {};
    std::map<std::string, VertexAttribute> attributes = {};
    /// Named sets of vertices, ascending.
    std::map<std::string, std::vector<int>> groups = {};

    int vertex_count() const { return static_cast<int>(positions.size()); }
    int face_count() const { return static_cast<int>(faces.size()); }
};

/// Adds `other` behind `mesh`. An attribute that only one of them has is zero on the other; a group
/// is the union of both.
void append(TriangleMesh& mesh, const TriangleMesh& other);

/// Moves the mesh; mirrors turn the faces over, so that they still look outwards.
void transform(TriangleMesh& mesh, const Affine3& transform);

} // namespace knead
