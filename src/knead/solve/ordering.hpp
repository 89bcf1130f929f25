#pragma once

#include "knead/base/sparse.hpp"

#include <vector>

namespace knead {

/// The unknowns in a good order of elimination, by METIS's nested dissection: `order[i]` is the
/// i-th to be eliminated. Only the pattern of the lower triangle matters. The same pattern gives
/// the same order whatever ran before, and several threads may ask at once.
std::vector<int> nested_dissection_order(const SparseMatrix& lower);

} // namespace knead
