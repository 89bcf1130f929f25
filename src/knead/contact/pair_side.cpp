#include "knead/contact/pair_side.hpp"

namespace knead {

Vec3 PairSide::inward_of(const Triangle& face) const {
    if (!directions) return inward;
    const Vec3 sum = inward_at(face[0]) + inward_at(face[1]) + inward_at(face[2]);
    const double length = sum.norm();
    return length > 1e-9 ? Vec3(sum / length) : inward_at(face[0]);
}

SidePoint point_at(const PairSide& side, int vertex) {
    SidePoint point{side.surface->positions[vertex], side.normals[vertex],  side.inward_at(vertex),
                    side.reach_at(vertex),           side.has_directions(), side.stiffness[vertex],
                    side.apparent_stiffness[vertex], side.offset[vertex]};
    if (!side.stiffness_gradients.empty())
        point.stiffness_gradient = side.stiffness_gradients[vertex];
    if (!side.offset_gradients.empty()) point.offset_gradient = side.offset_gradients[vertex];
    return point;
}

SidePoint point_at(const PairSide& side, const Edge& ends, double t) {
    const auto between = [&](std::span<const Vec3> values) -> Vec3 {
        return (1 - t) * values[ends[0]] + t * values[ends[1]];
    };
    SidePoint point{between(side.surface->positions),
                    between(side.normals).normalized(),
                    side.inward,
                    side.reach,
                    side.has_directions(),
                    side.stiffness.at(ends, t),
                    side.apparent_stiffness.at(ends, t),
                    side.offset.at(ends, t)};
    if (side.has_directions()) {
        point.inward =
            ((1 - t) * side.inward_at(ends[0]) + t * side.inward_at(ends[1])).normalized();
        point.reach = (1 - t) * side.reach_at(ends[0]) + t * side.reach_at(ends[1]);
    }
    if (!side.stiffness_gradients.empty())
        point.stiffness_gradient = between(side.stiffness_gradients);
    if (!side.offset_gradients.empty()) point.offset_gradient = between(side.offset_gradients);
    return point;
}

} // namespace knead
