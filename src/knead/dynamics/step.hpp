#pragma once

#include "knead/dynamics/contact_set.hpp"
#include "knead/dynamics/motion.hpp"
#include "knead/solve/condensed_anticipation.hpp"
#include "knead/solve/iterative_anticipation.hpp"

namespace knead {

/// Memory of a step, and what stays the same from one to the next; nothing in it changes a result.
struct StepWorkspace {
    LinearSystem system;
    ContactSet contacts;
    StepMotion motion;
    Candidates candidates;
    AnticipationWorkspace anticipation;
    CondensedWorkspace condensed;
    std::vector<PrimitivePair> close_pairs;
    std::vector<NearestPoints> nearest;
    std::vector<Impact> impacts, near_impacts;
    std::vector<Vec3> free_surface, impulses, surface_velocities;
    WorldState tentative;
    std::vector<double> held; ///< of this step; see `hold_back`
};

/// Constraint manifold refinement [OTSG09] sec. 4: takes the state on by `input.seconds`, in halves
/// where it has to. Throws Cancelled on a stop request, with the state anywhere on the way.
void take_step(const World& world, const StepInput& input, const std::stop_token& stop,
               WorldState& state, StepWorkspace& workspace, StepReport& report);

} // namespace knead
