#pragma once

#include "knead/bulge/brush.hpp"
#include "knead/mesh/attributes.hpp"

#include <string>
#include <vector>

namespace knead {

/// A touch of the local brush at the point of the mesh that is nearest to `at`.
struct PaintingStroke {
    Vec3 at = Vec3::Zero(); ///< object space
    LocalBrush brush;
    BrushStroke stroke;
    std::string where; ///< the stroke's key in the scene file, to begin messages with

    bool does_the_same_as(const PaintingStroke& other) const {
        return at == other.at && brush == other.brush && stroke == other.stroke;
    }
};

/// A vertex map that is written in the scene: what is everywhere, and strokes on it, one after the
/// other.
struct Painting {
    double base = 0;
    std::vector<PaintingStroke> strokes;
};

/// Throws InputError for a stroke that does not reach the surface, or none of its vertices: it
/// would be lost without a word.
VertexAttribute paint_map(const Painting& painting, const Surface& surface);

/// The same for strokes that come on top of what is there.
void paint_strokes(std::span<const PaintingStroke> strokes, const Surface& surface,
                   VertexAttribute& map);

} // namespace knead
