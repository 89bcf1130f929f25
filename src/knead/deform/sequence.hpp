#pragma once

#include "knead/base/types.hpp"

#include <functional>
#include <span>
#include <vector>

namespace knead {

/// How several contacts of an object go together.
enum class ContactOrder {
    together,      ///< each is resolved on the input alone, and gives way where others are
    deepest_first, ///< each is resolved on what those before it have left
};

/// One list of positions an object.
using AllPositions = std::vector<std::vector<Vec3>>;

/// What contacts have made of the objects.
struct ResolvedObjects {
    AllPositions positions;
    std::vector<double> volume_changes; ///< one an object: what its contacts have added
};

/// The same after contact `contact` alone is resolved, too.
using ResolveOne = std::function<ResolvedObjects(const ResolvedObjects&, int contact)>;

/// Resolves contacts one after the other, the deepest first ([Bru21] ch. 7 sec. 4.2), each on what
/// those before it have left: one that lands on the bulge of another meets it there. `depths` are
/// those of the input, one a contact; `contacts` are the ones that take part.
///
/// Where two are about equally deep both orders are taken and blended, so that nothing jumps when
/// one overtakes the other.
ResolvedObjects resolve_in_sequence(std::span<const int> contacts, std::span<const double> depths,
                                    const AllPositions& positions, const ResolveOne& resolve);

/// More contacts that may reach each other have too many orders.
constexpr int most_in_sequence = 5;

} // namespace knead
