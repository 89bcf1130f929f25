#pragma once

#include "knead/scene/judge/solved_frame.hpp"

namespace knead {

/// Where pictures take the frames of a scene from.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    virtual SolvedFrame solve(double frame) const = 0;
    /// Objects that the camera follows to where they end up, one an object. None: it looks at the
    /// solids of the scene, where they come from.
    virtual std::vector<bool> followed() const { return {}; }
};

} // namespace knead
