#pragma once

#include "knead/scene/scene.hpp"
#include "knead/scene/scene_value.hpp"

namespace knead {

/// What the readers of a scene's parts need to know about the whole.
struct SceneContext {
    const ScenePaths& paths;
    UpAxis up;
};

// The readers of the parts of a scene file, one function a part.

SceneObject read_object(const SceneValue& value, const SceneContext& context);
std::vector<MeshSource> read_mesh_sources(const SceneValue& value, const SceneContext& context);
Transform read_transform(const SceneValue& value);
SkinSpec read_skin(const SceneValue& value, const SceneContext& context);
BodySpec read_body(const SceneValue& value, const SceneContext& context);
/// Of an object: `skeleton`, `field`, `propagation`, `density`, `drag`, `friction`.
ImplicitSpec read_implicit(const SceneValue& object);
/// The objects of `scene` are known already.
ContactSpec read_contact(const SceneValue& value, const Scene& scene);
std::vector<std::array<int, 2>> read_exclude(const SceneValue& value, const Scene& scene);

SceneFile read_path(const SceneValue& value, const SceneContext& context);
/// A vector in the file's world space.
Keyed<Vec3> read_world_vector(const SceneValue& value, UpAxis up);

} // namespace knead
