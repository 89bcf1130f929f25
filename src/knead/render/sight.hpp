#pragma once

#include "knead/render/stage.hpp"

namespace knead {

/// A ray through the picture, in stage coordinates.
struct Sight {
    Vec3 origin;
    Vec3 direction;          ///< unit
    double pixel_angle = 0;  ///< width of a pixel at distance 1 from the origin
    double line_width = 1.2; ///< of wireframes, in pixels
};

constexpr int nothing_id = -1;
constexpr int ground_id = -2;

/// What a ray through the picture meets first. `id` is `nothing_id`, `ground_id`, or twice the
/// object's index; odd on a section made by the clip plane.
struct SeenSurface {
    int id = nothing_id;
    Vec3f point = Vec3f::Zero();
    Vec3f normal = Vec3f::Zero();    ///< unit, towards the viewer
    Vec3f albedo = Vec3f::Zero();    ///< linear
    Vec3f departure = Vec3f::Zero(); ///< where rays to the light start

    bool section() const { return id >= 0 && (id & 1) != 0; }
};

SeenSurface first_surface(const Stage& stage, const Sight& sight);

/// A translucent layer in front of a surface.
struct VeilLayer {
    Vec3f normal;
    Vec3f albedo; ///< linear
    float opacity;
};

constexpr int max_veil_layers = 8;

/// The layers between the eye and `surface`, front to back; returns how many there are.
int veil_layers(const Stage& stage, const Sight& sight, const SeenSurface& surface,
                std::array<VeilLayer, max_veil_layers>& layers);

} // namespace knead
