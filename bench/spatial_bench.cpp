#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/spatial/closest_point.hpp"
#include "knead/spatial/depth.hpp"
#include "knead/spatial/moving_pairs.hpp"
#include "knead/spatial/ray.hpp"
#include "knead/spatial/self_intersection.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <vector>

namespace knead {
namespace {

// Two spheres of 10,242 vertices, one a third of its radius deep in the other.
struct Pair {
    TriangleMesh a = make_sphere(1, 5), b = make_sphere(1, 5);
    Surface surface_a, surface_b;

    Pair() {
        transform(b, Affine3(Eigen::Translation3d(1.62, 0.21, 0.13)));
        surface_a = make_surface(a);
        surface_b = make_surface(b);
    }
};

void refit_tree(benchmark::State& state) {
    const ThreadLimit one(1);
    Pair pair;
    for (auto _ : state) move(pair.surface_a, pair.a.positions);
}
BENCHMARK(refit_tree)->Unit(benchmark::kMicrosecond);

void refit_and_crossings(benchmark::State& state) {
    const ThreadLimit one(1);
    Pair pair;
    Crossings crossings;
    CrossingWorkspace workspace;
    for (auto _ : state) {
        move(pair.surface_a, pair.a.positions);
        move(pair.surface_b, pair.b.positions);
        find_crossings(pair.surface_a, pair.surface_b, crossings, workspace);
    }
    state.counters["crossings"] =
        static_cast<double>(crossings.of_a.size() + crossings.of_b.size());
    state.counters["pairs"] = static_cast<double>(workspace.face_pairs.size());
}
BENCHMARK(refit_and_crossings)->Unit(benchmark::kMicrosecond);

void penetration(benchmark::State& state) {
    const ThreadLimit one(1);
    Pair pair;
    PenetrationWorkspace workspace;
    for (auto _ : state)
        benchmark::DoNotOptimize(measure_penetration(pair.surface_a, pair.surface_b, workspace));
}
BENCHMARK(penetration)->Unit(benchmark::kMicrosecond);

void penetration_of_open_floor(benchmark::State& state) {
    const ThreadLimit one(1);
    const TriangleMesh ball = make_sphere(1, 5);
    TriangleMesh floor = make_grid({6, 6}, {100, 100});
    transform(floor, Affine3(Eigen::Translation3d(0.01, -0.71, 0.02)));
    const Surface surface = make_surface(ball), floor_surface = make_surface(floor);
    PenetrationWorkspace workspace;
    for (auto _ : state)
        benchmark::DoNotOptimize(measure_penetration(surface, floor_surface, workspace));
}
BENCHMARK(penetration_of_open_floor)->Unit(benchmark::kMicrosecond);

// Every pair of faces in contact is coplanar: exact arithmetic throughout.
void crossings_of_touching_boxes(benchmark::State& state) {
    const ThreadLimit one(1);
    TriangleMesh a = make_box({1, 1, 1}, {40, 40, 40}), b = a;
    const Quat turn(0.9, 0.1, -0.3, 0.2);
    transform(b, Affine3(Eigen::Translation3d(0, 1, 0)));
    for (TriangleMesh* mesh : {&a, &b}) transform(*mesh, Affine3(turn.normalized()));
    const Surface surface_a = make_surface(a), surface_b = make_surface(b);
    Crossings crossings;
    CrossingWorkspace workspace;
    for (auto _ : state) find_crossings(surface_a, surface_b, crossings, workspace);
    state.counters["pairs"] = static_cast<double>(workspace.face_pairs.size());
}
BENCHMARK(crossings_of_touching_boxes)->Unit(benchmark::kMicrosecond);

void one_ray(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 5);
    const Surface surface = make_surface(sphere);
    Random random(1);
    for (auto _ : state)
        benchmark::DoNotOptimize(nearest_hit(
            surface, {random.direction() * 3, random.direction() - random.direction()}));
}
BENCHMARK(one_ray)->Unit(benchmark::kNanosecond);

void one_closest_point(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 5);
    const Surface surface = make_surface(sphere);
    Random random(1);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            closest_point(surface, random.direction() * random.uniform(0.5, 2)));
}
BENCHMARK(one_closest_point)->Unit(benchmark::kNanosecond);

// As the deformer asks: near the surface, starting from a face that was near before.
void one_closest_point_nearby(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 5);
    const Surface surface = make_surface(sphere);
    Random random(1);
    ClosestPointOptions options;
    int vertex = 0;
    for (auto _ : state) {
        vertex = (vertex + 1) % sphere.vertex_count();
        options.first_face = surface.topology().vertex_faces[vertex][0];
        benchmark::DoNotOptimize(
            closest_point(surface, sphere.positions[vertex] * random.uniform(0.95, 1.05), options));
    }
}
BENCHMARK(one_closest_point_nearby)->Unit(benchmark::kNanosecond);

