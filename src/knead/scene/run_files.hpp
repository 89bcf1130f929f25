#pragma once

#include "knead/io/cache.hpp"
#include "knead/scene/frame_source.hpp"
#include "knead/scene/run.hpp"

#include <array>
#include <memory>

namespace knead {

/// What shading wants to know of a frame, one number a vertex: 1 in a contact zone, and how far the
/// vertex was moved.
using OutputMaps = std::array<std::vector<double>, 2>;

/// What a frame writes, one entry an object.
struct FrameOutput {
    std::vector<std::vector<Vec3>> positions;
    std::vector<OutputMaps> maps;
    std::vector<std::vector<Vec3>> velocities; ///< none at all where the method knows of none
};

/// Takes the positions out of the frame.
FrameOutput frame_output(SolvedFrame& solved);

/// The files of a run: who is called what, what is there already, and the open caches.
class RunFiles {
public:
    RunFiles(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames);

    bool are_caches() const { return !caches_.empty(); }
    /// All files of a frame. Frames within a cache cannot be told one by one.
    bool is_there(double frame) const;
    /// The frames of the run that are not there yet, or all; counts those that it leaves out.
    std::vector<double> wanted(RunSummary& summary) const;
    /// May be called from several threads.
    void write(double frame, const FrameOutput& output) const;
    void finish();

private:
    int object_count() const { return static_cast<int>(scene_.objects.size()); }
    bool has_mesh(int object) const { return !scene_.objects[object].source.mesh.faces.empty(); }
    std::filesystem::path frame_path(int object, double frame) const;
    void write_ply_frame(int object, double frame, const FrameOutput& output) const;

    const LoadedScene& scene_;
    const RunSettings& settings_;
    const FrameSequence& frames_;
    std::vector<std::unique_ptr<CacheWriter>> caches_;
};

/// Throws InputError when the run would write over a file that the scene or itself reads, or over
/// its results with its report.
void expect_inputs_kept(const LoadedScene& scene, const RunSettings& settings,
                        const FrameSequence& frames, const RunSummary& summary);

/// Where a simulation leaves its state.
std::string state_name(Method method);

/// The report that is there already when it is of the same scene and method, else a fresh one.
/// Throws InputError when what is there is no report.
Report report_to_continue(const LoadedScene& scene, Method method,
                          const std::filesystem::path& path);

/// `run_scene` for the summary's method, when it depends on time.
void run_in_time(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames,
                 const Progress& progress, RunSummary& summary);

} // namespace knead
