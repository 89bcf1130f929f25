#pragma once

#include "knead/base/progress.hpp"
#include "knead/render/render.hpp"
#include "knead/scene/scene_state.hpp"

#include <optional>
#include <string>

namespace knead {

struct PictureSettings {
    int width = 960;
    int height = 540;
    int samples = 8;
    std::string field; ///< "depth", "displacement" or a vertex attribute; empty: object colours
    bool wireframe = false;
    bool flat = false;
    bool ghost = false; ///< the input, faintly, behind the output
    bool input = false; ///< the input instead of the output
    std::optional<ClipPlane> clip;
    std::optional<Vec2> view; ///< azimuth and elevation in degrees; default: the scene's own
    double zoom = 1;
};

/// What stays the same over all pictures of a scene: the camera holds still while objects move.
struct PictureStage {
    Camera camera;
    double ground_height = 0;
    std::optional<FieldScale> field_scale;
};

/// Looks at the given frames to find a camera that has everything in view, and the field's range.
/// Throws InputError naming the fields there are when `settings.field` is not one of them.
PictureStage make_stage(const LoadedScene& scene, std::span<const double> frames,
                        const PictureSettings& settings);

Image picture_of(const LoadedScene& scene, double frame, const PictureStage& stage,
                 const PictureSettings& settings, const Progress& progress = {});

} // namespace knead
