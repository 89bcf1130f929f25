#pragma once

#include "knead/contact/mapping.hpp"
#include "knead/spatial/point_grid.hpp"

namespace knead {

/// The ball that rolls inside an elastic mesh pressed onto a rigid one ([Bru21] ch. 4 sec. 4.1):
/// what it can touch of the contact surface stays in contact. A stiffer mesh has a larger ball.
///
/// The papers ask which vertices are in the ball. Here a place knows the largest ball that fits,
/// which changes smoothly in time where yes and no would not, so that the border of the zone is
/// found by interpolation like that of every other criterion.
struct RollingBall {
    std::vector<Vec3> projected; ///< the mesh, its mapping region put on the rigid mesh
    PointGrid grid;
    double radius = 1;
};

RollingBall make_rolling_ball(const PairSide& side, const Mapping& mapping, double radius);

/// How far the one-ring of a vertex rises above the plane through it: nothing up to there is met,
/// since the ball would otherwise touch the faces it stands on.
double ring_lift(const RollingBall& ball, const Topology& topology, int vertex, const Vec3& into);

/// What is left until the ball that stands on `place` meets something: 0 when it just does, at most
/// 1/2. `into` is the unit normal that points into the elastic mesh.
double ball_clearance(const RollingBall& ball, const Vec3& place, const Vec3& into, double lift);

} // namespace knead
