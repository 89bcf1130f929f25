#pragma once

#include "knead/base/types.hpp"

#include <span>
#include <vector>

namespace knead {

/// Areas and depths at places of a plane, and their sums about a place. Sorted into cells and held
/// a quantity at a time, so that a sum runs through memory in order, four places at once.
class DepthSums {
public:
    struct Sample {
        Vec3 position; ///< in the plane
        double area = 0;
        double depth = 0;         ///< mean over the sample
        double squared_depth = 0; ///< mean over the sample
    };
    struct Sums {
        double area = 0, depth = 0, squares = 0; ///< the last two times area
    };

    /// Of other samples, in the same memory. All lie in a plane with this normal. A sample counts
    /// fully up to the distance `near`, and from there on less and less until `far`.
    void rebuild(std::span<const Sample> samples, const Vec3& normal, double near, double far);

    /// `position` need not be in the plane.
    Sums about(const Vec3& position) const;

private:
    int column_of(double x) const;
    int row_of(double y) const;

    Vec3 x_axis_ = Vec3::UnitX(), z_axis_ = Vec3::UnitZ();
    double left_ = 0, lower_ = 0, cell_ = 1;
    int columns_ = 0, rows_ = 0;
    double squared_near_ = 0, squared_far_ = 0, per_squared_ = 0;
    std::vector<int> starts_; ///< of each cell, row by row, and the end
    std::vector<double> x_, y_, area_, depth_, squares_;
    std::vector<Sums> before_;      ///< of all samples before each, and of all
    std::vector<int> cells_, next_; ///< of `rebuild`
    std::vector<Vec2> places_;
};

} // namespace knead
