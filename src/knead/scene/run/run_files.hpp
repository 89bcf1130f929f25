#pragma once

#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/frame_source.hpp"
#include "knead/scene/run/frame_store.hpp"
#include "knead/scene/run/run_report.hpp"
#include "knead/scene/run/run_scene.hpp"

namespace knead {

/// What a frame writes, one entry an object.
struct FrameOutput {
    std::vector<std::vector<Vec3>> positions;
    std::vector<OutputMaps> maps;
    std::vector<std::vector<Vec3>> velocities; ///< none at all where the method knows of none
};

/// Takes the positions out of the frame.
FrameOutput frame_output(SolvedFrame& solved);

/// The files of a run and its report: who is called what, what is there already, and frames that
/// wait for their cache to be whole.
class RunFiles {
public:
    /// Looks at what is there. Throws InputError when another run is writing the same caches, or
    /// there is one with frames that this one has not.
    RunFiles(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames,
             Method method, const std::filesystem::path& report_path);

    /// The frames of the run that are not there yet, or all; counts those that it leaves out.
    std::vector<double> wanted(RunSummary& summary) const;
    /// Where a simulation leaves its state.
    std::filesystem::path state_path() const;
    const std::string& scene_hash() const { return report_.all().scene_hash; }

    /// May be called from several threads.
    void write(double frame, const FrameOutput& output) const;
    /// Of a frame that was written. Not from several threads.
    void add_report(FrameReport frame) { running_report().add(std::move(frame)); }
    /// Puts the reports of frames that were written on the disk.
    void write_report();
    /// Writes caches and the report, which it returns.
    const Report& finish();

private:
    int object_count() const { return static_cast<int>(scene_.objects.size()); }
    bool has_mesh(int object) const { return !scene_.objects[object].source.mesh.faces.empty(); }
    std::filesystem::path frame_path(int object, double frame) const;
    std::filesystem::path cache_path(int object) const;
    void write_ply_frame(int object, double frame, const FrameOutput& output) const;

    // A frame's own files, or its place in the store.
    bool is_there(double frame) const;
    // An earlier run has finished caches with these frames.
    bool caches_are_whole() const;
    // Than the caches, which are whole: frames of a run that has not ended, or of another scene.
    bool store_has_more() const;
    void open_store();
    // A report is of one scene and method: entries of another go.
    void warn_of_lost_entries() const;
    // `there` are those that the caches have, if that is known.
    void expect_no_frames_lost(const std::optional<FrameSequence>& there) const;
    void write_cache(int object) const;
    // Reports of frames that wait for their cache wait with them.
    RunReport& running_report() { return stored_report_ ? *stored_report_ : report_; }
    const RunReport& running_report() const { return stored_report_ ? *stored_report_ : report_; }

    const LoadedScene& scene_;
    const RunSettings& settings_;
    const FrameSequence& frames_;
    Method method_;
    RunReport report_;
    // Of caches.
    std::optional<FrameStore> store_;
    std::optional<RunReport> stored_report_;
};

/// Throws InputError when the run would write over a file that the scene or itself reads, or over
/// its results with its report.
void expect_inputs_kept(const LoadedScene& scene, const RunSettings& settings,
                        const FrameSequence& frames, Method method,
                        const std::filesystem::path& report);

/// `run_scene` for the summary's method, when it depends on time.
void run_in_time(const LoadedScene& scene, const RunSettings& settings, const FrameSequence& frames,
                 const Progress& progress, const WatchFrames& watch, RunSummary& summary);

} // namespace knead
