#pragma once

#include "knead/base/progress.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/frame_source.hpp"

#include <memory>

namespace knead {

/// Resolves the contacts of a scene, any frame on its own. Frames may be asked for from several
/// threads; each takes a deformer from a pool, which changes no result.
class FrameSolver : public FrameSource {
public:
    /// The scene must outlive the solver.
    explicit FrameSolver(const LoadedScene& scene);
    /// For an edited version of a scene: takes over what `earlier` has prepared, where the meshes
    /// are the same, which changes no result. `earlier` can still be used.
    FrameSolver(const LoadedScene& scene, FrameSolver& earlier);
    ~FrameSolver() override;
    FrameSolver(const FrameSolver&) = delete;
    FrameSolver& operator=(const FrameSolver&) = delete;

    SolvedFrame solve(double frame) const override;
    /// The same in the memory of an earlier frame. When a stop is asked for it throws `Cancelled`
    /// before the next contact or stage of one, and `solved` is not to be used.
    void solve(double frame, SolvedFrame& solved, const Progress& progress = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead
