#include "knead/base/stopwatch.hpp"
#include "knead/deform/local_deformer.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/mesh/region.hpp"

#include <algorithm>
#include <numbers>
#include <numeric>

#include "bench.hpp"

namespace knead::cli {
namespace {

constexpr double ring = 1, tube = 0.35, ball_radius = 0.06;
constexpr int region_vertices = 5000;
constexpr int ball = 1; // the object's index

// Where the body and the ball are, from 0 to 1: the body turns and is carried along, the ball sinks
// in and slides.
struct Pose {
    Affine3 body, ball;

    explicit Pose(double t) {
        body = Eigen::Translation3d(0.3 * t, 0.1 * t, 0) *
               Eigen::AngleAxisd(0.5 * t, Vec3(1, 3, 2).normalized());
        const double depth = 0.5 * ball_radius * std::sin(std::numbers::pi * t);
        const Vec3 on_body(0.02 * t, tube + ball_radius - depth, ring);
        ball = body * Eigen::Translation3d(on_body);
    }
};

DeformSettings settings() {
    DeformSettings settings;
    settings.extent = ball_radius;
    return settings;
}

// The vertices nearest to where the ball touches.
Region region_alone(const TriangleMesh& body) {
    std::vector<int> order(body.positions.size());
    std::iota(order.begin(), order.end(), 0);
    const auto distance = [&](int v) {
        return (body.positions[v] - Vec3(0.01, tube, ring)).squaredNorm();
    };
    std::nth_element(order.begin(), order.begin() + region_vertices, order.end(),
                     [&](int a, int b) { return distance(a) < distance(b); });
    order.resize(region_vertices);
    std::sort(order.begin(), order.end());
    return region_of_vertices(body, order);
}

std::vector<Vec3> moved(const Affine3& at, std::span<const Vec3> positions) {
    std::vector<Vec3> result;
    for (const Vec3& position : positions) result.push_back(at * position);
    return result;
}

} // namespace

BodyResult bench_body(int frames) {
    const TriangleMesh body = make_torus(ring, tube, 1720), press = make_sphere(ball_radius, 4);
    const Region region = region_alone(body);
    std::vector<Vec3> region_rest;
    for (const int v : region.vertices) region_rest.push_back(body.positions[v]);
    const auto ball_structure = make_structure(press.positions, press.faces);
    LocalDeformer local({{make_structure(body.positions, body.faces), body.positions},
                         {ball_structure, press.positions}});
    Deformer alone({make_structure(region_rest, region.triangles), ball_structure});
    const DeformContact contact;

    BodyResult result;
    result.body_vertices = body.vertex_count();
    result.region_vertices = region.vertex_count();
    std::vector<double> local_times, alone_times;
    std::vector<Vec3> body_positions = body.positions, ball_positions = press.positions;
    for (int frame = 0; frame < 2 * frames; ++frame) {
        const Pose pose((frame % frames + 1) / (frames + 1.0));
        const std::array<LocalObject, 2> objects = {
            LocalObject{{}, settings(), {}, pose.body, body_positions},
            LocalObject{{}, settings(), {}, pose.ball, ball_positions}};
        Stopwatch watch;
        const LocalResult found = local.deform(objects, std::span(&contact, 1));
        const double local_time = watch.lap();

        std::array<DeformObject, 2> posed;
        const std::vector<Vec3> region_positions = moved(pose.body, region_rest);
        const std::vector<Vec3> ball_at = moved(pose.ball, press.positions);
        for (DeformObject& object : posed) object.settings = settings();
        posed[0].positions = region_positions;
        posed[ball].positions = ball_at;
        watch.lap();
        const DeformResult reference = alone.deform(posed, std::span(&contact, 1));
        const double alone_time = watch.lap();
        if (frame < frames) continue;
        local_times.push_back(local_time);
        alone_times.push_back(alone_time);
        result.moved_vertices =
            std::max(result.moved_vertices, static_cast<int>(found.moved[0].size()));
        for (std::size_t v = 0; v < region_rest.size(); ++v)
            result.largest_difference = std::max(
                result.largest_difference,
                (pose.body * body_positions[region.vertices[v]] - reference.objects[0].positions[v])
                    .norm());
    }
    result.body_milliseconds = quantile(local_times, 0.5);
    result.region_milliseconds = quantile(alone_times, 0.5);
    return result;
}

} // namespace knead::cli
