#pragma once

#include "knead/render/ray_scene.hpp"
#include "knead/render/render.hpp"

#include <array>
#include <vector>

namespace knead {

/// One object, ready to be shaded.
struct StageObject {
    std::span<const Triangle> faces;
    std::vector<Vec3f> positions;
    std::vector<std::array<Vec3f, 3>> corner_normals; ///< unit; zero on a face without area
    std::vector<float> field;              ///< 0 to 1 along the colour map; empty for none
    const TracedSurface* traced = nullptr; ///< instead of all of the above
    Box traced_box;                        ///< in the world
    bool traced_field = false;
    Vec3f color; ///< linear
    bool wireframe = false;
    bool ghost = false;
    bool closed = false; ///< of a mesh, and only known when there is a clip plane
    float opacity = 1;

    /// Seen through rather than seen; not in the way of light.
    bool is_veil() const { return ghost || opacity < 1; }
};

/// The scene made fit for single precision: moved so that its box is centred on the origin, and
/// scaled so that half its diagonal is 1. All that is traced is in these coordinates.
struct Stage {
    Vec3 center = Vec3::Zero();
    double radius = 1;
    std::vector<StageObject> objects;
    RayScene solids; ///< hits carry indices into `objects`
    RayScene veils;  ///< ghosts and translucent objects
    /// Cut away is what has normal . x > offset.
    struct Clip {
        Vec3f normal;
        float offset;
    };
    std::optional<Clip> clip;
    std::optional<float> ground;
    FieldScale scale;                 ///< of the fields of traced surfaces
    std::array<Vec3f, 256> color_map; ///< linear

    Vec3 to_stage(const Vec3& point) const { return (point - center) / radius; }
    Vec3 to_world(const Vec3& point) const { return center + radius * point; }
};

/// Of what the object shows: a stray vertex that no face uses must not shrink the picture of the
/// rest.
Box shown_box(const RenderObject& object);

/// `scale` colours the fields.
Stage build_stage(std::span<const RenderObject> objects, const RenderSettings& settings,
                  const FieldScale& scale);

/// Shortens a ray to what the clip plane leaves of it. False when nothing is left.
bool clip_ray(const Stage& stage, Ray& ray);

} // namespace knead
