#pragma once

#include "knead/deform/frame.hpp"

namespace knead {

/// The same, never worse than nothing: given directions that do harm go over into those that would
/// be found without them.
Frame solve_without_harm(Bodies& bodies, FrameWorkspace& workspace,
                         std::span<const DeformObject> objects,
                         std::span<const DeformContact> contacts, const Progress& progress,
                         DeformResult& result);

} // namespace knead
