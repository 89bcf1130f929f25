#include "knead/contact/depth_sums.hpp"

#include "knead/base/lanes.hpp"
#include "knead/contact/fades.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace knead {
namespace {

struct LaneSums {
    Lanes4 area{}, depth{}, squares{};
};

// Weights fall from 1 to 0 between the two distances; the places are `count`, a multiple of four.
KNEAD_FOR_AVX2_TOO
void add_weighted(const double* x, const double* y, const double* area, const double* depth,
                  const double* squares, int count, double at_x, double at_y, double squared_far,
                  double per_squared, LaneSums& sums) {
    LaneSums sum = sums;
    for (int i = 0; i < count; i += 4) {
        Lanes4 dx, dy, lane;
        __builtin_memcpy(&dx, x + i, sizeof(dx));
        __builtin_memcpy(&dy, y + i, sizeof(dy));
        dx -= at_x;
        dy -= at_y;
        Lanes4 t = (squared_far - dx * dx - dy * dy) * per_squared;
        t = t > 0 ? t : Lanes4{};
        t = t < 1 ? t : Lanes4{1, 1, 1, 1};
        const Lanes4 weight = t * t * (3 - 2 * t);
        __builtin_memcpy(&lane, area + i, sizeof(lane));
        sum.area += weight * lane;
        __builtin_memcpy(&lane, depth + i, sizeof(lane));
        sum.depth += weight * lane;
        __builtin_memcpy(&lane, squares + i, sizeof(lane));
        sum.squares += weight * lane;
    }
    sums = sum;
}

} // namespace

void DepthSums::rebuild(std::span<const Sample> samples, const Vec3& normal, double near,
                        double far) {
    squared_near_ = near * near;
    squared_far_ = far * far;
    per_squared_ = 1 / (squared_far_ - squared_near_);
    const Vec3 axis = std::abs(normal.x()) < 0.6 ? Vec3(Vec3::UnitX()) : Vec3(Vec3::UnitY());
    x_axis_ = normal.cross(axis).normalized();
    z_axis_ = normal.cross(x_axis_).normalized();
    const std::size_t n = samples.size();
    places_.resize(n);
    double right = -std::numeric_limits<double>::infinity(), upper = right;
    left_ = lower_ = -right;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = x_axis_.dot(samples[i].position), y = z_axis_.dot(samples[i].position);
        places_[i] = {x, y};
        left_ = std::min(left_, x);
        lower_ = std::min(lower_, y);
        right = std::max(right, x);
        upper = std::max(upper, y);
    }
    starts_.clear();
    if (n == 0) return;
    // Small against what is summed up, but not many more cells than samples.
    cell_ =
        std::max({far / 10, std::sqrt((right - left_) * (upper - lower_) / static_cast<double>(n)),
                  std::max(right - left_, upper - lower_) / static_cast<double>(n)});
    if (!(cell_ > 0)) cell_ = 1;
    columns_ = static_cast<int>((right - left_) / cell_) + 1;
    rows_ = static_cast<int>((upper - lower_) / cell_) + 1;

    cells_.resize(n);
    starts_.assign(static_cast<std::size_t>(columns_) * rows_ + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        cells_[i] = row_of(places_[i].y()) * columns_ + column_of(places_[i].x());
        ++starts_[cells_[i] + 1];
    }
    std::inclusive_scan(starts_.begin(), starts_.end(), starts_.begin());
    for (std::vector<double>* values : {&x_, &y_, &area_, &depth_, &squares_}) values->resize(n);
    next_.assign(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        const int place = next_[cells_[i]]++;
        x_[place] = places_[i].x();
        y_[place] = places_[i].y();
        area_[place] = samples[i].area;
        depth_[place] = samples[i].area * samples[i].depth;
        squares_[place] = samples[i].area * samples[i].squared_depth;
    }
    before_.resize(n + 1);
    for (std::size_t i = 0; i < n; ++i)
        before_[i + 1] = {before_[i].area + area_[i], before_[i].depth + depth_[i],
                          before_[i].squares + squares_[i]};
}

int DepthSums::column_of(double x) const {
    return static_cast<int>(std::clamp((x - left_) / cell_, 0.0, columns_ - 1.0));
}

int DepthSums::row_of(double y) const {
    return static_cast<int>(std::clamp((y - lower_) / cell_, 0.0, rows_ - 1.0));
}

// Of every row, the cells that the outer circle reaches; those that are all within the inner one
// are known together.
DepthSums::Sums DepthSums::about(const Vec3& position) const {
    Sums sums;
    if (starts_.empty()) return sums;
    const double x = x_axis_.dot(position), y = z_axis_.dot(position);
    const double far = std::sqrt(squared_far_);
    LaneSums lanes;
    const auto add = [&](int begin, int end) {
        int i = begin + (end - begin) / 4 * 4;
        add_weighted(x_.data() + begin, y_.data() + begin, area_.data() + begin,
                     depth_.data() + begin, squares_.data() + begin, i - begin, x, y, squared_far_,
                     per_squared_, lanes);
        for (; i < end; ++i) {
            const double dx = x_[i] - x, dy = y_[i] - y;
            const double weight =
                fades::depths_about((squared_far_ - dx * dx - dy * dy) * per_squared_);
            sums.area += weight * area_[i];
            sums.depth += weight * depth_[i];
            sums.squares += weight * squares_[i];
        }
    };
    const int last_row = row_of(y + far);
    for (int row = row_of(y - far); row <= last_row; ++row) {
        const double low = lower_ + row * cell_ - y, high = low + cell_;
        const double nearest = std::max({0.0, low, -high}), farthest = std::max(-low, high);
        if (!(nearest < far)) continue;
        const double reach = std::sqrt(squared_far_ - nearest * nearest);
        const int* const starts = &starts_[static_cast<std::size_t>(row) * columns_];
        const int begin = starts[column_of(x - reach)], end = starts[column_of(x + reach) + 1];
        const double within = squared_near_ - farthest * farthest;
        const double full = within > 0 ? std::sqrt(within) / cell_ - 1e-9 : 0;
        const double middle = (x - left_) / cell_;
        const int first =
            static_cast<int>(std::clamp(std::ceil(middle - full), 0.0, 1.0 * columns_));
        const int last =
            static_cast<int>(std::clamp(std::floor(middle + full), 0.0, 1.0 * columns_));
        if (!(within > 0 && first < last)) {
            add(begin, end);
            continue;
        }
        add(begin, starts[first]);
        add(starts[last], end);
        const Sums &from = before_[starts[first]], &to = before_[starts[last]];
        sums.area += to.area - from.area;
        sums.depth += to.depth - from.depth;
        sums.squares += to.squares - from.squares;
    }
    sums.area += sum_of(lanes.area);
    sums.depth += sum_of(lanes.depth);
    sums.squares += sum_of(lanes.squares);
    return sums;
}

} // namespace knead
