#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// Resolves the contacts of a frame together, each on the input alone, and then what they do to
/// each object. `kept` is one a contact: how much of its given direction counts.
Frame solve_frame(Bodies& bodies, FrameWorkspace& workspace, std::span<const DeformObject> objects,
                  std::span<const DeformContact> contacts, std::span<const double> kept,
                  const Progress& progress, DeformResult& result);

} // namespace knead
