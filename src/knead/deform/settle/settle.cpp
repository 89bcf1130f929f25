#include "knead/deform/settle/settle.hpp"

#include "knead/base/parallel.hpp"
#include "knead/contact/contact_surface.hpp"
#include "knead/contact/fades.hpp"
#include "knead/deform/settle/clear_of_border.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// By the distance to the surface, which has no jumps; the way out along the inward direction would
// have some, wherever it passes a contour.
void find_inside(const SettleSide& side, const Surface& other, int vertex, double reach,
                 const ClearOfBorder& clear, Clearance& clearance,
                 std::vector<InsideVertex>& inside) {
    const Vec3& position = side.surface->positions[vertex];
    // At a fold what looks along the direction is on its way round the bend.
    const double share =
        side.share.empty()
            ? 1
            : side.share_at(vertex) *
                  fades::round_the_bend(-side.inward_at(vertex).dot(side.normals[vertex]));
    if (share == 0) return;
    ClosestPointOptions options;
    options.first_face = clearance.near_face(vertex);
    const auto nearest = closest_point(other, position, options);
    if (!nearest) return;
    const double depth = std::sqrt(nearest->squared_distance);
    if (side_of(other, position, *nearest) >= 0) {
        clearance.found(*side.surface, vertex, nearest->point.face, depth);
        return;
    }
    clearance.found(*side.surface, vertex, nearest->point.face);
    if (!(depth < reach)) return;
    // Towards the end of the reach, or an open border, it is less and less of this contact.
    const double belongs = fades::settled_within_reach(depth / reach) * clear(position, *nearest);
    inside.push_back({vertex, share * belongs * depth, nearest->squared_distance, nearest->point});
}

void find_insides(const SettleSide& side, const Surface& other, double reach, Clearance& clearance,
                  std::vector<InsideVertex>& inside) {
    const std::span<const Vec3> positions = side.surface->positions;
    // Behind an open surface there is no wall around what is inside.
    const Box box = other.closed() ? other.box() : grown(other.box(), reach);
    inside.clear();
    const ClearOfBorder clear(other);
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!(clearance.at_least(v) > 0) && box.contains(positions[v]))
            find_inside(side, other, static_cast<int>(v), reach, clear, clearance, inside);
}

} // namespace

void Clearance::reset(std::size_t vertex_count) {
    other_ways_ = 0;
    known_.assign(vertex_count, 0);
    near_face_.assign(vertex_count, -1);
}

void Clearance::found(const Surface& surface, int vertex, int face, double distance) {
    found(surface, vertex, face);
    distance *= 1 - 1e-9; // on the safe side of rounding
    if (!(distance > at_least(vertex))) return;
    const Vec3& center = surface.positions[vertex];
    known_[vertex] = distance + other_ways_;
    stack_.assign(1, vertex);
    while (!stack_.empty()) {
        const int reached = stack_.back();
        stack_.pop_back();
        for (const int next : surface.topology().vertex_vertices[reached]) {
            const double left = distance - (surface.positions[next] - center).norm();
            // What is known well enough is left alone, or most of a mesh would be gone over again
            // and again.
            if (!(left > 1.5 * at_least(next)) || !(left > 0)) continue;
            known_[next] = left + other_ways_;
            stack_.push_back(next);
        }
    }
}

void Clearance::found(const Surface& surface, int vertex, int face) {
    near_face_[vertex] = face;
    for (const int next : surface.topology().vertex_vertices[vertex]) near_face_[next] = face;
}

void SettleWays::reset(std::size_t vertex_count) {
    if (lengths.size() == vertex_count)
        for (const int vertex : vertices) lengths[vertex] = 0;
    else
        lengths.assign(vertex_count, 0);
    vertices.clear();
}

void SettleWays::ask(int vertex, double length) {
    if (!(length > lengths[vertex])) return;
    if (lengths[vertex] == 0) vertices.push_back(vertex);
    lengths[vertex] = length;
}

void SettleState::reset(const std::array<SettleSide, 2>& sides) {
    for (int s = 0; s < 2; ++s) {
        clearances[s].reset(sides[s].surface->positions.size());
        ways[s].reset(sides[s].surface->positions.size());
    }
}

