#pragma once

#include "knead/base/progress.hpp"
#include "knead/base/types.hpp"

#include <functional>
#include <span>
#include <vector>

namespace knead {

/// Where every vertex of every object is at a time: one list an object. Called from several
/// threads.
using Motion = std::function<std::vector<std::vector<Vec3>>(double time)>;

/// A place in time at which a vertex does not pass from here to there, but jumps.
struct MotionJump {
    double low = 0; ///< it happens after this time
    double high = 0;
    int object = -1; ///< that jumps furthest, measured in its edges; -1 when none does
    int vertex = -1;
    double size = 0;  ///< how far the vertex moves from `low` to `high`
    double edges = 0; ///< the same in edges of its object
};

struct MotionJumps {
    std::vector<MotionJump> jumps; ///< by time; of each step the largest
    /// When there is no jump: what moves at the place that looked most like one.
    MotionJump largest;
};

/// A step is divided until a jump in it lies between two times this fraction of the step apart.
constexpr double jump_resolution = 1e-6;
/// What is smaller than this part of an edge is not looked for.
constexpr double negligible_jump = 1.0 / 2000;

/// Walks through `times` (ascending) and searches every step for a jump.
///
/// A smooth motion moves over an interval about as its neighbours do, each for its length. So
/// the interval is halved, again and again, in which some vertex departs most from its own speed
/// before and after, until none does (the step is smooth) or it is `jump_resolution` of the
/// step: what still moves then has jumped. Speed alone is no jump, and a slow jump is not hidden
/// by something that moves fast elsewhere.
///
/// `edges` is a length for each object, its mean edge, by which its moves are judged. Steps are
/// searched in parallel; the result does not depend on the number of threads.
MotionJumps find_jumps(const Motion& motion, std::span<const double> times,
                       std::span<const double> edges, const Progress& progress = {});

} // namespace knead
