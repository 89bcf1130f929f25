#pragma once

#include "knead/base/progress.hpp"
#include "knead/base/types.hpp"
#include "knead/render/camera.hpp"
#include "knead/render/color.hpp"
#include "knead/render/image.hpp"
#include "knead/render/traced_surface.hpp"

#include <optional>
#include <span>
#include <string>

namespace knead {

/// What a picture shows. The spans and the surface must outlive the call of `render`.
struct RenderObject {
    std::string name = {}; ///< for messages only
    std::span<const Vec3> positions = {};
    std::span<const Triangle> faces = {};
    /// Instead of positions and faces, which are then not looked at; nor are `smooth`, `wireframe`
    /// and `field`, which speak of them.
    const TracedSurface* surface = nullptr;
    bool surface_field = false;    ///< shows the surface's `field_at` instead of `color`
    Vec3 color = palette_color(0); ///< sRGB, 0 to 1
    /// Normals blend across faces, except at edges sharper than 50 degrees; otherwise each face is
    /// flat.
    bool smooth = true;
    bool wireframe = false; ///< draws the edges of the faces on the surface
    /// One value a vertex, shown as a colour map instead of `color`; empty for none. NaN is grey.
    std::span<const double> field = {};
    /// 0 to 1. Below 1, the object casts no shadow and receives none.
    double opacity = 1;
    /// Drawn as a faint shell around what it encloses, and not where it coincides with a surface.
    bool ghost = false;
};

/// What lies on the side of the normal is cut away. Closed objects show a hatched section there;
/// where several overlap, it has stripes of their colours.
struct ClipPlane {
    Vec3 point = Vec3::Zero();
    Vec3 normal = Vec3::UnitX();
};

struct RenderSettings {
    int width = 960;  ///< 1 to 8192 pixels
    int height = 540; ///< 1 to 8192 pixels; at most 2^24 pixels in all
    /// Rays through each pixel, 1 to 64; four times as many where an outline passes. Time grows in
    /// proportion.
    int samples = 4;
    /// Default: all objects in the picture, seen from azimuth 30, elevation 20 degrees.
    std::optional<Camera> camera = {};
    std::optional<ClipPlane> clip = {};
    /// A plane with normal +Y that shows shadows only and fades into the background.
    bool ground = true;
    /// Default: just below everything that is not a ghost.
    std::optional<double> ground_height = {};
    /// Default: from the least to the greatest value at a vertex. To be given when only traced
    /// surfaces have a field, since they have no vertices to look at.
    std::optional<FieldScale> field_scale = {};
    bool legend = true;                              ///< draws the scale when an object has a field
    Vec3 background_top = Vec3(0.957, 0.949, 0.937); ///< sRGB
    Vec3 background_bottom = Vec3(0.878, 0.867, 0.851); ///< sRGB
    /// Towards the key light. Default: from above the camera's left shoulder.
    std::optional<Vec3> light_direction = {};
    double contour = 0.6; ///< 0 to 1: how dark the line between two objects is
};

/// A picture by ray tracing, the same bits for any number of threads, and up to rounding the same
/// wherever the scene lies and whatever its unit. Without objects it shows the background.
///
/// Throws InputError when a setting is out of range, a position is not a finite number, a face
/// names a vertex that is not there, a field has not one value a vertex, or the box of a traced
/// surface is not finite; Cancelled on a stop request.
Image render(std::span<const RenderObject> objects, const RenderSettings& settings = {},
             const Progress& progress = {});

} // namespace knead
