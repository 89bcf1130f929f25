#pragma once

#include "knead/base/random.hpp"
#include "knead/scene/load/loaded_scene.hpp"

namespace knead::quality {

// Scenes whose objects stand where they are at one frame, so that they can be placed at will. Asked
// for that frame, they have its numbers and its poses too.

/// The scene at a frame, its transforms constant. All contacts are listed.
LoadedScene still_of(const LoadedScene& scene, double frame);

/// Everything turned, moved and scaled, the lengths and directions among the controls too.
struct Similarity {
    Quat rotation = Quat::Identity();
    Vec3 translation = Vec3::Zero();
    double scale = 1;

    Vec3 operator()(const Vec3& point) const { return scale * (rotation * point) + translation; }
};
void place(LoadedScene& still, const Similarity& similarity);

/// Turns every object by up to a degree and moves it by up to a fifth of an edge, as they are at
/// the frame, so that no vertex lies on the other surface by symmetry.
void disturb(LoadedScene& still, double frame, Random& random);

/// Objects and contacts in the opposite order, and the sides of the contacts exchanged.
void swap_order(LoadedScene& still);

} // namespace knead::quality
