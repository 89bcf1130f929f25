#pragma once

#include "knead/base/box.hpp"
#include "knead/contact/fades.hpp"
#include "knead/spatial/closest_point.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace knead {

/// Whether it is the surface itself that is near a point, rather than its border: 0 when `nearest`
/// is on the border, 1 when the border is twice as far away. There is no jump where the nearest
/// point jumps to the border.
class ClearOfBorder {
public:
    explicit ClearOfBorder(const Surface& surface) : surface_(surface) {
        const std::vector<int>& edges = surface.structure->border_edges;
        for (std::size_t i = 0; i < edges.size(); ++i) {
            if (i % edges_per_box == 0) boxes_.emplace_back();
            for (const int vertex : surface.topology().edges[edges[i]])
                boxes_.back().include(surface.positions[vertex]);
        }
    }

    double operator()(const Vec3& position, const ClosestPoint& nearest) const {
        const double far = 4 * nearest.squared_distance;
        const std::vector<int>& edges = surface_.structure->border_edges;
        double border = far;
        for (std::size_t b = 0; b < boxes_.size(); ++b) {
            const Vec3 in_box = position.cwiseMax(boxes_[b].lower).cwiseMin(boxes_[b].upper);
            if ((position - in_box).squaredNorm() > border) continue;
            const std::size_t end = std::min(edges.size(), (b + 1) * edges_per_box);
            for (std::size_t i = b * edges_per_box; i < end; ++i)
                border = std::min(border, squared_distance(position, edges[i]));
        }
        return border < far ? fades::clear_of_border(std::sqrt(border / nearest.squared_distance))
                            : 1;
    }

private:
    static constexpr std::size_t edges_per_box = 16;

    double squared_distance(const Vec3& position, int edge) const {
        const Edge& ends = surface_.topology().edges[edge];
        const Vec3& from = surface_.positions[ends[0]];
        const Vec3 along = surface_.positions[ends[1]] - from, to = position - from;
        const double squared = along.squaredNorm();
        const double t = squared > 0 ? std::clamp(to.dot(along) / squared, 0.0, 1.0) : 0;
        return (to - t * along).squaredNorm();
    }

    const Surface& surface_;
    std::vector<Box> boxes_;
};

} // namespace knead
