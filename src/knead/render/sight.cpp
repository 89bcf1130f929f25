#include "knead/render/sight.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace knead {
namespace {

// The stage fits into a ball of radius 1; a little more for rounding.
constexpr double stage_ball = 1.0001;
// Far above the rounding of single precision at distance 1, far below anything visible.
constexpr float ray_offset = 5e-6f;
// Hits on one object closer together than this are one.
constexpr float same_hit = 1e-6f;

// The part of the sight that can meet an object. It starts at the ball around the stage, so that
// single precision suffices however far away the eye is.
struct Chord {
    Ray ray;
    double start; ///< distance from the eye to the ray's origin
};

std::optional<Chord> chord_through_stage(const Sight& sight) {
    const double along = -sight.origin.dot(sight.direction);
    const double offset = (sight.origin + along * sight.direction).squaredNorm();
    const double half = stage_ball * stage_ball - offset;
    if (!(half > 0)) return std::nullopt;
    const double start = std::max(0.0, along - std::sqrt(half));
    const double end = along + std::sqrt(half);
    if (!(start < end)) return std::nullopt;
    const Vec3 origin = sight.origin + start * sight.direction;
    return Chord{{origin.cast<float>(), sight.direction.cast<float>(), 0.0f,
                  static_cast<float>(end - start)},
                 start};
}

template <typename T>
T at_hit(const RayHit& hit, const T& a, const T& b, const T& c) {
    return (1 - hit.u - hit.v) * a + hit.u * b + hit.v * c;
}

// How much of the pixel a wireframe line covers, by the distance to the nearest side of the face.
float line_coverage(const StageObject& object, const RayHit& hit, double pixel, double width) {
    const Triangle& face = object.faces[hit.face];
    const Vec3f& a = object.positions[face[0]];
    const Vec3f& b = object.positions[face[1]];
    const Vec3f& c = object.positions[face[2]];
    const float area = (b - a).cross(c - a).norm();
    const std::array<float, 3> heights = {area / (c - b).norm(), area / (a - c).norm(),
                                          area / (b - a).norm()};
    const float nearest =
        std::min({(1 - hit.u - hit.v) * heights[0], hit.u * heights[1], hit.v * heights[2]});
    const double distance = nearest / pixel;
    // Faces of a few pixels would drown in lines, so theirs fade.
    const double smallest = *std::min_element(heights.begin(), heights.end()) / pixel;
    const double fade = std::clamp((smallest - 1.5 * width) / (5 * width), 0.12, 1.0);
    return static_cast<float>(fade * std::clamp(0.5 * width + 0.5 - distance, 0.0, 1.0));
}

Vec3f mapped_color(const Stage& stage, float t) {
    if (std::isnan(t)) return Vec3f::Constant(0.32f);
    const float last = static_cast<float>(stage.color_map.size() - 1);
    const float at = std::clamp(t, 0.0f, 1.0f) * last;
    const auto i = static_cast<std::size_t>(std::min(at, last - 1));
    const float s = at - static_cast<float>(i);
    return (1 - s) * stage.color_map[i] + s * stage.color_map[i + 1];
}

Vec3f albedo_at(const Stage& stage, const StageObject& object, const RayHit& hit) {
    if (object.traced) {
        if (!object.traced_field) return object.color;
        const double value = object.traced->field_at(hit.point);
        return mapped_color(stage, static_cast<float>(field_parameter(stage.scale, value)));
    }
    if (object.field.empty()) return object.color;
    const Triangle& face = object.faces[hit.face];
    return mapped_color(
        stage, at_hit(hit, object.field[face[0]], object.field[face[1]], object.field[face[2]]));
}

// Rays that leave a coarse mesh from the flat face would be blocked by its neighbours where the
// blended normal still faces the light. They start from the curved surface that the normals
// suggest: J. Hanika, "Hacking the shadow terminator", Ray Tracing Gems II, 2021.
Vec3f lifted(const StageObject& object, const RayHit& hit, const Vec3f& point, float side) {
    const Triangle& face = object.faces[hit.face];
    const auto& normals = object.corner_normals[hit.face];
    const std::array<float, 3> weights = {1 - hit.u - hit.v, hit.u, hit.v};
    Vec3f start = point;
    for (int i = 0; i < 3; ++i) {
        const Vec3f normal = side * normals[i];
        start -=
            weights[i] * std::min(0.0f, (point - object.positions[face[i]]).dot(normal)) * normal;
    }
    return start;
}

SeenSurface surface_at(const Stage& stage, const Sight& sight, const Chord& chord,
                       const RayHit& hit) {
    const StageObject& object = stage.objects[hit.object];
    SeenSurface surface;
    surface.id = 2 * hit.object;
    surface.albedo = albedo_at(stage, object, hit);
    const bool inside = hit.normal.dot(chord.ray.direction) > 0;
    if (inside) surface.albedo *= 0.6f;
    const float side = inside ? -1.0f : 1.0f;
    if (object.traced) {
        surface.point = stage.to_stage(hit.point).cast<float>();
        surface.normal = side * hit.normal;
        surface.departure = surface.point + ray_offset * surface.normal;
        return surface;
    }
    surface.point = chord.ray.origin + hit.t * chord.ray.direction;
    const auto& corners = object.corner_normals[hit.face];
    const Vec3f normal = at_hit(hit, corners[0], corners[1], corners[2]);
    const float length = normal.norm();
    const Vec3f flat = side * hit.normal;
    surface.normal = length > 1e-3f ? Vec3f(side / length * normal) : flat;
    surface.departure = lifted(object, hit, surface.point, side) + ray_offset * flat;
    if (object.wireframe) {
        const double pixel = (chord.start + hit.t) * sight.pixel_angle;
        const float line = line_coverage(object, hit, pixel, sight.line_width);
        surface.albedo *= 1 - 0.8f * line;
    }
    return surface;
}

// The solid traced surfaces that the start of the ray lies in.
std::vector<int> traced_around(const Stage& stage, const Ray& ray) {
    const Vec3 start =
        stage.to_world(ray.origin.cast<double>() + double{ray.near} * ray.direction.cast<double>());
    std::vector<int> inside;
    for (std::size_t i = 0; i < stage.objects.size(); ++i) {
        const StageObject& object = stage.objects[i];
        if (!object.traced || object.is_veil()) continue;
        if (object.traced_box.contains(start) && object.traced->contains(start))
            inside.push_back(static_cast<int>(i));
    }
    return inside;
}

// The closed objects that the start of the ray lies in, ascending: of meshes, those whose surface
// it leaves more often than it enters, or the other way round for one turned inside out.
std::vector<int> objects_around(const Stage& stage, const Ray& ray) {
    struct Crossing {
        int object;
        int turn; ///< 1 out, -1 in
        float t;
    };
    std::vector<RayHit> hits;
    stage.solids.all_hits(ray, hits);
    std::vector<Crossing> crossings;
    for (const RayHit& hit : hits)
        if (stage.objects[hit.object].closed)
            crossings.push_back({hit.object, hit.normal.dot(ray.direction) > 0 ? 1 : -1, hit.t});
    std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
        return std::tie(a.object, a.turn, a.t) < std::tie(b.object, b.turn, b.t);
    });
    // Through the side between two faces, a ray leaves once, not twice.
    const auto end =
        std::unique(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
            return a.object == b.object && a.turn == b.turn && b.t - a.t < same_hit;
        });
    std::vector<int> inside = traced_around(stage, ray);
    for (auto first = crossings.begin(); first != end;) {
        const int object = first->object;
        int winding = 0;
        for (; first != end && first->object == object; ++first) winding += first->turn;
        if (winding != 0) inside.push_back(object);
    }
    std::sort(inside.begin(), inside.end());
    return inside;
}

