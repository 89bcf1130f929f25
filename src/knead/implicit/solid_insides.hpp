#pragma once

#include "knead/implicit/solid_frame.hpp"
#include "knead/implicit/solid_simulation.hpp"

#include <vector>

namespace knead {

/// What is in a simulation of solids, for Knead's own rooms: its door shows none of these types.
struct SolidInsides {
    static const std::vector<Solid>& solids(const SolidSimulation& simulation);
    /// At the end of the last step.
    static const std::vector<SolidContact>& contacts(const SolidSimulation& simulation);
    static SolidFrame frame(const SolidSimulation& simulation);
};

} // namespace knead
