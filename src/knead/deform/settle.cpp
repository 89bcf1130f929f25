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
    explicit ClearOfBorder(const Surface& surface) : surface_(surface) {
        const Topology& topology = surface.topology();
        for (int e = 0; e < topology.edge_count(); ++e)
            if (topology.is_boundary_edge(e)) edges_.push_back(e);
    }

    double operator()(const Vec3& position, const ClosestPoint& nearest) const {
        const double far = 4 * nearest.squared_distance;
        double border = far;
        for (const int edge : edges_) {
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
    std::vector<int> edges_;
};

// A vertex inside the other side: how far, and where it is nearest to the surface.
struct Inside {
    double depth = 0;
    FacePoint nearest;
};

// By the distance to the surface, which has no jumps; the way out along the inward direction would
// have some, wherever it passes a contour.
Inside find_inside(const SettleSide& side, const Surface& other, const ClearOfBorder& clear,
                   int vertex, double reach) {
    const Vec3& position = side.surface->positions[vertex];
    const double facing =
        side.share_at(vertex) * smoothstep(-side.inward.dot(side.normals[vertex]) / 0.2);
    if (facing == 0) return {};
    ClosestPointOptions options;
    options.max_squared_distance = reach * reach;
    const auto nearest = closest_point(other, position, options);
    if (!nearest || side_of(other, position, *nearest) >= 0) return {};
    const double depth = std::sqrt(nearest->squared_distance);
    // Towards the end of the reach, or an open border, it is less and less of this contact.
    const double belongs = smoothstep(2 - 2 * depth / reach) * clear(position, *nearest);
    return {facing * belongs * depth, nearest->point};
}

} // namespace

void settle(const std::array<SettleSide, 2>& sides, double reach,
            std::array<std::vector<double>, 2>& ways) {
    for (int s = 0; s < 2; ++s) ways[s].assign(sides[s].surface->positions.size(), 0);
    for (int s = 0; s < 2; ++s) {
        const Surface &mine = *sides[s].surface, &other = *sides[1 - s].surface;
        Box box = other.box();
        box.lower.array() -= reach;
        box.upper.array() += reach;
        const ClearOfBorder clear(other);
        std::vector<Inside> inside(mine.positions.size());
        parallel_for(mine.positions.size(), 64, [&](std::size_t v) {
            Box point;
            point.include(mine.positions[v]);
            if (box.overlaps(point))
                inside[v] = find_inside(sides[s], other, clear, static_cast<int>(v), reach);
        });
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
                 std::span<double> room) {
    const Surface& other = *against.surface;
    const ClearOfBorder clear(other);
    parallel_for(raise.size(), 64, [&](std::size_t v) {
        const double length = raise[v].norm();
        if (length == 0) return;
        const Vec3& position = side.surface->positions[v];
        ClosestPointOptions options;
        options.max_squared_distance = std::pow(most_raise * length, 2);
        const auto nearest = closest_point(other, position, options);
        if (!nearest) return;
        // The distance to a surface has no jumps; its direction, or a ray, would have some.
        const bool in_front = side_of(other, position, *nearest) > 0;
        const double free = in_front ? std::sqrt(nearest->squared_distance) : 0;
        // Further away than bulges grow there is no limit; it goes there without a jump.
        const double near = 1 - smoothstep(2 * free / (most_raise * length) - 1);
        if (!(near > 0)) return;
        const double stiffness = relative_stiffness(
            side.stiffness[v], against.stiffness.at(nearest->point, other.faces()));
        const double limit = (1 - stiffness) * free / (length * near);
        // Nor is there one from what lies beyond an open border.
        const double belongs = clear(position, *nearest);
        if (belongs > 0)
            room[v] = std::min(room[v], (limit + most_raise * (1 - belongs)) / belongs);
    });
}

} // namespace knead
