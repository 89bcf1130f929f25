#pragma once

#include "knead/bulge/bulge_workspace.hpp"
#include "knead/mesh/vertex_number.hpp"

namespace knead {

/// Quantities of vertices smoothed over the surface, by two implicit steps of heat flow: what
/// changes over less than `length` is gone, and what changes over several lengths stays. Where the
/// length is 0 all of it stays.
/// `workspace` is that of the mesh.
Eigen::MatrixXd smoothed(std::span<const Vec3> positions, std::span<const Triangle> faces,
                         Eigen::MatrixXd values, const VertexNumber& length,
                         BulgeWorkspace& workspace);
std::vector<Vec3> smoothed(std::span<const Vec3> positions, std::span<const Triangle> faces,
                           std::span<const Vec3> values, const VertexNumber& length,
                           BulgeWorkspace& workspace);

} // namespace knead
