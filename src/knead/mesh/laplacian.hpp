#pragma once

#include "knead/base/sparse.hpp"
#include "knead/mesh/topology.hpp"

#include <span>
#include <vector>

namespace knead {

/// Where the entries of a Laplacian-like matrix lie: one row a vertex, one entry an edge, the lower
/// triangle only. Made once per topology; assembling into it afterwards only writes values.
struct LaplacianPattern {
    SparseMatrix structure;                     ///< all values zero
    std::vector<int> diagonal;                  ///< vertex -> index into the value array
    std::vector<std::array<int, 3>> face_edges; ///< face, side -> index into the value array
};

LaplacianPattern laplacian_pattern(const Topology& topology);

/// The cotangent Laplacian, positive semi-definite: (L f)_i = sum over j of w_ij (f_i - f_j), with
/// w_ij half the sum of the cotangents of the angles opposite to the edge. Faces without area add
/// nothing. `laplacian` takes the pattern's structure unless it has it already, and then it is
/// written in place. `conductivity` is one a face, not negative; empty: 1 everywhere.
void assemble_laplacian(const LaplacianPattern& pattern, std::span<const Vec3> positions,
                        std::span<const Triangle> faces, SparseMatrix& laplacian,
                        std::span<const double> conductivity = {});

/// Mixed Voronoi areas of a triangle's corners: circumcentric, but half the face to an obtuse
/// corner and a quarter to each of the others.
Vec3 voronoi_areas(const Vec3& a, const Vec3& b, const Vec3& c);

enum class MassLumping {
    barycentric, ///< a third of each face's area to each corner
    voronoi      ///< the circumcentric area, mixed at obtuse corners: the same whichever diagonal
                 ///< divides a rectangle
};

/// The diagonal of the mass matrix, written in place.
void assemble_mass(MassLumping lumping, std::span<const Vec3> positions,
                   std::span<const Triangle> faces, std::vector<double>& mass);

} // namespace knead
