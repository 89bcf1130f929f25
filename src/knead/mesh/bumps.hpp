#pragma once

#include "knead/mesh/triangle_mesh.hpp"

namespace knead {

/// Moves vertices along their normals by a smooth sum of sines of where they are: by at most
/// `amplitude`, with bumps about half a `wavelength` (positive) wide. The same for every mesh in
/// one place, however it is triangulated.
void add_bumps(TriangleMesh& mesh, double amplitude, double wavelength);

} // namespace knead
