#pragma once

#include "knead/render/sight.hpp"

#include <cstdint>

namespace knead {

/// How much of the sky and of the key light reaches a point: 0 none, 1 all.
struct Visibility {
    float ambient = 1;
    float key = 1;
};

/// A sky that is brighter above than below, and one key light as wide as a small lamp.
struct Light {
    Vec3f key_direction; ///< towards the light, unit
};

Light make_light(const RenderSettings& settings, const Camera& camera);

/// Traces a few rays; `index` chooses them, and consecutive indices complement each other.
Visibility trace_visibility(const Stage& stage, const Light& light, const SeenSurface& surface,
                            std::uint32_t index);

/// The colour of a surface, linear, each channel from 0 to 1. `view` points from the eye to the
/// surface, `background` (linear) is what the ground or nothing shows.
Vec3f shade(const Light& light, const SeenSurface& surface, const Visibility& visibility,
            const Vec3f& view, const Vec3f& background);

/// The colour of a translucent layer, which knows no shadows.
Vec3f shade_veil(const Light& light, const VeilLayer& layer);

} // namespace knead
