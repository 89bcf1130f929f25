#pragma once

#include "knead/base/types.hpp"

#include <utility>
#include <vector>

namespace knead {

/// The same faces seen from behind: each looks the other way.
inline std::vector<Triangle> turned_over(std::vector<Triangle> faces) {
    for (Triangle& face : faces) std::swap(face[1], face[2]);
    return faces;
}

} // namespace knead
