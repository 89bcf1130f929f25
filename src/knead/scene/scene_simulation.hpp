#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/frame_source.hpp"
#include "knead/scene/report.hpp"
#include "knead/scene/scene_bodies.hpp"

#include <functional>
#include <map>

namespace knead {

/// A frame of a simulation: the scene's input before, and what became of it.
struct SimulatedFrame {
    SolvedFrame solved; ///< `zone` of an object is 1 where it is within reach of another
    std::vector<std::vector<Vec3>> velocities; ///< one list an object
    FrameReport report;
};

/// The bodies of a scene on their way from its first frame on.
///
/// Steps are on a fixed grid, so that a frame does not depend on which others are asked for; frames
/// between two steps are between their states, linearly.
class SceneSimulation {
public:
    /// Throws what `make_bodies` and `Simulation` throw. The scene must outlive it.
    explicit SceneSimulation(const LoadedScene& scene);
    ~SceneSimulation();
    SceneSimulation(SceneSimulation&&) noexcept;
    SceneSimulation& operator=(SceneSimulation&&) noexcept;

    /// The last whole frame that was reached.
    int frame() const;
    const SceneBodies& bodies() const;

    /// Goes on to the whole frame that the last of the `wanted` frames, ascending, is in or before,
    /// and hands them out on the way; those before the frame it is at are not handed out, and those
    /// before the scene's first are as that is. `at_whole_frame`, when given, is called at every
    /// whole frame that was reached, after the frames up to it were handed out; `save` may be
    /// called there. Throws Cancelled on a stop request, and then is not to be used any more.
    void run(std::span<const double> wanted, const std::function<void(SimulatedFrame)>& each,
             const std::function<void()>& at_whole_frame = {}, const Progress& progress = {});

    /// The state at a whole frame: a simulation of the same scene that has loaded it goes on
    /// exactly like this one.
    void save(std::ostream& out) const;
    /// Throws InputError for what is not such a state; then this is not to be used any more.
    void load(std::istream& in);

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Frames of a simulation that are kept, for pictures.
class SimulatedFrames : public FrameSource {
public:
    explicit SimulatedFrames(const LoadedScene& scene) : scene_(scene) {}

    void keep(double frame, const SolvedFrame& solved);
    void set_followed(std::vector<bool> followed) { followed_ = std::move(followed); }
    /// Only of frames that are kept.
    SolvedFrame solve(double frame) const override;
    std::vector<bool> followed() const override { return followed_; }

private:
    struct Kept {
        std::vector<std::vector<Vec3>> after;
        std::vector<std::vector<double>> zones;
    };
    const LoadedScene& scene_;
    std::vector<bool> followed_;
    std::map<double, Kept> frames_;
};

/// What the camera follows: bodies that move by themselves, and solids.
std::vector<bool> followed_by_camera(const SceneBodies& bodies);

/// Simulates a scene up to the last of the frames, which may be in any order, and keeps those.
SimulatedFrames simulate_frames(const LoadedScene& scene, std::span<const double> frames,
                                const Progress& progress = {});

} // namespace knead
