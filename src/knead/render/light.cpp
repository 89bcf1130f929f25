#include "knead/render/light.hpp"

#include "knead/render/spread.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

const Vec3f sky_color(0.60f, 0.62f, 0.65f);
const Vec3f floor_color(0.38f, 0.36f, 0.34f);
const Vec3f key_color(0.76f, 0.72f, 0.66f);
constexpr float key_half_angle = 0.085f; // radians: soft, but still one light
constexpr float specular_strength = 0.10f;
constexpr float specular_power = 36;
constexpr float rim_strength = 0.10f;

constexpr int ambient_rays = 2;
// An occluder at distance d darkens the ambient light by exp(-d / reach): what is far away would
// itself be lit and send light back.
constexpr float ambient_reach = 0.5f;
// What still reaches the narrowest gap, by way of surfaces that the rays do not follow.
constexpr float ambient_floor = 0.14f;

// Shadows on the ground vanish between these distances from the centre of the stage.
constexpr float ground_fade_start = 1.2f, ground_fade_end = 4.0f;

// Two unit vectors that make a frame with n: T. Duff et al., "Building an orthonormal basis,
// revisited", JCGT 2017.
std::pair<Vec3f, Vec3f> tangents(const Vec3f& n) {
    const float sign = std::copysign(1.0f, n.z());
    const float a = -1 / (sign + n.z());
    const float b = n.x() * n.y() * a;
    return {Vec3f(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()),
            Vec3f(b, sign + n.y() * n.y() * a, -n.y())};
}

Vec3f around(const Vec3f& axis, float radius, double turn, float height) {
    const auto [s, t] = tangents(axis);
    const auto angle = static_cast<float>(2 * std::numbers::pi * turn);
    return radius * std::cos(angle) * s + radius * std::sin(angle) * t + height * axis;
}

bool blocked(const Stage& stage, const Vec3f& origin, const Vec3f& direction, float length) {
    Ray ray{origin, direction, 0, length};
    return clip_ray(stage, ray) && stage.solids.blocked(ray);
}

// An analytic stand-in for the light that bounces between bright surfaces, so that creases in a
// light material are not as dark as in a black one: J. Jimenez et al., "Practical real-time
// strategies for accurate indirect occlusion", 2016, sec. 4.
Vec3f bounced(float visibility, const Vec3f& albedo) {
    const Eigen::Array3f c = albedo.array();
    const Eigen::Array3f a = 2.0404f * c - 0.3324f;
    const Eigen::Array3f b = -4.7951f * c + 0.6417f;
    const Eigen::Array3f d = 2.7552f * c + 0.6903f;
    const float x = visibility;
    return (((x * a + b) * x + d) * x).max(x).matrix();
}

Vec3f sky_light(const Vec3f& normal) {
    const float up = 0.5f + 0.5f * normal.y();
    return up * sky_color + (1 - up) * floor_color;
}

// The identity up to the knee, then a shoulder that reaches 1 only in the limit. It acts on the
// brightest channel and takes the others along: a strong light must not turn orange into yellow,
// least of all on a colour map.
Vec3f tone(const Vec3f& color) {
    constexpr float knee = 0.65f;
    const float brightest = color.maxCoeff();
    if (brightest <= knee) return color;
    const float over = (brightest - knee) / (1 - knee);
    return color * ((knee + (1 - knee) * over / (1 + over)) / brightest);
}

float smooth_step(float from, float to, float x) {
    const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
    return t * t * (3 - 2 * t);
}

Vec3f shade_ground(const Light& light, const Vec3f& point, const Visibility& visibility,
                   const Vec3f& background) {
    const float key = light.key_direction.y();
    const Vec3f lit = sky_color + key * key_color;
    const Vec3f seen = visibility.ambient * sky_color + visibility.key * key * key_color;
    const float distance = std::hypot(point.x(), point.z());
    const float fade = smooth_step(ground_fade_start, ground_fade_end, distance);
    const Vec3f shadow = seen.cwiseQuotient(lit);
    return background.cwiseProduct(shadow + fade * (Vec3f::Ones() - shadow));
}

} // namespace

