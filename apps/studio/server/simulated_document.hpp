#pragma once

#include "knead/scene/run/scene_simulation.hpp"

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace knead::studio {

/// A frame as the page is shown it, and the scene that it is of: a session may have another one by
/// the time that somebody looks at the frame again.
struct ShownFrame {
    std::shared_ptr<const LoadedScene> scene;
    double frame = 0;
    std::shared_ptr<const SolvedFrame> solved;
    /// Of a simulated frame; others are measured later, when there is time.
    std::shared_ptr<const FrameReport> report;
};

/// The simulation of a document on its way, and the frames that it has reached.
///
/// A frame does not depend on which others are asked for: one that is kept is there at once, and
/// one further on is reached from where the simulation is.
class SimulatedDocument {
public:
    /// By the scene's own method. Throws what `SceneSimulation` throws. `most_bytes` is about what
    /// frames may take that are kept: then the first that were kept go.
    SimulatedDocument(std::shared_ptr<const LoadedScene> scene, std::size_t most_bytes);

    /// Goes on to a frame, and shows the whole frames that it passes. Throws Cancelled on a stop
    /// request, between two steps; what was reached stays, and the next call goes on from there.
    ShownFrame reach(double frame, const std::function<void(const ShownFrame&)>& passed,
                     const Progress& progress);

    /// From and to, of all whole frames that are kept.
    std::vector<std::array<int, 2>> ranges() const;

private:
    struct Kept {
        SolvedFrame solved; ///< without its input
        std::shared_ptr<const FrameReport> report;
        std::size_t bytes = 0;
    };

    SceneSimulation& on_the_way_to(double frame);
    const Kept& keep(SimulatedFrame frame);
    ShownFrame show(double frame, const Kept& kept) const;

    std::shared_ptr<const LoadedScene> scene_;
    SceneSimulation ahead_;
    /// For frames that the other has passed and that are not kept; made when first needed.
    std::optional<SceneSimulation> behind_;
    std::map<double, Kept> frames_;
    std::deque<double> order_; ///< of being kept
    std::size_t bytes_ = 0;
    std::size_t most_bytes_;
};

} // namespace knead::studio
