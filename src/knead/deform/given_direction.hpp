#pragma once

#include "knead/deform/deform.hpp"
#include "knead/deform/object/resolved_pair.hpp"

namespace knead {

/// How much of a direction that was given is kept, 0 to 1, by what came of it: all while the pair
/// is much less deep in each other than before, nothing where it is as deep, or where a vertex was
/// thrown as far as the smaller side is large. A direction that fits is kept whatever comes of it.
///
/// The pair's sides are posed as before; `after` is where their objects are now, one an object.
double kept_of_given(const ResolvedPair& pair, std::span<const ObjectOutcome> after);

} // namespace knead