Light make_light(const RenderSettings& settings, const Camera& camera) {
    if (settings.light_direction)
        return {settings.light_direction->stableNormalized().cast<float>()};
    const Vec3 back = (camera.eye - camera.target).stableNormalized();
    const Vec3 right = camera.up.cross(back).stableNormalized();
    // Level with the ground, so that the light comes from above wherever the camera is; a camera
    // that looks straight down has its own up to go by.
    Vec3 level(back.x(), 0, back.z());
    if (level.norm() < 1e-3) level = -back.y() * camera.up;
    level.normalize();
    return {(-0.62 * right + 1.05 * Vec3::UnitY() + 0.5 * level).normalized().cast<float>()};
}

Visibility trace_visibility(const Stage& stage, const Light& light, const SeenSurface& surface,
                            std::uint32_t index) {
    Visibility visibility;
    if (surface.id == nothing_id || stage.solids.empty()) return visibility;
    if (surface.id == ground_id &&
        std::hypot(surface.point.x(), surface.point.z()) > ground_fade_end)
        return visibility;

    int open = 0;
    for (int i = 0; i < ambient_rays; ++i) {
        const Vec3 sample = spread3(index * ambient_rays + static_cast<std::uint32_t>(i));
        const auto height = static_cast<float>(std::sqrt(1 - sample[0]));
        const auto radius = static_cast<float>(std::sqrt(sample[0]));
        const Vec3f direction = around(surface.normal, radius, sample[1], height);
        // With this length, a hit at distance d counts with probability exp(-d / reach).
        const float length = -ambient_reach * static_cast<float>(std::log(1 - sample[2]));
        const bool reaches_ground = stage.ground && direction.y() < 0 &&
                                    surface.point.y() > *stage.ground &&
                                    (*stage.ground - surface.point.y()) > length * direction.y();
        if (!reaches_ground && !blocked(stage, surface.departure, direction, length)) ++open;
    }
    visibility.ambient =
        ambient_floor + (1 - ambient_floor) * static_cast<float>(open) / ambient_rays;

    if (surface.normal.dot(light.key_direction) <= 0) {
        visibility.key = 0;
        return visibility;
    }
    const Vec2 sample = spread2(index);
    const auto radius = key_half_angle * static_cast<float>(std::sqrt(sample[0]));
    const Vec3f direction =
        around(light.key_direction, radius, sample[1], std::sqrt(1 - radius * radius));
    constexpr float beyond_the_stage = 16;
    visibility.key = blocked(stage, surface.departure, direction, beyond_the_stage) ? 0.0f : 1.0f;
    return visibility;
}

Vec3f shade(const Light& light, const SeenSurface& surface, const Visibility& visibility,
            const Vec3f& view, const Vec3f& background) {
    if (surface.id == nothing_id) return background;
    if (surface.id == ground_id) return shade_ground(light, surface.point, visibility, background);
    // A section is a drawing, not a surface: it keeps its colour in any light.
    if (surface.section()) return tone(surface.albedo);
    const Vec3f& normal = surface.normal;
    const float facing = std::max(0.0f, normal.dot(light.key_direction)) * visibility.key;
    const Vec3f ambient =
        sky_light(normal).cwiseProduct(bounced(visibility.ambient, surface.albedo));
    const Vec3f diffuse = surface.albedo.cwiseProduct(ambient + facing * key_color);
    const Vec3f half = (light.key_direction - view).normalized();
    const float highlight = specular_strength *
                            std::pow(std::max(0.0f, normal.dot(half)), specular_power) *
                            visibility.key;
    const float grazing = 1 - std::clamp(-normal.dot(view), 0.0f, 1.0f);
    const float rim = rim_strength * std::pow(grazing, 4.0f) * visibility.ambient;
    return tone(diffuse + highlight * key_color + rim * sky_light(normal));
}

Vec3f shade_veil(const Light& light, const VeilLayer& layer) {
    const float facing = std::max(0.0f, layer.normal.dot(light.key_direction));
    return tone(layer.albedo.cwiseProduct(sky_light(layer.normal) + facing * key_color));
}

} // namespace knead