// As the deformer maps: all lines along one direction, the last face within reach.
void one_mapping_line(benchmark::State& state) {
    Pair pair;
    const Vec3 direction = Vec3(1, 0.2, 0.1).normalized();
    int vertex = 0;
    for (auto _ : state) {
        vertex = (vertex + 1) % pair.a.vertex_count();
        benchmark::DoNotOptimize(
            farthest_hit(pair.surface_b, {pair.a.positions[vertex], direction, 0, 1}));
    }
}
BENCHMARK(one_mapping_line)->Unit(benchmark::kNanosecond);

void one_winding_number(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 5);
    const Surface surface = make_surface(sphere);
    Random random(1);
    for (auto _ : state) benchmark::DoNotOptimize(winding_number(surface, random.in_cube(1)));
}
BENCHMARK(one_winding_number)->Unit(benchmark::kNanosecond);

// 1.3 million faces.
void build_large_tree(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 8);
    std::vector<Box> boxes(sphere.faces.size());
    for (std::size_t f = 0; f < boxes.size(); ++f)
        for (const int v : sphere.faces[f]) boxes[f].include(sphere.positions[v]);
    const ThreadLimit limit(static_cast<int>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(build_box_tree(boxes));
}
BENCHMARK(build_large_tree)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void make_large_structure(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 8);
    for (auto _ : state) benchmark::DoNotOptimize(make_structure(sphere.positions, sphere.faces));
}
BENCHMARK(make_large_structure)->Unit(benchmark::kMillisecond)->UseRealTime();

void refit_large_tree(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, 8);
    Surface surface = make_surface(sphere);
    for (auto _ : state) move(surface, sphere.positions);
}
BENCHMARK(refit_large_tree)->Unit(benchmark::kMillisecond)->UseRealTime();

void self_intersections(benchmark::State& state) {
    const TriangleMesh sphere = make_sphere(1, static_cast<int>(state.range(0)));
    const Surface surface = make_surface(sphere);
    for (auto _ : state) benchmark::DoNotOptimize(find_self_intersections(surface));
}
BENCHMARK(self_intersections)->Arg(5)->Arg(8)->Unit(benchmark::kMillisecond)->UseRealTime();

// Six layers of cloth a third of an edge apart, 33,000 faces in all, that move by half an edge.
struct Layers {
    CollisionMesh mesh;
    std::vector<Vec3> start, end;
    double edge = 1.0 / 52;

    Layers() {
        const TriangleMesh layer = make_grid({1, 1}, {52, 53});
        Random random(1);
        for (int i = 0; i < 6; ++i) {
            const int first = static_cast<int>(start.size());
            for (const Triangle& face : layer.faces)
                mesh.faces.push_back({face[0] + first, face[1] + first, face[2] + first});
            for (const Vec3& p : layer.positions) {
                const double wave = 0.05 * std::sin(5 * p.x()) * std::cos(4 * p.z());
                start.push_back(p + Vec3(0.3 * edge * random.uniform(), wave + 0.3 * edge * i, 0));
                // Every other layer moves down further at one end, and just reaches the next one.
                const double down = 1 + 1.2 * (i % 2) * p.x();
                end.push_back(start.back() + 0.5 * edge * Vec3(std::sin(3 * p.z()), -down, 0.3));
            }
        }
        mesh.body_of_vertex.assign(start.size(), 0);
        mesh.bodies = 1;
        mesh.may_touch = {1};
        complete(mesh);
    }
};

void moving_pairs_of_layers(benchmark::State& state) {
    const ThreadLimit limit(static_cast<int>(state.range(0)));
    const Layers layers;
    std::vector<PrimitivePair> pairs;
    MovingPairsWorkspace workspace;
    for (auto _ : state)
        find_moving_pairs(layers.mesh, layers.start, layers.end, 0.1 * layers.edge, pairs,
                          workspace);
    state.counters["pairs"] = static_cast<double>(pairs.size());
}
BENCHMARK(moving_pairs_of_layers)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void impacts_of_layers(benchmark::State& state) {
    const ThreadLimit limit(static_cast<int>(state.range(0)));
    const Layers layers;
    std::vector<PrimitivePair> pairs;
    MovingPairsWorkspace workspace;
    std::vector<Impact> impacts;
    find_moving_pairs(layers.mesh, layers.start, layers.end, 0.1 * layers.edge, pairs, workspace);
    for (auto _ : state)
        find_impacts(layers.mesh, layers.start, layers.end, 0.02 * layers.edge, pairs, impacts);
    state.counters["pairs"] = static_cast<double>(pairs.size());
    state.counters["impacts"] = static_cast<double>(impacts.size());
}
BENCHMARK(impacts_of_layers)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace knead
