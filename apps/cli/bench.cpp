#include "bench.hpp"

#include "knead/base/error.hpp"
#include "knead/base/parallel.hpp"
#include "knead/base/stopwatch.hpp"
#include "knead/mesh/laplacian.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/region.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/solve/spd_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "allocation_count.hpp"
#include "demo_scenes.hpp"

namespace knead::cli {
namespace {

// The vertices of an object on which contacts are looked for: all, or the groups that contacts
// name.
std::vector<int> working_vertices(const LoadedScene& scene, int object) {
    const TriangleMesh& mesh = scene.objects[object].source.mesh;
    std::set<int> vertices;
    for (const ContactSpec& contact : contacts_of(scene.scene))
        for (const ContactSide& side : contact.between) {
            if (side.object != object) continue;
            if (side.group.empty()) return whole_mesh(mesh).vertices;
            const std::vector<int>& group = mesh.groups.at(side.group);
            vertices.insert(group.begin(), group.end());
        }
    return {vertices.begin(), vertices.end()};
}

// The heat system of a part of a mesh.
SparseMatrix heat_matrix(const TriangleMesh& mesh, std::span<const Vec3> positions,
                         std::span<const int> vertices) {
    const Region region = region_of_vertices(mesh, vertices);
    std::vector<Vec3> placed;
    for (const int v : region.vertices) placed.push_back(positions[v]);
    const Topology topology = build_topology(region.triangles, region.vertex_count());
    const LaplacianPattern pattern = laplacian_pattern(topology);
    SparseMatrix matrix;
    assemble_laplacian(pattern, placed, region.triangles, matrix);
    std::vector<double> mass;
    assemble_mass(MassLumping::voronoi, placed, region.triangles, mass);
    const double edge = mean_edge_length(placed, topology);
    for (int v = 0; v < region.vertex_count(); ++v)
        matrix.valuePtr()[pattern.diagonal[v]] +=
            std::max(mass[v], 1e-6 * edge * edge) / (10 * edge * edge);
    return matrix;
}

double factorise_milliseconds(const SparseMatrix& matrix) {
    const auto solver = make_eigen_solver();
    Stopwatch watch;
    solver->analyse(matrix);
    solver->factorise(matrix);
    return watch.milliseconds();
}

LoadedScene load(const BenchScene& asked) {
    const auto demo = std::find_if(demo_scenes().begin(), demo_scenes().end(),
                                   [&](const DemoScene& d) { return d.name == asked.demo; });
    if (demo == demo_scenes().end())
        throw InputError(fmt::format("bench: there is no demo {}", asked.demo));
    SceneOptions options;
    options.overrides = asked.overrides;
    return load_scene(parse_scene(demo->text, asked.demo + ".json", options));
}

// Spread over the animation.
std::vector<double> times_of(const LoadedScene& scene, int frames) {
    const FrameRange range = scene.scene.frames;
    std::vector<double> times;
    for (int i = 0; i < frames; ++i)
        times.push_back(range.first + (range.count() - 1) * (i + 0.5) / frames);
    return times;
}

} // namespace

const std::vector<BenchScene>& bench_scenes() {
    static const std::vector<BenchScene> scenes = {
        {"fingers-ball",
         "fingers-ball",
         {"objects.thumb.mesh.blob.edge=0.1356", "objects.index.mesh.blob.edge=0.1356",
          "objects.middle.mesh.blob.edge=0.1356", "objects.ring.mesh.blob.edge=0.1356",
          "objects.little.mesh.blob.edge=0.1356",
          R"(objects.ball.mesh={"blob": {"segments": [{"from": [0, -0.001, 0], "to": [0, 0.001, 0], "radii": [1, 1]}], "edge": 0.0964}})"}},
        {"fingers-palm", "fingers-palm", {"objects.hand.mesh.blob.edge=0.0263"}},
        {"skinned-finger", "skinned-finger", {"objects.finger.mesh.blob.edge=0.0328"}},
        {"lips", "skinned-lips", {"objects.lips.mesh.blob.edge=0.0486"}},
        {"body-jelly",
         "animal-cushion",
         {"objects.animal.mesh.blob.edge=0.0254", "objects.cushion.mesh.blob.edge=0.0631"}},
        {"walk",
         "foot-in-ground",
         {"objects.foot.mesh.blob.edge=0.0968", "objects.ground.mesh.grid.cells=[107,107]"}},
        {"hat-egg",
         "hat-on-egg",
         {"objects.hat.mesh.blob.edge=0.0437", "objects.egg.mesh.blob.edge=0.0369"}},
    };
    return scenes;
}

BenchResult bench(const BenchScene& asked, int frames) {
    const LoadedScene scene = load(asked);
    const std::vector<double> times = times_of(scene, frames);

    start_counting_allocations();
    const FrameSolver solver(scene);
    SolvedFrame solved;
    for (const double time : times) solver.solve(time, solved);

    BenchResult result;
    result.name = asked.name;
    std::vector<double> milliseconds, reference, ratios, allocations, last_pass, ratios_without;
    std::map<std::string, double> stages;
    std::map<int, std::array<int, 2>> sizes; // of an object: working, deformable
    int vertices = 0;
    for (const LoadedObject& object : scene.objects) vertices += object.source.mesh.vertex_count();
    for (const double time : times) {
        const std::int64_t before = counted_allocations().allocations;
        solver.solve(time, solved);
        const std::int64_t after = counted_allocations().allocations;
        double factorising = 0;
        for (std::size_t i = 0; i < solved.objects.size(); ++i) {
            if (scene.scene.objects[i].rigid || solved.objects[i].contact_vertices == 0) continue;
            const TriangleMesh& mesh = scene.objects[i].source.mesh;
            const std::vector<int> working = working_vertices(scene, static_cast<int>(i));
            std::vector<int> deformable;
            for (const int v : working)
                if (solved.objects[i].u[v] < 1) deformable.push_back(v);
            const SparseMatrix whole = heat_matrix(mesh, solved.before[i], working);
            for (int system = 0; system < 2; ++system) factorising += factorise_milliseconds(whole);
            factorising += factorise_milliseconds(heat_matrix(mesh, solved.before[i], deformable));
            auto& size = sizes[static_cast<int>(i)];
            size[0] = static_cast<int>(working.size());
            size[1] = std::max(size[1], static_cast<int>(deformable.size()));
        }
        if (factorising == 0) continue;
        milliseconds.push_back(solved.deform_milliseconds);
        reference.push_back(factorising);
        ratios.push_back(solved.deform_milliseconds / factorising);
        allocations.push_back(static_cast<double>(after - before));
        double separating = 0;
        for (const auto& [stage, spent] : solved.milliseconds)
            if (stage == "separate") separating = spent;
        last_pass.push_back(separating);
        ratios_without.push_back((solved.deform_milliseconds - separating) / factorising);
        for (const auto& [stage, spent] : solved.milliseconds)
            if (stage != "total") stages[stage] += spent / solved.deform_milliseconds;
    }
    for (const auto& [object, size] : sizes) {
        result.working.push_back(size[0]);
        result.deformable.push_back(size[1]);
    }
    result.milliseconds = quantile(milliseconds, 0.5);
    result.reference_milliseconds = quantile(reference, 0.5);
    result.ratio = quantile(ratios, 0.5);
    result.last_pass_milliseconds = quantile(last_pass, 0.5);
    result.ratio_without = quantile(ratios_without, 0.5);
    result.low_ratio = quantile(ratios, 0.25);
    result.high_ratio = quantile(ratios, 0.75);
    result.allocations = quantile(allocations, 0.5);
    for (const auto& [stage, share] : stages)
        result.stages.emplace_back(
            stage, share / static_cast<double>(std::max<std::size_t>(1, ratios.size())));
    result.bytes_a_vertex =
        static_cast<double>(counted_allocations().peak_bytes) / std::max(1, vertices);
    return result;
}

double quantile(std::vector<double> values, double part) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const double at = part * static_cast<double>(values.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (at - static_cast<double>(low)) * (values[high] - values[low]);
}

std::vector<GrowthResult> bench_growth(int frames) {
    std::vector<GrowthResult> results;
    for (int subdivisions = 4; subdivisions <= 7; ++subdivisions) {
        const LoadedScene scene =
            load({"growth",
                  "small-ball-large-ball",
                  {fmt::format("objects.large.mesh.sphere.subdivisions={}", subdivisions),
                   fmt::format("objects.small.mesh.sphere.subdivisions={}", subdivisions - 1)}});
        const std::vector<double> times = times_of(scene, frames);
        const FrameSolver solver(scene);
        SolvedFrame solved;
        for (const double time : times) solver.solve(time, solved);
        std::vector<double> milliseconds;
        for (const double time : times) {
            solver.solve(time, solved);
            if (solved.objects[0].contact_vertices > 0)
                milliseconds.push_back(solved.deform_milliseconds);
        }
        GrowthResult& result = results.emplace_back();
        for (const LoadedObject& object : scene.objects)
            result.vertices += object.source.mesh.vertex_count();
        result.milliseconds = quantile(milliseconds, 0.5);
    }
    return results;
}

SequenceResult bench_sequence(const BenchScene& asked, int frames, int threads) {
    const LoadedScene scene = load(asked);
    const std::vector<double> times = times_of(scene, frames);
    const FrameSolver solver(scene);
    SequenceResult result{asked.name, frames};
    const auto run = [&](int limit, double& best) {
        const ThreadLimit threads_of_run(limit);
        result.threads = thread_count();
        Stopwatch watch;
        parallel_for(times.size(), 1, [&](std::size_t i) { solver.solve(times[i]); });
        const double spent = watch.milliseconds();
        if (best == 0 || spent < best) best = spent;
    };
    double plans = 0; // are made in the first round
    run(threads, plans);
    for (int round = 0; round < 3; ++round) {
        run(1, result.one_milliseconds);
        run(threads, result.all_milliseconds);
    }
    return result;
}

double growth_exponent(const std::vector<GrowthResult>& results) {
    double x = 0, y = 0, xx = 0, xy = 0;
    const double count = static_cast<double>(results.size());
    for (const GrowthResult& result : results) {
        const double size = std::log(result.vertices), time = std::log(result.milliseconds);
        x += size / count;
        y += time / count;
        xx += size * size / count;
        xy += size * time / count;
    }
    return (xy - x * y) / (xx - x * x);
}

} // namespace knead::cli
