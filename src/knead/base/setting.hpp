#pragma once

#include "knead/base/bounds.hpp"

namespace knead {

/// A number that a person can set. Its name, default and bounds stand in one place of the library,
/// from where its own checks, the scene reader, and programs that offer it take them.
struct Setting {
    std::string_view name; ///< as in a scene file, below its object or contact: "profile.end_at"
    double otherwise;      ///< what holds without it; not a number where that is worked out
    Bounds bounds;
};

constexpr double worked_out = std::numeric_limits<double>::quiet_NaN();

} // namespace knead
