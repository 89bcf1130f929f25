#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// All contacts of the frame together: what they do to each object, what is left inside, volume,
/// relief.
void finish_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame);

} // namespace knead
