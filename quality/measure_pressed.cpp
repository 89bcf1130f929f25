#include "measure_pressed.hpp"

#include "knead/base/file.hpp"
#include "knead/base/hash.hpp"
#include "knead/scene/read/scene_file.hpp"
#include "knead/scene/run/jumps.hpp"

#include "frame_time.hpp"
#include "kept_figures.hpp"
#include "measure_motion.hpp"

namespace knead::quality {
namespace {

// The scene, and the meshes that it names.
std::string key_of(const LoadedScene& scene, const MeasureSettings& settings) {
    Hash meshes;
    for (const LoadedObject& object : scene.objects) {
        const TriangleMesh& mesh = object.source.mesh;
        meshes.add(mesh.positions.data(), mesh.positions.size() * sizeof(Vec3));
        meshes.add(mesh.faces.data(), mesh.faces.size() * sizeof(Triangle));
    }
    return key_of_figures(scene.scene, settings, settings.jump_resolutions > 0) + " " +
           meshes.text();
}

} // namespace

ResolutionQuality measure_pressed(const std::filesystem::path& file,
                                  const MeasureSettings& settings) {
    const LoadedScene scene = load_scene(read_scene(file));
    std::filesystem::path kept;
    std::string key;
    if (!settings.kept.empty()) {
        kept = settings.kept / file.filename();
        key = key_of(scene, settings);
        if (const auto figures = read_kept_figures(kept, key)) return *figures;
    }
    const FrameSolver solver(scene);
    ResolutionQuality quality;
    for (const LoadedObject& object : scene.objects)
        quality.vertices += object.source.mesh.vertex_count();
    quality.motion = measure_motion(scene, make_gauge(scene), solver);
    quality.motion.depth.bound = largest_depth_left;
    const FrameRange frames = scene.scene.frames;
    const double first = frames.first, last = frames.last;
    const std::array<double, 3> looked_at = {first + 0.5 * (last - first),
                                             first + 0.75 * (last - first), last};
    const FrameTime time = median_time(solver, looked_at);
    quality.milliseconds = time.total;
    quality.last_pass = time.last_pass;
    if (settings.jump_resolutions > 0) {
        const JumpReport jumps = find_jumps(scene, {first, last, settings.jump_step});
        quality.jump = Judged{jumps.largest.edges, jump_bound};
        quality.jump_frame = jumps.largest.high;
        quality.jumps = static_cast<int>(jumps.jumps.size());
    }
    if (!settings.kept.empty()) write_kept_figures(kept, key, quality);
    return quality;
}

} // namespace knead::quality
