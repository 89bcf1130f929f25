#pragma once

#include "knead/mesh/topology.hpp"

#include <span>

namespace knead {

/// A mesh at one frame, as the stages of the bulge see it.
struct BulgeMesh {
    std::span<const Vec3> positions;
    std::span<const Vec3> normals; ///< unit length
    std::span<const Triangle> faces;
    const Topology* topology = nullptr;
    std::span<const char> border; ///< 1 for vertices on the border of the working region
    /// One a vertex: how much it counts in the fields of a contact. Empty: all of it.
    std::span<const double> weights = {};
    double edge = 0; ///< mean length of the mesh that this is a part of; 0: it is all of it
};

} // namespace knead
