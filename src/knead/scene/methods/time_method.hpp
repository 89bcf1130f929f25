#pragma once

#include "knead/scene/judge/report.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/scene/methods/frame_source.hpp"

#include <iosfwd>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace knead {

/// A frame of a simulation: the scene's input before, and what became of it.
struct SimulatedFrame {
    SolvedFrame solved; ///< `zone` of an object is 1 where it is within reach of another
    std::vector<std::vector<Vec3>> velocities; ///< one list an object
    FrameReport report;
    /// The compact description of the frame, where the method has one (see `describe_solids`).
    std::string description;
};

/// A method that depends on time: what it does in a step, and what a frame of it looks like. The
/// walk over frames and steps is `SceneSimulation`'s.
class TimeMethod {
public:
    virtual ~TimeMethod() = default;

    virtual int steps_a_frame() const = 0;
    /// Called at the beginning of every whole frame: counters of the report start again.
    virtual void begin_frame() = 0;
    /// Keeps the state, so that frames before the end of the next step can be shown.
    virtual void remember() = 0;
    /// To the (fractional) frame `at`. When it throws, Cancelled on a request to stop, the state is
    /// as before.
    virtual void step(double at, const std::stop_token& stop) = 0;
    /// At `t` of the way from what was remembered to where it is now; 1 is now, and needs nothing
    /// to be remembered.
    virtual SimulatedFrame show(double at, double t) = 0;
    /// Objects that the camera follows, one an object.
    virtual std::vector<bool> followed() const = 0;

    /// The state at a whole frame: with the same scene, one that has loaded it goes on exactly like
    /// this one.
    virtual void save(std::ostream& out) const = 0;
    /// Throws InputError for what is not such a state; then this is not to be used any more.
    virtual void load(std::istream& in) = 0;
};

} // namespace knead
