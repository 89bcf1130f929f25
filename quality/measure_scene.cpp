#include "measure_scene.hpp"

#include "knead/base/parallel.hpp"
#include "knead/scene/run/jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact_region.hpp"
#include "frame_time.hpp"
#include "kept_figures.hpp"
#include "measure_frame.hpp"
#include "measure_motion.hpp"
#include "resolution.hpp"
#include "still.hpp"

namespace knead::quality {
namespace {

constexpr double largest_difference = 1e-9; // of the zone's radius
constexpr std::uint64_t seed = 2021;

double deepest_frame(const LoadedScene& scene, const SceneGauge& gauge) {
    const FrameRange frames = scene.scene.frames;
    std::vector<double> depths(static_cast<std::size_t>(frames.count()), 0);
    parallel_for(depths.size(), 1, [&](std::size_t i) {
        const auto positions = positions_at(scene, frames.first + static_cast<double>(i));
        const GaugedFrame gauged = gauge_frame(gauge, positions);
        for (int c = 0; c < static_cast<int>(gauge.contacts.size()); ++c)
            depths[i] = std::max(depths[i], measure_contact(gauge, gauged, c).depth);
    });
    return frames.first +
           static_cast<double>(std::max_element(depths.begin(), depths.end()) - depths.begin());
}

double zone_radius(const SolvedFrame& solved) {
    double area = 0;
    for (const ContactOutcome& contact : solved.contacts)
        area = std::max({area, contact.zone_area[0], contact.zone_area[1]});
    return std::sqrt(area / std::numbers::pi);
}

// A skin meets itself as its pose says, wherever the object is placed: another pose, up to half a
// frame away.
double disturbed_frame(const LoadedScene& scene, double frame, Random& random) {
    const bool skinned =
        std::any_of(scene.objects.begin(), scene.objects.end(),
                    [](const LoadedObject& object) { return object.skin.has_value(); });
    if (!skinned) return frame;
    const FrameRange frames = scene.scene.frames;
    return std::clamp<double>(frame + random.uniform(-0.5, 0.5), frames.first, frames.last);
}

// Numbers 1 to 3 at random placements, 6 and 7.
void measure_placements(const LoadedScene& scene, const SceneGauge& gauge, double frame,
                        int placements, ResolutionQuality& quality) {
    Random random(seed);
    quality.swapped.bound = quality.moved.bound = largest_difference;
    for (int i = 0; i < placements; ++i) {
        const double at = disturbed_frame(scene, frame, random);
        LoadedScene still = still_of(scene, at);
        disturb(still, at, random);
        const SolvedFrame solved = FrameSolver(still).solve(at);
        take_worse(quality.frame, measure_frame(still, gauge, at, solved));
        const double radius = zone_radius(solved);
        if (!(radius > 0)) continue;

        LoadedScene swapped = still;
        swap_order(swapped);
        const auto swapped_after = FrameSolver(swapped).solve(at).after;
        const std::size_t count = still.objects.size();
        for (std::size_t o = 0; o < count; ++o)
            for (std::size_t v = 0; v < solved.after[o].size(); ++v)
                quality.swapped.value = std::max(
                    quality.swapped.value,
                    (solved.after[o][v] - swapped_after[count - 1 - o][v]).norm() / radius);

        const Similarity similarity{random.rotation(), random.in_cube(5),
                                    std::exp2(random.uniform(-2, 2))};
        LoadedScene placed = still;
        place(placed, similarity);
        const auto placed_after = FrameSolver(placed).solve(at).after;
        for (std::size_t o = 0; o < count; ++o)
            for (std::size_t v = 0; v < solved.after[o].size(); ++v)
                quality.moved.value =
                    std::max(quality.moved.value,
                             (similarity(solved.after[o][v]) - placed_after[o][v]).norm() /
                                 (similarity.scale * radius));
    }
}

// Number 8, and the time of a frame.
void measure_repeats(const LoadedScene& scene, double frame, const SolvedFrame& alone,
                     ResolutionQuality& quality) {
    const FrameRange frames = scene.scene.frames;
    const FrameSolver solver(scene);
    std::vector<double> others;
    for (int i = 0; i < 5; ++i)
        others.push_back(frames.first + (frames.last - frames.first) * (0.3 + 0.1 * i));
    const FrameTime time = median_time(solver, others);
    quality.milliseconds = time.total;
    quality.last_pass = time.last_pass;
    quality.same_alone = solver.solve(frame).after == alone.after;
    quality.same_threads = true;
    for (const int threads : {1, 2, 8}) {
        const ThreadLimit limit(threads);
        if (FrameSolver(scene).solve(frame).after != alone.after) quality.same_threads = false;
    }
}

// Numbers 5 and 9.
void measure_zone(const LoadedScene& scene, const SolvedFrame& solved, ResolutionQuality& quality) {
    std::vector<double> angles;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        const TriangleMesh& mesh = scene.objects[i].source.mesh;
        const std::vector<double> found = zone_border_angles(
            solved.after[i], mesh.faces, build_topology(mesh.faces, mesh.vertex_count()),
            solved.objects[i].zone);
        angles.insert(angles.end(), found.begin(), found.end());
    }
    std::sort(angles.begin(), angles.end());
    for (const double angle : angles)
        quality.border_angle_mean += angle / static_cast<double>(angles.size());
    quality.border_angle_high = quantile(angles, 0.9);
    for (const ContactOutcome& contact : solved.contacts) {
        quality.threshold = std::max(quality.threshold, contact.threshold);
        quality.zone_area += 0.5 * (contact.zone_area[0] + contact.zone_area[1]);
    }
}

ResolutionQuality measure_resolution(const Scene& scene, double factor, double deepest,
                                     const MeasureSettings& settings, bool with_jumps,
                                     const std::function<void(const char*)>& say) {
    say("frame");
    ResolutionQuality quality;
    Scene scaled = scene;
    scale_resolution(scaled, factor);
    const LoadedScene loaded = load_scene(std::move(scaled));
    for (const LoadedObject& object : loaded.objects)
        quality.vertices += object.source.mesh.vertex_count();
    const SceneGauge gauge = make_gauge(loaded);
    const FrameSolver solver(loaded);
    const SolvedFrame solved = solver.solve(deepest);
    quality.frame = measure_frame(loaded, gauge, deepest, solved);
    measure_zone(loaded, solved, quality);
    say("placements");
    measure_placements(loaded, gauge, deepest, settings.placements, quality);
    say("repeats");
    measure_repeats(loaded, deepest, solved, quality);
    say("motion");
    quality.motion = measure_motion(loaded, gauge, solver);
    quality.motion.depth.bound = quality.frame.depth.bound;
    const FrameRange frames = loaded.scene.frames;
    if (!with_jumps || frames.count() < 2) return quality;
    say("jumps");
    const JumpReport jumps =
        find_jumps(loaded, {static_cast<double>(frames.first), static_cast<double>(frames.last),
                            settings.jump_step});
    quality.jump = Judged{jumps.largest.edges, jump_bound};
    quality.jump_frame = jumps.largest.high;
    quality.jumps = static_cast<int>(jumps.jumps.size());
    return quality;
}

} // namespace

