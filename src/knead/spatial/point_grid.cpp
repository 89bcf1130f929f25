#include "knead/spatial/point_grid.hpp"

#include <algorithm>
#include <cmath>

namespace knead {

PointGrid::PointGrid(std::span<const Vec3> points, double radius) {
    if (points.empty()) return;
    origin_ = points[0];
    // A radius that vanishes against the points' spread would need more cells than there are
    // numbers.
    double spread = 0;
    for (const Vec3& p : points) spread = std::max(spread, (p - origin_).cwiseAbs().maxCoeff());
    cell_size_ = std::max(radius, 1e-9 * spread);
    if (!(cell_size_ > 0)) cell_size_ = 1;
    entries_.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        entries_.push_back({cell_of(points[i]), static_cast<int>(i)});
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
        return a.cell != b.cell ? a.cell < b.cell : a.index < b.index;
    });
}

PointGrid::Cell PointGrid::cell_of(const Vec3& point) const {
    Cell cell;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = std::floor((point[axis] - origin_[axis]) / cell_size_);
        cell[axis] = static_cast<std::int64_t>(std::clamp(at, -1e15, 1e15));
    }
    return cell;
}

std::array<std::size_t, 2> PointGrid::row(std::int64_t x, std::int64_t y, std::int64_t z_first,
                                          std::int64_t z_last) const {
    const Cell from = {x, y, z_first}, beyond = {x, y, z_last + 1};
    const auto before = [](const Entry& entry, const Cell& cell) { return entry.cell < cell; };
    const auto first = std::lower_bound(entries_.begin(), entries_.end(), from, before);
    const auto last = std::lower_bound(first, entries_.end(), beyond, before);
    return {static_cast<std::size_t>(first - entries_.begin()),
            static_cast<std::size_t>(last - entries_.begin())};
}

} // namespace knead
