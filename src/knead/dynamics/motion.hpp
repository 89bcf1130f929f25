#pragma once

#include "knead/dynamics/world.hpp"

namespace knead {

/// Where a step that has not been taken yet would end.
struct StepMotion {
    std::vector<Vec3> velocities; ///< one a block
    std::vector<Vec3> goals;      ///< one a vertex: where kinematic ones go
    // What follows from these.
    std::vector<Vec3> positions; ///< one a block
    std::vector<Quat> orientations;
    std::vector<Vec3> surface;
};

/// Fills in where everything is after `seconds`.
void advance(const World& world, const WorldState& state, double seconds, StepMotion& motion);

/// Primitives that may meet while everything moves from where it is to somewhere: found once, good
/// for all motions that hardly leave it.
struct Candidates {
    std::vector<PrimitivePair> pairs;
    std::vector<Vec3> end; ///< of the motion they were found for
    double slack = 0;
    MovingPairsWorkspace workspace;
};

/// Makes sure that the candidates hold all pairs that come within the tolerance.
void cover(const World& world, const WorldState& state, const StepMotion& motion,
           Candidates& candidates, const std::stop_token& stop);

/// The candidates are of another state.
void forget(Candidates& candidates);

/// The last resort: changes a motion that ends in contact, or passes through one, until it does
/// not. Nodes that collide are slowed down, then moved together as impact zones [Provot 1995],
/// then left where they are. Kinematic bodies and pins that leave no room are held back, too:
/// `held` has one number a body, the longest way that it was. Always succeeds: when all else fails,
/// nothing moves.
void hold_back(const World& world, const WorldState& state, double seconds, StepMotion& motion,
               Candidates& candidates, std::vector<double>& held, const std::stop_token& stop);

} // namespace knead
