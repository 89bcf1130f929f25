#pragma once

#include "knead/mesh/triangle_mesh.hpp"

#include <array>
#include <functional>
#include <vector>

namespace knead {

/// Where to look for a surface: blocks of cubic cells that may hold a part of it. Block (i, j, k)
/// begins at origin + block_size() * (i, j, k).
struct IsosurfaceGrid {
    static constexpr int cells_per_block = 8;
    /// Cells along one axis that a grid may span.
    static constexpr int max_cells = 1 << 18;

    Vec3 origin = Vec3::Zero();
    double cell = 1;
    std::vector<std::array<int, 3>> blocks;

    double block_size() const { return cell * cells_per_block; }
};

/// The surface where `field`, negative inside, is zero, by marching tetrahedra on the body-centred
/// lattice of the grid's cells and their centres: no ambiguous cases, so the surface is manifold
/// and closed whenever the blocks cover it (a block answers for its cells and the half cell behind
/// their upper sides). Vertices are placed by linear interpolation. `field` is called from several
/// threads.
TriangleMesh extract_isosurface(const IsosurfaceGrid& grid,
                                const std::function<double(const Vec3&)>& field);

} // namespace knead
