#pragma once

#include "knead/mesh/tet_mesh.hpp"

#include <span>
#include <vector>

namespace knead {

/// Where each vertex of a surface is in the elements that carry it.
struct Embedding {
    std::vector<Tetrahedron> nodes;
    std::vector<Vec4> weights; ///< barycentric: they add up to one
};

/// Finite elements around a surface that do not follow it, so that all have the same good shape.
struct Lattice {
    TetMesh mesh;
    /// How much of each element counts: 1 inside the surface, and less where the surface passes
    /// through, so that all elements together have the volume of the surface. Elements of which
    /// next to nothing is inside keep a twentieth, or a solver would not like them.
    std::vector<double> fill;
    Embedding embedding; ///< of the surface's vertices
};

/// A body-centred cubic lattice: the corners and centres of cubes, `cells` of them along the
/// longest side of the surface's box. Two neighbouring centres and an edge of the face between them
/// make a tetrahedron; kept are those inside the surface and those that the surface passes through.
///
/// Parts of the surface that share an element move together: cells must be smaller than the gaps
/// between fingers. Vertices of no face get the nearest element, which they may be outside of.
///
/// Throws InputError for invalid faces, no faces and cells below 1 or far too many; GeometryError
/// for a surface that is open, looks inwards or encloses nothing, and corners that are not finite.
Lattice make_lattice(std::span<const Vec3> positions, std::span<const Triangle> faces, int cells);

} // namespace knead
