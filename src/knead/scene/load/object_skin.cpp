#include "knead/scene/load/object_skin.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"
#include "knead/rig/bone_weights.hpp"
#include "knead/rig/transform.hpp"
#include "knead/scene/format/json.hpp"
#include "knead/scene/load/mesh_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

Skeleton skeleton_at_rest(const std::vector<JointSpec>& joints) {
    Skeleton skeleton;
    for (const JointSpec& spec : joints) {
        Joint joint{spec.name, spec.parent, {}};
        joint.rest.translation =
            spec.parent < 0 ? spec.position : Vec3(spec.position - joints[spec.parent].position);
        skeleton.joints.push_back(std::move(joint));
        skeleton.inverse_bind.push_back(Affine3(Eigen::Translation3d(-spec.position)));
    }
    return skeleton;
}

// A skeleton without the joints that move nothing, and which joint each one was.
struct Deformers {
    Skeleton skeleton;
    std::vector<int> joints;
};

Deformers all_joints(const Skeleton& skeleton) {
    Deformers result{skeleton, {}};
    for (int j = 0; j < skeleton.joint_count(); ++j) result.joints.push_back(j);
    return result;
}

// The nodes of a glTF file that its own skin uses.
Deformers joints_of_skin(const Rig& rig) {
    std::vector<int> number(rig.skeleton.joints.size(), -1);
    for (const int joint : rig.skin.weights.joints) number[joint] = 0;
    Deformers result;
    for (int j = 0; j < rig.skeleton.joint_count(); ++j)
        if (number[j] == 0) {
            number[j] = static_cast<int>(result.joints.size());
            result.joints.push_back(j);
        }
    for (const int j : result.joints) {
        Joint joint = rig.skeleton.joints[j];
        while (joint.parent >= 0 && number[joint.parent] < 0)
            joint.parent = rig.skeleton.joints[joint.parent].parent;
        if (joint.parent >= 0) joint.parent = number[joint.parent];
        result.skeleton.joints.push_back(std::move(joint));
        result.skeleton.inverse_bind.push_back(rig.skeleton.inverse_bind[j]);
    }
    return result;
}

// One number a joint at each vertex, in the order of the joints.
VertexAttribute read_weight_table(const SceneFile& file, const MeshFile& source, int joint_count) {
    VertexAttribute table = at_key(file.where, [&] { return read_csv_painting(file, source); });
    if (table.components != joint_count)
        throw InputError(fmt::format("{}: found {} in {}, expected {}, one a joint", file.where,
                                     counted(table.components, "column", "columns"),
                                     in_quotes(file.name), joint_count));
    return table;
}

VertexAttribute gather_attributes(const AttributeWeights& weights, const SkinSpec& spec,
                                  const TriangleMesh& mesh, int joint_count) {
    if (static_cast<int>(weights.names.size()) != joint_count)
        throw InputError(fmt::format(
            "{}.weights: found {}, expected {}, one a joint", spec.where,
            counted(static_cast<long long>(weights.names.size()), "attribute", "attributes"),
            joint_count));
    VertexAttribute table{joint_count, {}};
    for (int v = 0; v < mesh.vertex_count(); ++v)
        for (const std::string& name : weights.names)
            table.values.push_back(mesh.attributes.at(name).at(v));
    return table;
}

SkinWeights weights_of_table(const VertexAttribute& table, int vertex_count) {
    SkinWeights weights;
    for (int v = 0; v < vertex_count; ++v) {
        for (int j = 0; j < table.components; ++j) {
            if (table.at(v, j) == 0) continue;
            weights.joints.push_back(j);
            weights.weights.push_back(table.at(v, j));
        }
        weights.starts.push_back(static_cast<int>(weights.joints.size()));
    }
    return weights;
}

SkinWeights build_weights(const SkinSpec& spec, const Deformers& deformers,
                          const MeshFile& source) {
    const int count = deformers.skeleton.joint_count();
    SkinWeights weights;
    if (const auto* file = std::get_if<SceneFile>(&spec.weights)) {
        weights =
            weights_of_table(read_weight_table(*file, source, count), source.mesh.vertex_count());
    } else if (const auto* names = std::get_if<AttributeWeights>(&spec.weights)) {
        weights = weights_of_table(gather_attributes(*names, spec, source.mesh, count),
                                   source.mesh.vertex_count());
    } else {
        const auto* smooth = std::get_if<SmoothWeights>(&spec.weights);
        weights = bone_weights(deformers.skeleton, source.mesh.positions,
                               smooth == nullptr ? 0 : smooth->radius);
    }
    normalise_weights(weights, source.mesh.vertex_count(), count, spec.where + ".weights");
    for (int& joint : weights.joints) joint = deformers.joints[joint];
    return weights;
}

