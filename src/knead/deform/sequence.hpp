#pragma once

#include "knead/deform/object/all_positions.hpp"

#include <array>
#include <functional>
#include <span>
#include <vector>

namespace knead {

/// What contacts have made of the objects.
struct ResolvedObjects {
    AllPositions positions;
    std::vector<double> volume_changes; ///< one an object: what its contacts have added
};

/// The same after contact `contact` alone is resolved, too.
using ResolveOne = std::function<ResolvedObjects(const ResolvedObjects&, int contact)>;

/// Contacts that may change what another one of them finds, in the order of the list.
struct ContactSequence {
    std::vector<int> contacts;
    /// One a contact, 0 to 1: how near its objects and those of another contact on one of them are
    /// to each other. It comes in from 0, so that nothing jumps when a contact joins.
    std::vector<double> nearness;
    double deepest = 0; ///< what depths are measured by
};

/// How far the objects of a contact are from each other, or any number of `reach` or more.
using DistanceOfContact = std::function<double(int contact, double reach)>;

/// A longer one has too many orders.
constexpr int most_in_sequence = 5;

/// Which contacts are to be resolved one after the other: those whose objects may touch and that
/// are linked by sharing objects that move. One that is linked to no other is in none. `objects`
/// are the two of every contact, `depths` are those of the input; `moves` is one an object. Throws
/// InputError when more than `most_in_sequence` are linked.
std::vector<ContactSequence> find_sequences(std::span<const std::array<int, 2>> objects,
                                            std::span<const double> depths,
                                            const DistanceOfContact& distance,
                                            std::span<const char> moves);

/// Resolves contacts one after the other, the deepest first ([Bru21] ch. 7 sec. 4.2), each on what
/// those before it have left: one that lands on the bulge of another meets it there. `depths` are
/// those of the input, one a contact.
///
/// Where two are about equally deep both orders are taken and blended, so that nothing jumps when
/// one overtakes the other.
ResolvedObjects resolve_in_sequence(const ContactSequence& sequence, std::span<const double> depths,
                                    const ResolvedObjects& before, const ResolveOne& resolve);

} // namespace knead
