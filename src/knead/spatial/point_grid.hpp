#pragma once

#include "knead/base/types.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace knead {

/// Points sorted into cubes, to find those near a place. The order in which they are found depends
/// on the points alone.
class PointGrid {
public:
    PointGrid() = default;
    /// `radius` is the largest distance that will be asked for.
    PointGrid(std::span<const Vec3> points, double radius);

    /// Calls `visit(index)` for every point that may be within the radius of `center`, and some
    /// more.
    template <typename Visit>
    void for_each_near(const Vec3& center, Visit visit) const {
        if (entries_.empty()) return;
        const Cell cell = cell_of(center);
        for (std::int64_t x = -1; x <= 1; ++x)
            for (std::int64_t y = -1; y <= 1; ++y) {
                // Cells along z follow each other.
                const auto [first, last] = row(cell[0] + x, cell[1] + y, cell[2] - 1, cell[2] + 1);
                for (std::size_t i = first; i < last; ++i) visit(entries_[i].index);
            }
    }

private:
    using Cell = std::array<std::int64_t, 3>;
    struct Entry {
        Cell cell;
        int index;
    };

    Cell cell_of(const Vec3& point) const;
    std::array<std::size_t, 2> row(std::int64_t x, std::int64_t y, std::int64_t z_first,
                                   std::int64_t z_last) const;

    std::vector<Entry> entries_; ///< by cell, then by index
    Vec3 origin_ = Vec3::Zero();
    double cell_size_ = 1;
};

} // namespace knead
