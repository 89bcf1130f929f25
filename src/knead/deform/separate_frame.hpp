#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// The last pass: parts what still crosses after all that went before, and says in the notes what
/// it has left.
void separate_frame(Bodies& bodies, FrameWorkspace& workspace, Frame& frame);

} // namespace knead
