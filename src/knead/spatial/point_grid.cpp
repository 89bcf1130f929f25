#include "knead/spatial/point_grid.hpp"

#include "knead/base/box.hpp"

#include <cmath>

namespace knead {

void PointGrid::rebuild(std::span<const Vec3> points, double radius) {
    entries_.clear();
    if (points.empty()) return;
    const Box box = bounding_box(points);
    const Vec3 size = box.upper - box.lower;
    origin_ = box.lower;
    // Not more cells than numbers, nor rows than memory: points that are few and far between have
    // larger ones.
    cell_size_ = std::max(radius, 1e-9 * size.maxCoeff());
    if (!(cell_size_ > 0)) cell_size_ = 1;
    const double most_rows = 4096 + 4 * static_cast<double>(points.size());
    while ((std::floor(size.x() / cell_size_) + 1) * (std::floor(size.y() / cell_size_) + 1) >
           most_rows)
        cell_size_ *= 2;
    for (int axis = 0; axis < 3; ++axis) last_cell_[axis] = std::floor(size[axis] / cell_size_);
    rows_ = {static_cast<int>(last_cell_.x()) + 1, static_cast<int>(last_cell_.y()) + 1};

    const auto row_of = [&](const std::array<int, 3>& cell) {
        return cell[0] * rows_[1] + cell[1];
    };
    starts_.assign(static_cast<std::size_t>(rows_[0] * rows_[1]) + 2, 0);
    for (const Vec3& point : points) ++starts_[row_of(cell_of(point)) + 2];
    for (std::size_t row = 2; row < starts_.size(); ++row) starts_[row] += starts_[row - 1];
    entries_.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::array<int, 3> cell = cell_of(points[i]);
        entries_[starts_[row_of(cell) + 1]++] = {cell[2], static_cast<int>(i)};
    }
    for (int row = 0; row < rows_[0] * rows_[1]; ++row)
        std::sort(entries_.begin() + starts_[row], entries_.begin() + starts_[row + 1],
                  [](const Entry& a, const Entry& b) {
                      return a.z != b.z ? a.z < b.z : a.index < b.index;
                  });
}

std::array<int, 3> PointGrid::cell_of(const Vec3& point) const {
    std::array<int, 3> cell;
    for (int axis = 0; axis < 3; ++axis) {
        const double at = std::floor((point[axis] - origin_[axis]) / cell_size_);
        cell[axis] = static_cast<int>(std::clamp(at, -2.0, last_cell_[axis] + 2));
    }
    return cell;
}

} // namespace knead
