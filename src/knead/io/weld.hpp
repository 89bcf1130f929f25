#pragma once

#include "knead/base/types.hpp"

#include <span>
#include <vector>

namespace knead {

/// Which vertices are one. Welded vertices keep the order of their first appearance.
struct Weld {
    std::vector<int> vertex_of; ///< old vertex -> welded vertex
    std::vector<int> first;     ///< welded vertex -> first old vertex
};

/// Joins rows of `width` numbers that are equal to the last bit (0 and -0 count as equal).
Weld weld_rows(std::span<const double> rows, std::size_t width);

/// Parts what was welded where these rows differ.
void refine(Weld& weld, std::span<const double> rows, std::size_t width);

Weld weld_positions(std::span<const Vec3> positions);

} // namespace knead
