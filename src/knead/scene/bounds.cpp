#include "knead/scene/bounds.hpp"

#include <limits>

namespace knead {
namespace bounds {
namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}
const Bounds any{-infinity, infinity, false, false, "a number"};
const Bounds positive{0, infinity, false, false, "a positive number"};
const Bounds not_negative{0, infinity, true, false, "a number of at least 0"};
const Bounds zero_to_one{0, 1, true, true, "a number from 0 to 1"};
const Bounds within_zero_to_one{0, 1, false, false, "a number between 0 and 1"};
} // namespace bounds

bool Bounds::contain(double value) const {
    return (low_included ? value >= low : value > low) &&
           (high_included ? value <= high : value < high);
}

} // namespace knead
