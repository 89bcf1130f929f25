#pragma once

#include "knead/mesh/attributes.hpp"
#include "knead/scene/spec/painting.hpp"

#include <span>

namespace knead {

/// Paints on what is there, one number a vertex. Throws InputError for a stroke that does not reach
/// the surface, or none of its vertices: it would be lost without a word.
void paint_strokes(std::span<const PaintingStroke> strokes, const Surface& surface,
                   VertexAttribute& map);

} // namespace knead
