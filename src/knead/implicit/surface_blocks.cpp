#include "knead/implicit/surface_blocks.hpp"

#include "knead/base/error.hpp"
#include "knead/mesh/isosurface.hpp"

#include <fmt/format.h>

#include <cmath>

namespace knead {
namespace {

constexpr double most_cells = 2e7;
constexpr int cells_in_block = IsosurfaceGrid::cells_per_block * IsosurfaceGrid::cells_per_block *
                               IsosurfaceGrid::cells_per_block;

struct BlockSearch {
    const std::function<bool(const Vec3&, double)>& has_none;
    double box_side;
    IsosurfaceGrid& grid;

    // Blocks of a cube whose side is a power of two of them.
    void search(const std::array<int, 3>& first, int blocks) {
        const double side = blocks * grid.block_size() + grid.cell;
        const Vec3 center = grid.origin + grid.block_size() * Vec3(first[0], first[1], first[2]) +
                            Vec3::Constant(0.5 * side);
        if (has_none(center, 0.5 * std::sqrt(3.0) * (side + grid.cell))) return;
        if (blocks > 1) {
            const int half = blocks / 2;
            for (int i = 0; i < 8; ++i)
                search({first[0] + (i & 1) * half, first[1] + (i >> 1 & 1) * half,
                        first[2] + (i >> 2 & 1) * half},
                       half);
            return;
        }
        grid.blocks.push_back(first);
        if (static_cast<double>(grid.blocks.size()) * cells_in_block > most_cells)
            throw GeometryError(fmt::format(
                "a lattice of cells of {:.3g} over a solid of {:.3g} takes more than {:.0g} cells, "
                "expected larger cells or a solid that is not so thin for its size",
                grid.cell, box_side, most_cells));
    }
};

} // namespace

TriangleMesh surface_in_blocks(const Box& box, double cell,
                               const std::function<bool(const Vec3&, double)>& has_none,
                               const std::function<double(const Vec3&)>& field) {
    IsosurfaceGrid grid;
    grid.cell = cell;
    const Box around = grown(box, 2 * cell);
    grid.origin = around.lower;
    const double size = around.size().maxCoeff(), blocks = size / grid.block_size();
    if (!(size / cell < IsosurfaceGrid::max_cells))
        throw GeometryError(fmt::format("the solid is {:.3g} cells long, expected at most {}",
                                        size / cell, IsosurfaceGrid::max_cells));
    int side = 1;
    while (side < blocks) side *= 2;
    BlockSearch{has_none, size, grid}.search({0, 0, 0}, side);
    return extract_isosurface(grid, field);
}

} // namespace knead
