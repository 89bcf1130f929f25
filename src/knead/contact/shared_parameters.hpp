#pragma once

#include "knead/contact/parameter_patch.hpp"

#include <string>

namespace knead {

/// Parameters under which the patches of two meshes have the curve of their intersection in common.
struct SharedParameters {
    std::array<Eigen::MatrixXd, 2> of_vertex; ///< a row of three a patch vertex
    std::string note; ///< why texture coordinates that a mesh brings were not used; else empty
};

/// From the texture coordinates that the meshes bring ([Bru21] ch. 4 sec. 2.1): those of one are
/// brought to those of the other by an affine map, and a harmonic field takes up what that leaves
/// along the curve. A mesh that brings none, or none that are one to one over its patch, is
/// stretched out harmonically between those of the other along the curve; and if both do, each in
/// the curve itself, like a soap film.
SharedParameters shared_parameters(const std::array<PairSide, 2>& sides,
                                   const std::array<ParameterPatch, 2>& patches,
                                   std::span<const CurvePoint> curve);

} // namespace knead
