#pragma once

#include "knead/base/types.hpp"

#include <functional>
#include <vector>

namespace knead {

struct RemeshSettings {
    /// Target edge length.
    double edge = 0.1;
    /// Rounds that change the connectivity, and as many that only even out the shapes. The first
    /// few do most of the work.
    int rounds = 8;
};

/// Returns the point of the surface near a given point. Called from several threads.
using SurfaceProjection = std::function<Vec3(const Vec3&)>;

/// Remeshes a closed surface so that its triangles are nearly equilateral and of one size: long
/// edges are split, short ones collapsed, edges flipped towards six neighbours a vertex, and
/// vertices moved to the middle of their neighbours, always on the surface [BK04]. Vertices and
/// faces are new; genus and number of components are kept. A GeometryError names the first edge or
/// vertex where the surface is not closed and manifold.
///
/// [BK04] Botsch and Kobbelt, A remeshing approach to multiresolution modeling, SGP 2004, sec. 4.
void remesh(std::vector<Vec3>& positions, std::vector<Triangle>& faces,
            const RemeshSettings& settings, const SurfaceProjection& project);

} // namespace knead