// Where objects overlap, an id of its own, so that a line is drawn around.
int section_id(const Stage& stage, const std::vector<int>& inside) {
    const auto count = static_cast<int>(stage.objects.size());
    const int overlap = inside.size() > 1 ? count * (inside.front() + 1) + inside[1] : inside[0];
    return 2 * overlap + 1;
}

// The cut through the objects, hatched; overlapping objects take turns in stripes.
std::optional<SeenSurface> section_at(const Stage& stage, const Sight& sight, const Chord& chord,
                                      float entry) {
    Ray beyond = chord.ray;
    beyond.near = entry;
    const std::vector<int> inside = objects_around(stage, beyond);
    if (inside.empty()) return std::nullopt;
    SeenSurface surface;
    surface.point = chord.ray.origin + entry * chord.ray.direction;
    surface.normal = stage.clip->normal;
    surface.departure = surface.point + ray_offset * surface.normal;

    const Vec3f u = stage.clip->normal.unitOrthogonal();
    const Vec3f v = stage.clip->normal.cross(u);
    const double pixel = (chord.start + entry) * sight.pixel_angle;
    // Stripes keep their width in the picture, whatever the size of the scene.
    const double spacing = 7 * sight.line_width * pixel;
    const double stripe = (surface.point.dot(u) + surface.point.dot(v)) * std::sqrt(0.5) / spacing;
    const double phase = stripe - std::floor(stripe);
    const auto turn = static_cast<long long>(std::floor(stripe));
    const auto count = static_cast<long long>(inside.size());
    const int object = inside[static_cast<std::size_t>(((turn % count) + count) % count)];
    surface.id = section_id(stage, inside);
    surface.albedo = 0.62f * stage.objects[object].color;
    if (count == 1) {
        const double distance = std::abs(phase - 0.5) * spacing / pixel;
        const double line = std::clamp(0.5 * sight.line_width + 0.5 - distance, 0.0, 1.0);
        surface.albedo *= static_cast<float>(1 - 0.3 * line);
    }
    return surface;
}

