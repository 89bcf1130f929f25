#pragma once

#include "knead/bulge/brush.hpp"
#include "knead/scene/format/scene_paths.hpp"

#include <optional>
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

/// A vertex map that is written in the scene: what is there before, and strokes on it, one after
/// the other.
struct Painting {
    double base = 0; ///< everywhere
    /// One value a vertex, instead of `base`.
    std::optional<SceneFile> base_file;
    std::vector<PaintingStroke> strokes;
};

} // namespace knead
