#pragma once

#include <nlohmann/json.hpp>

#include <cmath>

namespace knead {

/// A number as it is written to a file: whole ones without a point.
inline nlohmann::ordered_json json_number(double value) {
    if (!(std::abs(value) < 1e15)) return value;
    const auto whole = static_cast<long long>(value);
    if (static_cast<double>(whole) == value) return whole;
    return value;
}

} // namespace knead