std::optional<double> ground_distance(const Stage& stage, const Sight& sight) {
    if (!stage.ground || sight.direction.y() >= 0) return std::nullopt;
    const double distance = (*stage.ground - sight.origin.y()) / sight.direction.y();
    if (!(distance > 0)) return std::nullopt;
    return distance;
}

} // namespace

SeenSurface first_surface(const Stage& stage, const Sight& sight) {
    const std::optional<double> ground = ground_distance(stage, sight);
    std::optional<Chord> chord = chord_through_stage(sight);
    if (chord && ground)
        chord->ray.far = static_cast<float>(
            std::min<double>(chord->ray.far, std::max(0.0, *ground - chord->start)));
    if (chord && !stage.solids.empty() && clip_ray(stage, chord->ray)) {
        if (chord->ray.near > 0)
            if (auto section = section_at(stage, sight, *chord, chord->ray.near)) return *section;
        if (const auto hit = stage.solids.closest(chord->ray))
            return surface_at(stage, sight, *chord, *hit);
    }
    SeenSurface surface;
    if (!ground) return surface;
    // Far out, the ground is as good as nothing, and single precision no longer knows where.
    const Vec3 point = sight.origin + *ground * sight.direction;
    if (!(point.norm() < 1e3)) return surface;
    surface.id = ground_id;
    surface.point = point.cast<float>();
    surface.normal = Vec3f::UnitY();
    surface.departure = surface.point + ray_offset * surface.normal;
    return surface;
}

int veil_layers(const Stage& stage, const Sight& sight, const SeenSurface& surface,
                std::array<VeilLayer, max_veil_layers>& layers) {
    if (stage.veils.empty()) return 0;
    std::optional<Chord> chord = chord_through_stage(sight);
    if (!chord) return 0;
    const Vec3f direction = chord->ray.direction;
    if (surface.id != nothing_id)
        chord->ray.far =
            std::min(chord->ray.far, (surface.point - chord->ray.origin).dot(direction));
    const float end = chord->ray.far;
    if (!clip_ray(stage, chord->ray)) return 0;
    int count = 0;
    while (count < max_veil_layers) {
        const auto hit = stage.veils.closest(chord->ray);
        if (!hit) break;
        chord->ray.near = std::nextafter(hit->t, chord->ray.far);
        const StageObject& object = stage.objects[hit->object];
        // A traced surface may find the same crossing again, a little further on.
        if (object.traced) chord->ray.near = std::max(chord->ray.near, hit->t + ray_offset);
        const SeenSurface layer = surface_at(stage, sight, *chord, *hit);
        const float facing = std::abs(layer.normal.dot(direction));
        // A thin layer seen edge-on is thicker along the ray.
        float opacity = 1 - std::pow(1 - object.opacity, 1 / std::max(facing, 0.25f));
        if (object.ghost) {
            // Like a soap bubble; and it fades where it comes close to a surface, since most of it
            // usually coincides with one.
            opacity = object.opacity * (0.16f + 0.62f * (1 - facing) * (1 - facing));
            if (hit->normal.dot(direction) > 0) opacity *= 0.35f;
            if (surface.id >= 0) opacity *= std::clamp((end - hit->t - 5e-4f) / 8e-3f, 0.0f, 1.0f);
        }
        if (opacity > 0) layers[count++] = {layer.normal, layer.albedo, opacity};
        if (!(chord->ray.near < chord->ray.far)) break;
    }
    return count;
}

} // namespace knead
