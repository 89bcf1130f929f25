#pragma once

#include "knead/scene/judge/measure.hpp"
#include "knead/scene/methods/implicit/solid_description.hpp"
#include "knead/scene/methods/time_method.hpp"

namespace knead {

/// What frames of solids need besides the solids: made once a scene.
struct SolidStage {
    const LoadedScene& scene;
    SceneSolids solids;
    SceneGauge gauge;

    explicit SolidStage(const LoadedScene& of);
};

/// A frame of solids as the scene's objects: shapes, surfaces, contacts and volumes. `placed` are
/// the solids where they are in it, `contacts` those between them there.
SimulatedFrame picture_of_solids(const SolidStage& stage, std::span<const Solid> placed,
                                 std::span<const SolidContact> contacts, const SolidFrame& frame,
                                 double at);

/// Frames that were described before, shown at whatever resolution the scene has now.
class StoredSolids {
public:
    /// Throws what `make_scene_solids` and `make_solid` throw. The scene must outlive it.
    explicit StoredSolids(const LoadedScene& scene);
    /// `text` is a description of the frame; `name` begins complaints about it.
    SimulatedFrame show(double at, const std::string& text, const std::string& name);

private:
    SolidStage stage_;
    std::vector<Solid> solids_;
};

/// Solids that move by themselves; all when none does.
std::vector<bool> followed_solids(const SolidStage& stage);

} // namespace knead