void settle(const std::array<SettleSide, 2>& sides, double reach, SettleState& state) {
    parallel_for(2, 1, [&](std::size_t s) {
        find_insides(sides[s], *sides[1 - s].surface, reach, state.clearances[s], state.inside[s]);
        state.ways[s].reset(sides[s].surface->positions.size());
    });
    for (int s = 0; s < 2; ++s) {
        const Surface& other = *sides[1 - s].surface;
        const SettleSide &side = sides[s], &against = sides[1 - s];
        for (const InsideVertex& inside : state.inside[s]) {
            if (!(inside.depth > 0)) continue;
            const int v = inside.vertex;
            const double offsets =
                side.offset[v] + against.offset.at(inside.nearest, other.faces());
            const double way = inside.depth + std::min(0.0, offsets);
            if (!(way > 0)) continue;
            const double stiffness = relative_stiffness(
                side.stiffness[v], against.stiffness.at(inside.nearest, other.faces()));
            state.ways[s].ask(v, (1 - stiffness) * way);
            // All that is about as near: the nearest alone would leap from wall to wall.
            if (!(stiffness > 0) || against.is_rigid()) continue;
            const double nearest = std::sqrt(inside.squared_distance);
            find_near_faces(other, side.surface->positions[v], fades::as_near.from * nearest,
                            state.near);
            for (const ClosestPoint& near : state.near) {
                const double counts =
                    nearest > 0 ? fades::as_near(std::sqrt(near.squared_distance) / nearest) : 1;
                // With corners at c_i = way b_i / |b|^2 the point with barycentric coordinates b
                // goes exactly as far as it must.
                const Vec3& b = near.point.barycentric;
                const double scale = counts * stiffness * way / b.squaredNorm();
                for (int i = 0; i < 3; ++i) {
                    const int corner = other.faces()[near.point.face][i];
                    state.ways[1 - s].ask(corner, against.share_at(corner) * scale * b[i]);
                }
            }
        }
    }
}

void limit_raise(const SettleSide& side, const SettleSide& against, std::span<const Vec3> raise,
                 double asked, Clearance& clearance, std::span<double> room) {
    const Surface& other = *against.surface;
    const ClearOfBorder clear(other);
    const Box box = other.box();
    const double least_stiffness = against.stiffness.least();
    for (std::size_t v = 0; v < raise.size(); ++v) {
        if (raise[v].isZero(0)) continue;
        const Vec3& position = side.surface->positions[v];
        const double length = raise[v].norm(), far = most_raise * length;
        double within = far;
        // In front, room is at least the vertex's part of the distance.
        if (clearance.at_least(v) > 0 || (other.closed() && !box.contains(position))) {
            const double part = 1 - relative_stiffness(side.stiffness[v], least_stiffness);
            if (asked * length < part * far) within = asked * length / part;
        }
        if (!(clearance.at_least(v) < within)) continue;
        ClosestPointOptions options;
        options.max_squared_distance = within * within;
        options.first_face = clearance.near_face(v);
        const auto nearest = closest_point(other, position, options);
        if (!nearest) continue;
        // The distance to a surface has no jumps; its direction, or a ray, would have some.
        const double distance = std::sqrt(nearest->squared_distance);
        const bool in_front = side_of(other, position, *nearest) > 0;
        clearance.found(*side.surface, static_cast<int>(v), nearest->point.face,
                        in_front ? distance : 0);
        // Further away than bulges grow, in front or behind, there is no limit; it goes there
        // without a jump.
        const double near = 1 - fades::limits_bulge(distance / far);
        if (!(near > 0)) continue;
        const double stiffness = relative_stiffness(
            side.stiffness[v], against.stiffness.at(nearest->point, other.faces()));
        const double free = in_front ? (1 - stiffness) * distance / far : 1 - near;
        const double limit = most_raise * free / near;
        // Nor is there one from what lies beyond an open border.
        const double belongs = clear(position, *nearest);
        if (belongs > 0)
            room[v] = std::min(room[v], (limit + most_raise * (1 - belongs)) / belongs);
    }
}

} // namespace knead
