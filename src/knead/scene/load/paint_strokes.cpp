#include "knead/scene/load/paint_strokes.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/spatial/closest_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

void paint_strokes(std::span<const PaintingStroke> strokes, const Surface& surface,
                   VertexAttribute& map) {
    for (const PaintingStroke& stroke : strokes) {
        const std::string radius = shortest(stroke.brush.radius);
        const std::optional<ClosestPoint> middle = closest_point(surface, stroke.at);
        if (!middle)
            throw InputError(stroke.where + ": the mesh has no faces, expected some to paint on");
        const double distance = std::sqrt(middle->squared_distance);
        if (distance > stroke.brush.radius)
            throw InputError(fmt::format("{}: found a point that is {:.4g} away from the mesh, "
                                         "expected at most its radius, {}",
                                         stroke.where, distance, radius));
        const BrushWeights weights = local_brush(surface, middle->point, stroke.brush);
        if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; }))
            throw InputError(
                fmt::format("{}: no vertex is within its radius, {}, expected a larger one",
                            stroke.where, radius));
        paint(surface.topology(), weights, stroke.stroke, map.values);
    }
}

} // namespace knead
