#pragma once

#include "knead/base/progress.hpp"
#include "knead/render/render.hpp"
#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/frame_source.hpp"

#include <optional>
#include <string>

namespace knead {

struct PictureSettings {
    int width = 960;
    int height = 540;
    int samples = 4;
    std::string field; ///< see `field_values`; empty: the objects' colours
    bool wireframe = false;
    bool flat = false;
    bool ghost = false; ///< the input, faintly, behind the output
    bool input = false; ///< the input instead of the output
    bool exact = false; ///< surfaces themselves, instead of their samples, where there are such
    std::optional<ClipPlane> clip;
    std::optional<Vec2> view; ///< azimuth and elevation in degrees; default: the scene's own
    double zoom = 1;
};

/// A field that every scene has, and what it is in a few words.
struct FieldName {
    std::string_view name;
    std::string_view label;
};

std::span<const FieldName> field_names();

/// One of the deformer's fields, or a vertex attribute, with one list an object; empty where the
/// object does not have it.
///
/// "depth" is that of `positions` in the other objects; what the others are is in `field_names` and
/// at `ObjectOutcome`.
std::vector<std::vector<double>> field_values(const LoadedScene& scene, const SceneGauge& gauge,
                                              const SolvedFrame& solved,
                                              std::span<const std::vector<Vec3>> positions,
                                              const std::string& field);

/// What stays the same over all pictures of a scene: the camera holds still while objects move.
struct PictureStage {
    Camera camera;
    double ground_height = 0;
    SceneGauge gauge;
    std::optional<FieldScale> field_scale;
};

/// Throws InputError when the renderer would refuse a setting, or `settings.field` is no field of
/// the scene: before frames are solved for the pictures, which may take an hour.
void check_picture(const LoadedScene& scene, const PictureSettings& settings);

/// Looks at the given frames to find a camera that has everything in view, and the field's range.
/// Throws what `check_picture` throws.
PictureStage make_stage(const LoadedScene& scene, const FrameSource& source,
                        std::span<const double> frames, const PictureSettings& settings);

Image picture_of(const LoadedScene& scene, const FrameSource& source, double frame,
                 const PictureStage& stage, const PictureSettings& settings,
                 const Progress& progress = {});

} // namespace knead