SceneQuality measure_scene(const Scene& scene, const std::string& name,
                           const MeasureSettings& settings) {
    SceneQuality result;
    result.name = name;
    {
        const LoadedScene middle = load_scene(scene);
        result.deepest_frame = deepest_frame(middle, make_gauge(middle));
        result.open = open_objects(middle);
    }
    for (std::size_t r = 0; r < resolution_factors.size(); ++r) {
        const auto say = [&](const char* what) {
            if (settings.say) settings.say(name + ", " + resolution_names[r] + ": " + what);
        };
        const bool with_jumps = static_cast<int>(r) < settings.jump_resolutions;
        std::filesystem::path file;
        std::string key;
        if (!settings.kept.empty()) {
            file = settings.kept / fmt::format("{}.{}.json", name, resolution_names[r]);
            key = key_of_figures(scene, settings, with_jumps);
        }
        if (const auto figures = read_kept_figures(file, key)) {
            say("as it was");
            result.resolutions[r] = *figures;
            continue;
        }
        result.resolutions[r] = measure_resolution(scene, resolution_factors[r],
                                                   result.deepest_frame, settings, with_jumps, say);
        if (!file.empty()) write_kept_figures(file, key, result.resolutions[r]);
    }
    return result;
}

} // namespace knead::quality
