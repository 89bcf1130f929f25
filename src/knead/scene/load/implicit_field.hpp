#pragma once

#include "knead/implicit/field.hpp"
#include "knead/scene/load/object_skin.hpp"
#include "knead/scene/spec/scene_object.hpp"

namespace knead {

/// The skeletons of an object at a frame, in object space, with what its skin (or null) does to
/// them. `seconds` is the time of the frame in a glTF animation. Throws an InputError that begins
/// with the key for a field without a radius.
std::vector<FieldPiece> field_pieces(const SceneObject& object, const ObjectSkin* skin,
                                     double frame, double seconds);

/// The field of an object. An InputError begins with the key of the piece that is wrong.
Field field_of(const SceneObject& object, std::vector<FieldPiece> pieces);

/// There is a skeleton, and all of it has a radius.
bool has_field(const ImplicitSpec& implicit);

/// The samples of an object that has no mesh: the surface of its field, as its skin finds it.
TriangleMesh sample_mesh(const SceneObject& object, double frame);

} // namespace knead
