#pragma once

#include "knead/deform/fold/fold_region.hpp"
#include "knead/scene/load/loaded_scene.hpp"

namespace knead {

/// The fold between two parts of one object, given by their vertices; nothing when the contact is
/// one of parts that are looked at apart from each other: they do not touch each other at rest, or
/// no direction is known beforehand. Throws InputError when the contact asks for a fold that cannot
/// be, or the parts overlap without one.
std::shared_ptr<const FoldRegion> make_scene_fold(const LoadedScene& scene,
                                                  const ContactSpec& contact,
                                                  std::span<const int> first,
                                                  std::span<const int> second);

/// The direction in which the first part is resolved at a frame, from the joints of the fold.
/// `positions` are the object's. Nothing when the joints do not tell.
std::optional<Vec3> fold_direction_at(const LoadedScene& scene, const ContactSpec& contact,
                                      const FoldRegion& fold, std::span<const Vec3> positions,
                                      double frame);

} // namespace knead
