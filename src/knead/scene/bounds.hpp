#pragma once

#include <string_view>

namespace knead {

/// What a number may be.
struct Bounds {
    double low, high;
    bool low_included = true, high_included = true;
    std::string_view words; ///< "a positive number"

    bool contain(double value) const;
};
namespace bounds {
extern const Bounds any, positive, not_negative, zero_to_one, within_zero_to_one;
}

} // namespace knead
