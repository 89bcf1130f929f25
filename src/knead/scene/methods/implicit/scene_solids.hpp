#pragma once

#include "knead/implicit/solid_simulation.hpp"
#include "knead/scene/load/loaded_scene.hpp"

namespace knead {

/// The implicit solids of a scene, as they are at its first frame.
///
/// An object with a `skeleton` is one. It moves by itself unless it is `rigid`, animated or has a
/// kinematic `body`; with a rigid `body` it keeps its shape and moves. Objects without a skeleton
/// are left out.
struct SceneSolids {
    std::vector<SolidDefinition> solids;
    SolidSettings settings;
    std::vector<int> object_of; ///< solid -> object
    std::vector<int> solid_of;  ///< object -> solid, or -1
    /// What is left out or taken differently than one might think.
    std::vector<std::string> notes;
};

/// Throws an InputError that begins with the key in the scene.
SceneSolids make_scene_solids(const LoadedScene& scene);

/// What an object's contacts are like at a frame.
struct ContactNumbers {
    double drag = 0, friction = 0;
    Propagation propagation;
};
ContactNumbers contact_numbers(const LoadedScene& scene, int object, double frame);

/// Where held solids are at a frame, one entry a solid.
std::vector<HeldTarget> held_targets(const LoadedScene& scene, const SceneSolids& solids,
                                     double frame);

} // namespace knead
