#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// What the contact at hand does to the objects of its pair, of which nothing is a fold, or `fold`
/// all.
void displace_sides(const ResolvedPair& pair, FoldSurfaces* fold, const FieldMethods& methods,
                    Bodies& bodies, FrameWorkspace& workspace, Frame& frame,
                    ContactOutcome& outcome);

} // namespace knead