// The mesh's own skeleton, with another method or other weights.
void change_rig(const SkinSpec& spec, MeshFile& source) {
    if (!source.rig)
        throw InputError(
            fmt::format("{}: the mesh brings no skeleton, expected the key skeleton", spec.where));
    Rig& rig = *source.rig;
    SkinWeights weights = rig.skin.weights;
    if (!std::holds_alternative<std::monostate>(spec.weights))
        weights = build_weights(spec, joints_of_skin(rig), source);
    TriangleMesh bound;
    bound.positions = rig.bind_positions;
    bound.faces = source.mesh.faces;
    rig.skin = make_skin(spec.method, std::move(weights), bound);
}

FileSkeleton read_skeleton(const SceneFile& file, const std::string& animation) {
    MeshFile from = read_mesh(file.path);
    if (!from.rig) throw InputError(fmt::format("{} has no skeleton", in_quotes(file.name)));
    const int clip = find_clip(*from.rig, animation);
    return {std::move(*from.rig), clip};
}

std::vector<JointPose> poses_at(const SceneSkeleton& scene, double frame) {
    std::vector<JointPose> poses = rest_pose(scene.skeleton);
    for (std::size_t j = 0; j < poses.size(); ++j) {
        poses[j].translation += scene.joints[j].translate.at(frame);
        poses[j].rotation = rotation_from_degrees(scene.joints[j].rotate.at(frame));
        poses[j].scale = scene.joints[j].scale.at(frame);
    }
    return poses;
}

} // namespace

int find_clip(const Rig& rig, const std::string& animation) {
    if (animation.empty()) return rig.clips.empty() ? -1 : 0;
    const auto found = std::find_if(rig.clips.begin(), rig.clips.end(),
                                    [&](const Clip& clip) { return clip.name == animation; });
    return found == rig.clips.end() ? -1 : static_cast<int>(found - rig.clips.begin());
}

std::vector<Affine3> joints_at(const ObjectSkin& skin, double frame, double seconds) {
    if (const auto* file = std::get_if<FileSkeleton>(&skin.skeleton))
        return world_joints(file->rig, file->clip, seconds);
    const auto& scene = std::get<SceneSkeleton>(skin.skeleton);
    return world_matrices(scene.skeleton, poses_at(scene, frame));
}

std::vector<Affine3> joints_at_rest(const ObjectSkin& skin) {
    if (const auto* file = std::get_if<FileSkeleton>(&skin.skeleton))
        return world_joints(file->rig, -1, 0);
    const Skeleton& skeleton = std::get<SceneSkeleton>(skin.skeleton).skeleton;
    return world_matrices(skeleton, rest_pose(skeleton));
}

std::vector<std::string> joint_names(const ObjectSkin& skin) {
    const auto* file = std::get_if<FileSkeleton>(&skin.skeleton);
    std::vector<std::string> names;
    for (const Joint& joint : file != nullptr
                                  ? file->rig.skeleton.joints
                                  : std::get<SceneSkeleton>(skin.skeleton).skeleton.joints)
        names.push_back(joint.name);
    return names;
}

void apply_skin_at(const ObjectSkin& skin, double frame, double seconds,
                   std::vector<Vec3>& positions) {
    std::vector<Affine3> matrices;
    if (const auto* file = std::get_if<FileSkeleton>(&skin.skeleton)) {
        matrices = joint_matrices(file->rig, file->clip, seconds);
    } else {
        const auto& scene = std::get<SceneSkeleton>(skin.skeleton);
        matrices = skinning_matrices(scene.skeleton, poses_at(scene, frame));
    }
    std::vector<Vec3> posed;
    apply_skin(skin.skin, positions, matrices, posed);
    positions = std::move(posed);
}

std::optional<ObjectSkin> build_skin(const SkinSpec& spec, const std::string& animation,
                                     MeshFile& source) {
    if (std::holds_alternative<std::monostate>(spec.skeleton)) {
        change_rig(spec, source);
        return std::nullopt;
    }
    ObjectSkin result;
    Deformers deformers;
    if (const auto* file = std::get_if<SceneFile>(&spec.skeleton)) {
        FileSkeleton skeleton = read_skeleton(*file, animation);
        deformers = joints_of_skin(skeleton.rig);
        result.skeleton = std::move(skeleton);
    } else {
        const auto& joints = std::get<std::vector<JointSpec>>(spec.skeleton);
        SceneSkeleton skeleton{joints, skeleton_at_rest(joints)};
        deformers = all_joints(skeleton.skeleton);
        result.skeleton = std::move(skeleton);
    }
    result.skin = make_skin(spec.method, build_weights(spec, deformers, source), source.mesh);
    return result;
}

} // namespace knead
