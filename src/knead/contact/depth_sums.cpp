#include "knead/contact/depth_sums.hpp"

#include "knead/base/smoothstep.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace knead {
namespace {

using Lanes = Eigen::Array<double, 4, 1>;

Lanes load(const std::vector<double>& values, int first) {
    return Eigen::Map<const Lanes>(values.data() + first);
}

} // namespace

DepthSums::DepthSums(std::span<const Sample> samples, const Vec3& normal, double near, double far)
    : squared_far_(far * far), per_squared_(1 / (far * far - near * near)) {
    const Vec3 axis = std::abs(normal.x()) < 0.6 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
    x_axis_ = normal.cross(axis).normalized();
    z_axis_ = normal.cross(x_axis_).normalized();
    const std::size_t n = samples.size();
    std::vector<double> x(n), y(n);
    double right = -std::numeric_limits<double>::infinity(), upper = right;
    left_ = lower_ = -right;
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = x_axis_.dot(samples[i].position);
        y[i] = z_axis_.dot(samples[i].position);
        left_ = std::min(left_, x[i]);
        lower_ = std::min(lower_, y[i]);
        right = std::max(right, x[i]);
        upper = std::max(upper, y[i]);
    }
    if (n == 0) return;
    // Small against what is summed up, but not many more cells than samples.
    cell_ =
        std::max({far / 5, std::sqrt((right - left_) * (upper - lower_) / static_cast<double>(n)),
                  std::max(right - left_, upper - lower_) / static_cast<double>(n)});
    if (!(cell_ > 0)) cell_ = 1;
    columns_ = static_cast<int>((right - left_) / cell_) + 1;
    rows_ = static_cast<int>((upper - lower_) / cell_) + 1;

    std::vector<int> cell(n);
    starts_.assign(static_cast<std::size_t>(columns_) * rows_ + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        cell[i] = row_of(y[i]) * columns_ + column_of(x[i]);
        ++starts_[cell[i] + 1];
    }
    std::inclusive_scan(starts_.begin(), starts_.end(), starts_.begin());
    for (std::vector<double>* values : {&x_, &y_, &area_, &depth_, &squares_}) values->resize(n);
    std::vector<int> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        const int place = next[cell[i]]++;
        x_[place] = x[i];
        y_[place] = y[i];
        area_[place] = samples[i].area;
        depth_[place] = samples[i].area * samples[i].depth;
        squares_[place] = samples[i].area * samples[i].squared_depth;
    }
}

int DepthSums::column_of(double x) const {
    return static_cast<int>(std::clamp((x - left_) / cell_, 0.0, columns_ - 1.0));
}

int DepthSums::row_of(double y) const {
    return static_cast<int>(std::clamp((y - lower_) / cell_, 0.0, rows_ - 1.0));
}

DepthSums::Sums DepthSums::about(const Vec3& position) const {
    Sums sums;
    if (starts_.empty()) return sums;
    const double x = x_axis_.dot(position), y = z_axis_.dot(position);
    const double far = std::sqrt(squared_far_);
    const int first_column = column_of(x - far), last_column = column_of(x + far);
    const int first_row = row_of(y - far), last_row = row_of(y + far);
    Lanes area = Lanes::Zero(), depth = Lanes::Zero(), squares = Lanes::Zero();
    for (int row = first_row; row <= last_row; ++row) {
        int i = starts_[static_cast<std::size_t>(row) * columns_ + first_column];
        const int end = starts_[static_cast<std::size_t>(row) * columns_ + last_column + 1];
        for (; i + 4 <= end; i += 4) {
            const Lanes dx = load(x_, i) - x, dy = load(y_, i) - y;
            const Lanes t = ((squared_far_ - dx * dx - dy * dy) * per_squared_).max(0.0).min(1.0);
            const Lanes weight = t * t * (3.0 - 2.0 * t);
            area += weight * load(area_, i);
            depth += weight * load(depth_, i);
            squares += weight * load(squares_, i);
        }
        for (; i < end; ++i) {
            const double dx = x_[i] - x, dy = y_[i] - y;
            const double weight = smoothstep((squared_far_ - dx * dx - dy * dy) * per_squared_);
            sums.area += weight * area_[i];
            sums.depth += weight * depth_[i];
            sums.squares += weight * squares_[i];
        }
    }
    sums.area += area.sum();
    sums.depth += depth.sum();
    sums.squares += squares.sum();
    return sums;
}

} // namespace knead
