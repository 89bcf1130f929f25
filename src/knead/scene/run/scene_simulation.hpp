#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/methods/time_method.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <span>

namespace knead {

/// A scene on its way from its first frame on, by a method that depends on time.
///
/// Steps are on a fixed grid, so that a frame does not depend on which others are asked for; frames
/// between two steps are between their states, linearly.
class SceneSimulation {
public:
    /// Throws what `make_dynamics` or `make_implicit` throws, and InputError for a method that does
    /// not depend on time. The scene must outlive it.
    SceneSimulation(const LoadedScene& scene, Method method);

    /// The last whole frame that was reached.
    int frame() const { return frame_; }
    /// Whether `run` would still hand out that frame: all of them at the start, then those further
    /// on.
    bool is_before(double frame) const;
    /// Objects that the camera follows, one an object.
    std::vector<bool> followed() const { return method_->followed(); }

    /// Goes on to the whole frame that the last of the `wanted` frames, ascending, is in or before,
    /// and hands them out on the way; those before where it is are not handed out, and those before
    /// the scene's first are as that is. `at_whole_frame`, when given, is called at every whole
    /// frame that was reached, after the frames up to it were handed out; `save` may be called
    /// there. Throws Cancelled on a stop request, also within a step; the next run goes on from the
    /// step before as if there had been no break.
    void run(std::span<const double> wanted, const std::function<void(SimulatedFrame)>& each,
             const std::function<void()>& at_whole_frame = {}, const Progress& progress = {});

    /// The state at a whole frame: a simulation of the same scene that has loaded it goes on
    /// exactly like this one.
    void save(std::ostream& out) const;
    /// Throws InputError for what is not such a state; then this is not to be used any more.
    void load(std::istream& in);

private:
    bool is_at_start() const { return frame_ == first_ && step_ == 0; }
    // `step` steps after the last whole frame.
    double at_step(int step) const;

    int first_; ///< frame of the scene
    std::unique_ptr<TimeMethod> method_;
    int frame_;
    int step_ = 0; ///< that were taken since
};

/// Frames of a simulation that are kept, for pictures.
class SimulatedFrames : public FrameSource {
public:
    /// The scene must outlive it.
    explicit SimulatedFrames(const LoadedScene& scene) : scene_(scene) {}

    /// All of it but the input, which the scene knows.
    void keep(double frame, SolvedFrame solved);
    void set_followed(std::vector<bool> followed) { followed_ = std::move(followed); }
    /// Only of frames that are kept.
    SolvedFrame solve(double frame) const override;
    std::vector<bool> followed() const override { return followed_; }

private:
    const LoadedScene& scene_;
    std::vector<bool> followed_;
    std::map<double, SolvedFrame> frames_;
};

/// Where the description of a frame is kept in the folder of a run.
std::filesystem::path description_path(const std::filesystem::path& folder, double frame);

/// Frames of implicit solids from their descriptions in a folder, with the samples of the scene.
/// Throws InputError for one that is missing or no such description.
void show_stored_frames(const LoadedScene& scene, const std::filesystem::path& folder,
                        std::span<const double> wanted,
                        const std::function<void(SimulatedFrame)>& each,
                        const Progress& progress = {});

/// Simulates a scene up to the last of the frames, which may be in any order, and keeps those.
SimulatedFrames simulate_frames(const LoadedScene& scene, Method method,
                                std::span<const double> frames, const Progress& progress = {});

/// Those of `show_stored_frames`, kept for pictures.
SimulatedFrames stored_frames(const LoadedScene& scene, const std::filesystem::path& folder,
                              std::span<const double> frames, const Progress& progress = {});

} // namespace knead
