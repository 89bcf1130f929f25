#include "knead/render/stage.hpp"

#include "knead/base/parallel.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/topology.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

// Edges sharper than this are creases: the normals on both sides do not blend.
const double crease_cosine = std::cos(50 * std::numbers::pi / 180);

// The faces around each vertex.
Adjacency faces_around(std::span<const Triangle> faces, std::size_t vertex_count) {
    Adjacency around;
    around.starts.assign(vertex_count + 1, 0);
    for (const Triangle& face : faces)
        for (const int v : face) ++around.starts[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v < vertex_count; ++v) around.starts[v + 1] += around.starts[v];
    around.items.resize(3 * faces.size());
    std::vector<int> next(around.starts.begin(), around.starts.end() - 1);
    for (std::size_t f = 0; f < faces.size(); ++f)
        for (const int v : faces[f]) around.items[next[v]++] = static_cast<int>(f);
    return around;
}

double corner_angle(std::span<const Vec3> positions, const Triangle& face, int vertex) {
    const auto at = static_cast<int>(std::find(face.begin(), face.end(), vertex) - face.begin());
    const Vec3 a = positions[face[(at + 1) % 3]] - positions[vertex];
    const Vec3 b = positions[face[(at + 2) % 3]] - positions[vertex];
    return std::atan2(a.cross(b).norm(), a.dot(b));
}

std::vector<std::array<Vec3f, 3>>
make_corner_normals(std::span<const Vec3> positions, std::span<const Triangle> faces, bool smooth) {
    const std::vector<Vec3> flat = face_normals(positions, faces);
    std::vector<std::array<Vec3f, 3>> normals(faces.size());
    if (!smooth) {
        for (std::size_t f = 0; f < faces.size(); ++f) normals[f].fill(flat[f].cast<float>());
        return normals;
    }
    const Adjacency around = faces_around(faces, positions.size());
    parallel_for(faces.size(), [&](std::size_t f) {
        for (int corner = 0; corner < 3; ++corner) {
            const int vertex = faces[f][corner];
            Vec3 sum = Vec3::Zero();
            for (const int other : around[vertex])
                if (flat[other].dot(flat[f]) > crease_cosine)
                    sum += corner_angle(positions, faces[other], vertex) * flat[other];
            const double length = sum.norm();
            normals[f][corner] = (length > 0 ? Vec3(sum / length) : flat[f]).cast<float>();
        }
    });
    return normals;
}

StageObject make_object(const RenderObject& object, const Stage& stage) {
    StageObject result;
    result.color = linear_from_srgb(object.color).cast<float>();
    result.ghost = object.ghost;
    result.opacity = static_cast<float>(object.opacity);
    if (object.surface) {
        result.traced = object.surface;
        result.traced_box = object.surface->box();
        result.traced_field = object.surface_field;
        return result;
    }
    result.faces = object.faces;
    std::vector<Vec3> positions;
    positions.reserve(object.positions.size());
    for (const Vec3& position : object.positions) positions.push_back(stage.to_stage(position));
    result.corner_normals = make_corner_normals(positions, object.faces, object.smooth);
    result.positions.reserve(positions.size());
    for (const Vec3& position : positions) result.positions.push_back(position.cast<float>());
    result.field.reserve(object.field.size());
    for (const double value : object.field)
        result.field.push_back(static_cast<float>(field_parameter(stage.scale, value)));
    result.wireframe = object.wireframe;
    return result;
}

// Every side belongs to an even number of faces. Unlike a topology, this takes any indices.
bool is_watertight(std::span<const Triangle> faces) {
    std::vector<Edge> sides;
    sides.reserve(3 * faces.size());
    for (const Triangle& face : faces)
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(face[i], face[(i + 1) % 3]);
            if (low != high) sides.push_back({low, high});
        }
    std::sort(sides.begin(), sides.end());
    for (auto first = sides.begin(); first != sides.end();) {
        const auto next = std::upper_bound(first, sides.end(), *first);
        if ((next - first) % 2 != 0) return false;
        first = next;
    }
    return !sides.empty();
}

// Beyond this many radii, single precision would be spent on nothing visible.
float near_stage(double coordinate) {
    return static_cast<float>(std::clamp(coordinate, -1e4, 1e4));
}

} // namespace

Box shown_box(const RenderObject& object) {
    if (object.surface) {
        const Box box = object.surface->box();
        return box.empty() ? Box{} : box;
    }
    Box box;
    for (const Triangle& face : object.faces)
        for (const int v : face) box.include(object.positions[v]);
    return box;
}

Stage build_stage(std::span<const RenderObject> objects, const RenderSettings& settings,
                  const FieldScale& scale) {
    Stage stage;
    stage.scale = scale;
    Box everything, solid;
    for (const RenderObject& object : objects) {
        const Box box = shown_box(object);
        everything.include(box);
        if (!object.ghost) solid.include(box);
    }
    if (!everything.empty()) {
        stage.center = everything.center();
        const double half = 0.5 * everything.diagonal();
        if (half > 0) stage.radius = half;
    }
    for (std::size_t i = 0; i < objects.size(); ++i) {
        stage.objects.push_back(make_object(objects[i], stage));
        StageObject& object = stage.objects.back();
        RayScene& scene = object.is_veil() ? stage.veils : stage.solids;
        if (object.traced) {
            scene.add(static_cast<int>(i), *object.traced, object.traced_box, stage.center,
                      stage.radius);
            continue;
        }
        scene.add(static_cast<int>(i), object.positions, object.faces);
        if (settings.clip) object.closed = is_watertight(object.faces);
    }
    stage.solids.commit();
    stage.veils.commit();
    for (std::size_t i = 0; i < stage.color_map.size(); ++i) {
        const double t = static_cast<double>(i) / static_cast<double>(stage.color_map.size() - 1);
        const Vec3 color = scale.diverging() ? diverging_color(t) : sequential_color(t);
        stage.color_map[i] = linear_from_srgb(color).cast<float>();
    }
    if (settings.clip) {
        const Vec3 normal = settings.clip->normal.stableNormalized();
        stage.clip = Stage::Clip{normal.cast<float>(),
                                 near_stage(normal.dot(stage.to_stage(settings.clip->point)))};
    }
    if (settings.ground && !everything.empty()) {
        // A floor that is itself in the scene must hide the ground, not flicker with it.
        constexpr double below = 2e-4;
        const Box& resting = solid.empty() ? everything : solid;
        stage.ground = near_stage(
            settings.ground_height ? (*settings.ground_height - stage.center.y()) / stage.radius
                                   : (resting.lower.y() - stage.center.y()) / stage.radius - below);
    }
    return stage;
}

bool clip_ray(const Stage& stage, Ray& ray) {
    if (!stage.clip) return ray.near < ray.far;
    const float above = stage.clip->normal.dot(ray.origin) - stage.clip->offset;
    const float rise = stage.clip->normal.dot(ray.direction);
    if (rise == 0) return above <= 0 && ray.near < ray.far;
    const float crossing = -above / rise;
    if (rise < 0)
        ray.near = std::max(ray.near, crossing);
    else
        ray.far = std::min(ray.far, crossing);
    return ray.near < ray.far;
}

} // namespace knead
