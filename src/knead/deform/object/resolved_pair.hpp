#pragma once

#include "knead/contact/pair_direction.hpp"
#include "knead/deform/object/deform_surface.hpp"

#include <array>
#include <vector>

namespace knead {

/// A pair after its zones, to be settled and separated.
struct ResolvedPair {
    std::array<DeformSurface*, 2> sides{};
    PairDirection way; ///< none when the objects do not intersect
    double certainty = 0;
    /// Of a fold, one a vertex of the object: how much of what is asked for is done there. In the
    /// crease the nearest point of the other side is anywhere. Empty: all.
    std::vector<double> share;
    int contact = -1;           ///< of the frame's
    bool crossing_free = false; ///< is separated at last
};

} // namespace knead
