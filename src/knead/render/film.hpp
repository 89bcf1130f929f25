#pragma once

#include "knead/render/light.hpp"

#include <array>
#include <vector>

namespace knead {

/// What the translucent layers in front of a colour c make of it: color + transmittance * c.
struct Veil {
    Vec3f color = Vec3f::Zero();
    float transmittance = 1;
};

/// What the rays through a pixel found. Where they all found the same surface, light and shade are
/// settled afterwards from the neighbourhood; where an outline passes, the pixel has taken more
/// rays and is `finished`.
struct Pixel {
    struct Found {
        int id = nothing_id;
        float share = 0; ///< of the rays
        float depth = 0; ///< mean distance from the eye
    };
    std::array<Found, 2> found; ///< the most frequent surfaces, that with more rays first
    bool finished = false;
    Vec3f color = Vec3f::Zero(); ///< linear: the albedo, or the colour to show once `finished`
    // Only where not finished:
    Vec3f point = Vec3f::Zero();
    Vec3f normal = Vec3f::Zero();
    Visibility visibility;

    int id() const { return found[0].id; }
};

struct Film {
    int width = 0;
    int height = 0;
    float pixel_angle = 0; ///< as in `Sight`
    std::vector<Pixel> pixels;
    std::vector<Veil> veils; ///< one a pixel, or none at all

    std::size_t index(int x, int y) const { return static_cast<std::size_t>(y) * width + x; }
    const Pixel& at(int x, int y) const { return pixels[index(x, y)]; }
};

/// Pixels choose their light rays by their place in blocks of this side.
constexpr int light_block = 4;

/// The mean visibility over a block around an unfinished pixel, as far as it lies on the same
/// smooth surface.
Visibility smoothed_visibility(const Film& film, int x, int y);

/// How much of a line where two objects meet covers the pixel, 0 to 1.
float contour_coverage(const Film& film, int x, int y);

} // namespace knead
