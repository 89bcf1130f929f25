#include "knead/contact/cut_set.hpp"

#include <algorithm>

namespace knead {

bool CutSet::empty() const {
    return std::none_of(inside.begin(), inside.end(), [](char c) { return c != 0; });
}

} // namespace knead
