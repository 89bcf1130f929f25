#pragma once

#include "knead/deform/deform.hpp"
#include "knead/scene/scene_state.hpp"

#include <memory>
#include <optional>

namespace knead {

/// A proxy in one frame: what touched in the place of an object.
struct SolvedProxy {
    std::shared_ptr<const SurfaceStructure> structure;
    std::vector<Vec3> before, after;
    std::vector<double> zone; ///< as of an object
};

/// One frame before and after its contacts were resolved.
struct SolvedFrame {
    std::vector<std::vector<Vec3>> before; ///< one list an object
    std::vector<std::vector<Vec3>> after;
    std::vector<ObjectOutcome> objects;              ///< their positions have moved to `after`
    std::vector<std::optional<SolvedProxy>> proxies; ///< one an object
    std::vector<ContactOutcome> contacts;            ///< in the order of `contacts_of`
    std::vector<std::pair<std::string, double>> milliseconds; ///< by stage
    double deform_milliseconds = 0;                           ///< of the deformer alone
};

/// Resolves the contacts of a scene, any frame on its own. Frames may be asked for from several
/// threads; each takes a deformer from a pool, which changes no result.
class FrameSolver {
public:
    /// The scene must outlive the solver.
    explicit FrameSolver(const LoadedScene& scene);
    /// For an edited version of a scene: takes over what `earlier` has prepared, where the meshes
    /// are the same, which changes no result. `earlier` can still be used.
    FrameSolver(const LoadedScene& scene, FrameSolver& earlier);
    ~FrameSolver();
    FrameSolver(const FrameSolver&) = delete;
    FrameSolver& operator=(const FrameSolver&) = delete;

    SolvedFrame solve(double frame) const;
    /// The same in the memory of an earlier frame. When a stop is asked for it throws `Cancelled`
    /// before the next contact or stage of one, and `solved` is not to be used.
    void solve(double frame, SolvedFrame& solved, const Progress& progress = {}) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace knead
