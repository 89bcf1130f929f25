#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// Of a frame that was solved with its contacts together: those that are linked are resolved one
/// after the other instead.
void solve_in_sequence(Bodies& bodies, FrameWorkspace& workspace, Frame& frame);

} // namespace knead
