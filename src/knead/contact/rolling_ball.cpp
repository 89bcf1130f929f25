#include "knead/contact/rolling_ball.hpp"

#include <algorithm>

namespace knead {
namespace {

// Balls larger than this many times the one that is asked for are all the same.
constexpr double largest_ball = 2;

} // namespace

RollingBall make_rolling_ball(const PairSide& side, const Mapping& mapping, double radius) {
    const std::span<const Vec3> positions = side.surface->positions;
    const auto& inside = mapping.region.inside;
    RollingBall ball;
    ball.radius = radius;
    ball.projected.assign(positions.begin(), positions.end());
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (inside[v]) ball.projected[v] += mapping.of_vertex[v].gap * mapping.of_vertex[v].inward;
    // A point at the distance d meets balls of a radius from d / 2 on.
    ball.grid = PointGrid(ball.projected, 2 * largest_ball * radius);
    return ball;
}

double ring_lift(const RollingBall& ball, const Topology& topology, int vertex, const Vec3& into) {
    double lift = 0;
    for (const int neighbour : topology.vertex_vertices[vertex])
        lift = std::max(lift, into.dot(ball.projected[neighbour] - ball.projected[vertex]));
    return lift;
}

double ball_clearance(const RollingBall& ball, const Vec3& place, const Vec3& into, double lift) {
    // The ball that touches the plane through `foot` and passes a point has the radius
    // d^2 / (2 h), with d the point's distance from `foot` and h its height above the plane.
    const Vec3 foot = place + lift * into;
    double curvature = 1 / (largest_ball * ball.radius);
    ball.grid.for_each_near(foot, [&](int vertex) {
        const Vec3 way = ball.projected[vertex] - foot;
        const double height = into.dot(way);
        if (height > 0) curvature = std::max(curvature, 2 * height / way.squaredNorm());
    });
    return 1 - ball.radius * curvature;
}

} // namespace knead
