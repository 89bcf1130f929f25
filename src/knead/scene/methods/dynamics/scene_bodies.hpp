#pragma once

#include "knead/dynamics/simulation.hpp"
#include "knead/scene/load/loaded_scene.hpp"
#include "knead/spatial/surface.hpp"

#include <memory>

namespace knead {

/// The bodies of a scene, as they are at its first frame.
///
/// An object is what its `body` says. Without one it is kinematic when it is `rigid` or animated,
/// or when its mesh does not enclose a volume; otherwise it is a soft volume. Numbers with keys are
/// taken at the first frame. Objects without a mesh are left out.
struct SceneBodies {
    std::vector<BodyDefinition> bodies;
    SimulationSettings settings;
    std::vector<int> object_of; ///< body -> object
    std::vector<int> body_of;   ///< object -> body, or -1
    /// For spatial queries, one an object; copies share theirs.
    std::vector<std::shared_ptr<const SurfaceStructure>> structures;
    /// What is left out or taken differently than one might think.
    std::vector<std::string> notes;
};

/// Throws an InputError that begins with the key in the scene for a body that its mesh cannot be.
SceneBodies make_bodies(const LoadedScene& scene);

/// What the scene does to its bodies in the step of that length that ends at a frame.
StepInput step_input(const LoadedScene& scene, const SceneBodies& bodies, double frame,
                     double seconds);

} // namespace knead
