#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <optional>

namespace knead::quality {

/// Where a mesh is cut by a plane into two, and what the section there is like: an ellipse with the
/// same second moments.
struct Section {
    double length = 0; ///< all around
    Vec3 center = Vec3::Zero();
    /// Along the longer half axis, the plane's normal, and along the shorter one.
    Mat3 axes = Mat3::Identity();
    std::array<double, 2> half_axes{}; ///< the longer one first
};

/// The thinnest part of a closed mesh: the shortest closed section by planes of thirteen directions
/// that leaves at least a twentieth of the area on both sides, so that the tip of an ear is none.
/// Nothing where there is no such section.
std::optional<Section> thinnest_section(const TriangleMesh& mesh);

} // namespace knead::quality
