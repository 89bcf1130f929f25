#pragma once

#include "knead/implicit/solid_definition.hpp"

#include <array>
#include <span>
#include <vector>

namespace knead {

/// Pairs of solids, by index, that pass through each other.
using PassingPairs = std::vector<std::array<int, 2>>;

/// A solid that is pressed by others.
struct SolidShape {
    std::vector<Vec3> positions = {};   ///< of the samples, in the world
    std::vector<double> pressures = {}; ///< force per area at each; 0 outside contact
    double volume_at_rest = 0;          ///< of the samples' surface, as the others
    double volume_in_contact = 0;       ///< with contact, but no bulge
    double volume = 0;
    bool truncated = false; ///< a bulge ends at the surface between two solids
    int moved = 0;          ///< samples that are not at rest
};

/// The shapes of solids where they are, pressed by each other: no motion and no memory. One a
/// definition, in their order; pairs that are `passing` do nothing to each other. Throws what
/// `SolidSimulation` throws for definitions that cannot be used.
std::vector<SolidShape> deform_solids(std::span<const SolidDefinition> definitions,
                                      const PassingPairs& passing = {});

} // namespace knead
