#pragma once

#include "knead/io/mesh_file.hpp"
#include "knead/scene/spec/skin_spec.hpp"

namespace knead {

/// A skeleton from the scene file that moves.
struct SceneSkeleton {
    std::vector<JointSpec> joints;
    Skeleton skeleton;
};

/// A skeleton from a glTF file with one of its animations, or -1.
struct FileSkeleton {
    Rig rig;
    int clip = -1;
};

/// What the scene's `skin` does to an object, when it brings a skeleton of its own.
struct ObjectSkin {
    Skin skin;
    std::variant<SceneSkeleton, FileSkeleton> skeleton;
};

/// Joint space -> the space the skin is in, for every joint of the skin's own skeleton.
std::vector<Affine3> joints_at(const ObjectSkin& skin, double frame, double seconds);

/// The same as they are at rest.
std::vector<Affine3> joints_at_rest(const ObjectSkin& skin);
std::vector<std::string> joint_names(const ObjectSkin& skin);

/// `seconds` is the time of the frame in a glTF animation.
void apply_skin_at(const ObjectSkin& skin, double frame, double seconds,
                   std::vector<Vec3>& positions);

/// Builds the skin that `spec` asks for. With a skeleton of its own it is returned; otherwise the
/// rig of `source` is changed. `animation` chooses one in the skeleton's file.
std::optional<ObjectSkin> build_skin(const SkinSpec& spec, const std::string& animation,
                                     MeshFile& source);

/// The clip of that name, or the first when `animation` is empty; -1 when there is none.
int find_clip(const Rig& rig, const std::string& animation);

} // namespace knead
