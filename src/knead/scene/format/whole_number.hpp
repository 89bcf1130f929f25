#pragma once

#include <cmath>
#include <optional>

namespace knead {

/// A number that is to be written without a point; nothing if it is not whole.
inline std::optional<long long> whole_number(double value) {
    if (!(std::abs(value) < 1e15)) return std::nullopt;
    const auto whole = static_cast<long long>(value);
    if (static_cast<double>(whole) != value) return std::nullopt;
    return whole;
}

} // namespace knead
