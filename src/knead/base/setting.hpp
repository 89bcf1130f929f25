#pragma once

#include <limits>
#include <string_view>

namespace knead {

/// What a number may be. It is never infinite: that is what the other end of an open range means.
struct Bounds {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_included = true, high_included = true;
    std::string_view words = {}; ///< "a positive number"

    constexpr bool contain(double value) const {
        return (low_included ? value >= low : value > low) &&
               (high_included ? value <= high : value < high);
    }
};

namespace bounds {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Bounds any{-infinity, infinity, false, false, "a number"};
constexpr Bounds positive{0, infinity, false, false, "a positive number"};
constexpr Bounds not_negative{0, infinity, true, false, "a number of at least 0"};
constexpr Bounds zero_to_one{0, 1, true, true, "a number from 0 to 1"};
constexpr Bounds within_zero_to_one{0, 1, false, false, "a number between 0 and 1"};
} // namespace bounds

/// A number that a person can set. Its name, default and bounds stand in one place of the library,
/// from where its own checks, the scene reader, and programs that offer it take them.
struct Setting {
    /// As in a scene file, below its object or contact: "profile.end_at".
    std::string_view name = {};
    /// What holds without it; not a number where that is worked out.
    double otherwise = std::numeric_limits<double>::quiet_NaN();
    Bounds bounds = {};
};

constexpr double worked_out = std::numeric_limits<double>::quiet_NaN();

} // namespace knead
