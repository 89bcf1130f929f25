#pragma once

#include "knead/scene/methods/deform/frame_solver.hpp"

#include <span>

namespace knead::quality {

/// A frame's time in milliseconds, and that of the last pass, which is a part of it.
struct FrameTime {
    double total = 0, last_pass = 0;
};

/// Of each frame the best of three, since other programs make it slower and never faster, and of
/// these the median. On one thread, with plans made before.
FrameTime median_time(const FrameSolver& solver, std::span<const double> frames);

} // namespace knead::quality
