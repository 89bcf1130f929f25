#pragma once

#include "knead/base/types.hpp"

#include <vector>

namespace knead {

/// One list of positions an object.
using AllPositions = std::vector<std::vector<Vec3>>;

} // namespace knead
