#pragma once

#include "knead/scene/format/scene_value.hpp"
#include "knead/scene/spec/scene.hpp"

namespace knead {

/// What the readers of an object's parts need to know about the scene, and what they found out.
struct ObjectContext {
    const ScenePaths& paths;
    UpAxis up;
    std::vector<NameReference>& references;

    /// A text that names a part of the object's mesh or skeleton.
    std::string name(const SceneValue& value, NameReference::Kind kind,
                     std::string_view what) const;
};

// The readers of the parts of a scene file, one function a part.

SceneObject read_object(const SceneValue& value, const ScenePaths& paths, UpAxis up);
std::vector<MeshSource> read_mesh_sources(const SceneValue& value, const ObjectContext& context);
Transform read_transform(const SceneValue& value);
/// An attribute that is painted in the scene.
Painting read_painting(const SceneValue& value, const ObjectContext& context);
SkinSpec read_skin(const SceneValue& value, const ObjectContext& context);
BodySpec read_body(const SceneValue& value, const ObjectContext& context);
/// Of an object: `skeleton`, `field`, `propagation`, `density`, `drag`, `friction`, `samples`.
ImplicitSpec read_implicit(const SceneValue& object, const ObjectContext& context);
/// The objects of `scene` are known already, and get the groups and joints that are named here.
ContactSpec read_contact(const SceneValue& value, Scene& scene);
std::vector<std::array<int, 2>> read_exclude(const SceneValue& value, const Scene& scene);

SceneFile read_path(const SceneValue& value, const ObjectContext& context);
/// A vector in the file's world space.
Keyed<Vec3> read_world_vector(const SceneValue& value, UpAxis up);

} // namespace knead
