#pragma once

#include "knead/base/types.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace knead {

/// Points sorted into cubes, to find those near a place. The order in which they are found depends
/// on the points alone.
class PointGrid {
public:
    PointGrid() = default;
    /// `radius` is the largest distance that will be asked for.
    PointGrid(std::span<const Vec3> points, double radius) { rebuild(points, radius); }
    /// Of other points, in the same memory.
    void rebuild(std::span<const Vec3> points, double radius);

    /// Calls `visit(index)` for every point that may be within the radius of `center`, and some
    /// more.
    template <typename Visit>
    void for_each_near(const Vec3& center, Visit visit) const {
        visit_until(center, [&](int index) {
            visit(index);
            return false;
        });
    }
    /// The same until a visit says true, from the middle outwards.
    template <typename Visit>
    void visit_until(const Vec3& center, Visit visit) const {
        if (entries_.empty()) return;
        const std::array<int, 3> cell = cell_of(center);
        for (const int dx : {0, -1, 1})
            for (const int dy : {0, -1, 1}) {
                const int x = cell[0] + dx, y = cell[1] + dy;
                if (x < 0 || y < 0 || x >= rows_[0] || y >= rows_[1]) continue;
                const int row = x * rows_[1] + y;
                const auto end = entries_.begin() + starts_[row + 1];
                auto entry = std::lower_bound(entries_.begin() + starts_[row], end, cell[2] - 1,
                                              [](const Entry& e, int z) { return e.z < z; });
                for (; entry != end && entry->z <= cell[2] + 1; ++entry)
                    if (visit(entry->index)) return;
            }
    }

private:
    struct Entry {
        int z; ///< its cell's
        int index;
    };

    /// At most two cells away from those of the points.
    std::array<int, 3> cell_of(const Vec3& point) const;

    // Rows of cells along z, each as long as it has points.
    std::array<int, 2> rows_{};
    std::vector<int> starts_;
    std::vector<Entry> entries_; ///< by row, then along it, then by index
    Vec3 origin_ = Vec3::Zero();
    Vec3 last_cell_ = Vec3::Zero();
    double cell_size_ = 1;
};

} // namespace knead
