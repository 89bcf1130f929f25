#pragma once

#include "knead/implicit/solid_frame.hpp"
#include "knead/scene/methods/implicit/scene_solids.hpp"

#include <string>

namespace knead {

/// A frame of solids in a few hundred bytes: where each is, whom it touches, and how high its bulge
/// is there. With the scene, shapes of any resolution can be made from it.
///
///     {"knead": 1, "frame": 12, "solids": {"ball": {"at": [0, 0.9, 0], "turn": [1, 0, 0, 0],
///                                                   "touches": {"floor": 0.12}}}}
std::string describe_solids(const SceneSolids& solids, const SolidFrame& frame, double at);

/// Throws an InputError that begins with `name` for what is no frame of these solids.
SolidFrame parse_solids(const SceneSolids& solids, const std::string& text,
                        const std::string& name);

} // namespace knead
