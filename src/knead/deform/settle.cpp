#include "knead/deform/settle.hpp"

#include "knead/base/parallel.hpp"
#include "knead/base/smoothstep.hpp"
#include "knead/contact/mapping.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Whether it is the surface itself that is near a point, rather than its border: 0 when `nearest`
// is on the border, 1 when the border is twice as far away. There is no jump where the nearest
// point jumps to the border.
class ClearOfBorder {
public:
    explicit ClearOfBorder(const Surface& surface) : surface_(surface) {}

    double operator()(const Vec3& position, const ClosestPoint& nearest) const {
        const double far = 4 * nearest.squared_distance;
        double border = far;
        for (const int edge : surface_.structure->border_edges) {
            const Edge& ends = surface_.topology().edges[edge];
            const Vec3& from = surface_.positions[ends[0]];
            const Vec3 along = surface_.positions[ends[1]] - from, to = position - from;
            const double squared = along.squaredNorm();
            const double t = squared > 0 ? std::clamp(to.dot(along) / squared, 0.0, 1.0) : 0;
            border = std::min(border, (to - t * along).squaredNorm());
        }
        return border < far ? smoothstep(std::sqrt(border / nearest.squared_distance) - 1) : 1;
    }

private:
    const Surface& surface_;
};

// A vertex inside the other side: how far, and where it is nearest to the surface.
struct Inside {
    double depth = 0;
    FacePoint nearest;
};

// By the distance to the surface, which has no jumps; the way out along the inward direction would
// have some, wherever it passes a contour.
Inside find_inside(const SettleSide& side, const Surface& other, int vertex, double reach,
                   Clearance& clearance) {
    const Vec3& position = side.surface->positions[vertex];
    const double facing =
        side.share_at(vertex) * smoothstep(-side.inward.dot(side.normals[vertex]) / 0.2);
    if (facing == 0) return {};
    ClosestPointOptions options;
    options.first_face = clearance.near_face[vertex];
    const auto nearest = closest_point(other, position, options);
    if (!nearest) return {};
    const double depth = std::sqrt(nearest->squared_distance);
    if (side_of(other, position, *nearest) >= 0) {
        clearance.found(*side.surface, vertex, nearest->point.face, depth);
        return {};
    }
    clearance.found(*side.surface, vertex, nearest->point.face);
    if (!(depth < reach)) return {};
    // Towards the end of the reach, or an open border, it is less and less of this contact.
    const double belongs =
        smoothstep(2 - 2 * depth / reach) * ClearOfBorder(other)(position, *nearest);
    return {facing * belongs * depth, nearest->point};
}

std::vector<Inside> find_insides(const SettleSide& side, const Surface& other, double reach,
                                 Clearance& clearance) {
    const std::span<const Vec3> positions = side.surface->positions;
    // Behind an open surface there is no wall around what is inside.
    const Box box = other.closed() ? other.box() : grown(other.box(), reach);
    std::vector<Inside> inside(positions.size());
    for (std::size_t v = 0; v < positions.size(); ++v)
        if (!(clearance.at_least[v] > 0) && box.contains(positions[v]))
            inside[v] = find_inside(side, other, static_cast<int>(v), reach, clearance);
    return inside;
}

} // namespace

void Clearance::reset(std::size_t vertex_count) {
    at_least.assign(vertex_count, 0);
    near_face.assign(vertex_count, -1);
}

void Clearance::found(const Surface& surface, int vertex, int face, double distance) {
    found(surface, vertex, face);
    if (!(distance > at_least[vertex])) return;
    const Vec3& center = surface.positions[vertex];
    at_least[vertex] = distance;
    stack_.assign(1, vertex);
    while (!stack_.empty()) {
        const int reached = stack_.back();
        stack_.pop_back();
        for (const int next : surface.topology().vertex_vertices[reached]) {
            const double left = distance - (surface.positions[next] - center).norm();
            if (!(left > at_least[next])) continue;
            at_least[next] = left;
            stack_.push_back(next);
        }
    }
}

void Clearance::found(const Surface& surface, int vertex, int face) {
    near_face[vertex] = face;
    for (const int next : surface.topology().vertex_vertices[vertex]) near_face[next] = face;
}

void Clearance::moved(std::span<const Vec3> before, std::span<const Vec3> after, double other_way) {
    for (std::size_t v = 0; v < before.size(); ++v)
        at_least[v] = std::max(0.0, at_least[v] - (after[v] - before[v]).norm() - other_way);
}

void settle(const std::array<SettleSide, 2>& sides, double reach,
            std::array<Clearance, 2>& clearances, std::array<std::vector<double>, 2>& ways) {
    std::array<std::vector<Inside>, 2> insides;
    parallel_for(2, 1, [&](std::size_t s) {
        ways[s].assign(sides[s].surface->positions.size(), 0);
        insides[s] = find_insides(sides[s], *sides[1 - s].surface, reach, clearances[s]);
    });
    for (int s = 0; s < 2; ++s) {
        const Surface& other = *sides[1 - s].surface;
        const std::vector<Inside>& inside = insides[s];
        const SettleSide &side = sides[s], &against = sides[1 - s];
        for (std::size_t v = 0; v < inside.size(); ++v) {
            if (!(inside[v].depth > 0)) continue;
            const double offsets =
                side.offset[v] + against.offset.at(inside[v].nearest, other.faces());
            const double way = inside[v].depth + std::min(0.0, offsets);
            if (!(way > 0)) continue;
            const double stiffness = relative_stiffness(
                side.stiffness[v], against.stiffness.at(inside[v].nearest, other.faces()));
            ways[s][v] = std::max(ways[s][v], (1 - stiffness) * way);
            // With corners at c_i = way b_i / |b|^2 the point with barycentric coordinates b goes
            // exactly as far as it must.
            const Vec3& b = inside[v].nearest.barycentric;
            const double scale = stiffness * way / b.squaredNorm();
            for (int i = 0; i < 3; ++i) {
                const int vertex = other.faces()[inside[v].nearest.face][i];
                double& corner = ways[1 - s][vertex];
                corner = std::max(corner, sides[1 - s].share_at(vertex) * scale * b[i]);
            }
        }
    }
}

void limit_raise(const SettleSide& side, const SettleSide& against, std::span<const Vec3> raise,
                 Clearance& clearance, std::span<double> room) {
    const Surface& other = *against.surface;
    const ClearOfBorder clear(other);
    for (std::size_t v = 0; v < raise.size(); ++v) {
        const double far = most_raise * raise[v].norm();
        if (!(clearance.at_least[v] < far)) continue;
        const Vec3& position = side.surface->positions[v];
        ClosestPointOptions options;
        options.max_squared_distance = far * far;
        options.first_face = clearance.near_face[v];
        const auto nearest = closest_point(other, position, options);
        if (!nearest) continue;
        // The distance to a surface has no jumps; its direction, or a ray, would have some.
        const double distance = std::sqrt(nearest->squared_distance);
        const bool in_front = side_of(other, position, *nearest) > 0;
        clearance.found(*side.surface, static_cast<int>(v), nearest->point.face,
                        in_front ? distance : 0);
        // Further away than bulges grow, in front or behind, there is no limit; it goes there
        // without a jump.
        const double near = 1 - smoothstep(2 * distance / far - 1);
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
