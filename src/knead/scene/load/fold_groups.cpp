#include "knead/scene/load/fold_groups.hpp"

#include "knead/base/error.hpp"
#include "knead/scene/format/json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace knead {
namespace {

// What moves the vertices of an object.
struct Bones {
    const Skeleton* skeleton = nullptr;
    const SkinWeights* weights = nullptr;
    Affine3 to_object = Affine3::Identity(); ///< from the space the skeleton is in

    int find(const std::string& name) const {
        const auto found = std::find_if(skeleton->joints.begin(), skeleton->joints.end(),
                                        [&](const Joint& joint) { return joint.name == name; });
        return static_cast<int>(found - skeleton->joints.begin());
    }
    bool hangs_on(int joint, int ancestor) const {
        while (joint >= 0 && joint != ancestor) joint = skeleton->joints[joint].parent;
        return joint == ancestor;
    }
};

Bones bones_of(const LoadedObject& object) {
    if (!object.skin)
        return {&object.source.rig->skeleton, &object.source.rig->skin.weights, object.at};
    if (const auto* file = std::get_if<FileSkeleton>(&object.skin->skeleton))
        return {&file->rig.skeleton, &object.skin->skin.weights};
    return {&std::get<SceneSkeleton>(object.skin->skeleton).skeleton, &object.skin->skin.weights};
}

// One a vertex: how much it follows the joint and all that hangs on it.
std::vector<double> weights_behind(const Bones& bones, int joint) {
    std::vector<char> behind;
    for (int j = 0; j < bones.skeleton->joint_count(); ++j)
        behind.push_back(bones.hangs_on(j, joint));
    std::vector<double> sums;
    for (int v = 0; v < bones.weights->vertex_count(); ++v) {
        double& sum = sums.emplace_back(0);
        for (int i = bones.weights->starts[v]; i < bones.weights->starts[v + 1]; ++i)
            if (behind[bones.weights->joints[i]]) sum += bones.weights->weights[i];
    }
    return sums;
}

// Three joints in a row, and whether the last one hangs on the first.
struct JointRow {
    int first = 0, middle = 0, last = 0;
    bool down = true;
};

JointRow joints_in_a_row(const Bones& bones, const FoldSpec& fold) {
    JointRow row{bones.find(fold.joints[0]), bones.find(fold.joints[1]),
                 bones.find(fold.joints[2])};
    row.down = bones.hangs_on(row.middle, row.first) && bones.hangs_on(row.last, row.middle);
    if (!row.down &&
        !(bones.hangs_on(row.middle, row.last) && bones.hangs_on(row.first, row.middle)))
        throw InputError(fmt::format("{}.joints: found {}, {} and {}, expected three joints in a "
                                     "row, each on the way from the one before",
                                     fold.where, in_quotes(fold.joints[0]),
                                     in_quotes(fold.joints[1]), in_quotes(fold.joints[2])));
    return row;
}

// The vertices on the side of the first joint, and on that of the last.
std::array<std::vector<int>, 2> sides_of_joint(const Bones& bones, const FoldSpec& fold,
                                               std::span<const Vec3> positions) {
    const auto [first, middle, last, down] = joints_in_a_row(bones, fold);
    const std::vector<Affine3> rest = world_matrices(*bones.skeleton, rest_pose(*bones.skeleton));
    const auto place = [&](int joint) -> Vec3 {
        return bones.to_object * rest[joint].translation();
    };
    const Vec3 at = place(middle);
    const std::array<double, 2> reach = {2 * (place(first) - at).norm(),
                                         2 * (place(last) - at).norm()};
    const std::vector<double> behind = weights_behind(bones, middle);
    std::array<std::vector<int>, 2> sides;
    for (std::size_t v = 0; v < positions.size(); ++v) {
        const int side = (behind[v] > 0.5) == down ? 1 : 0;
        if ((positions[v] - at).norm() <= reach[side]) sides[side].push_back(static_cast<int>(v));
    }
    for (const int side : {0, 1})
        if (sides[side].empty())
            throw InputError(fmt::format(
                "{}.joints: no vertex follows the bones from {} to {} more than others, expected "
                "some on either side of the joint",
                fold.where, in_quotes(fold.joints[1]), in_quotes(fold.joints[side == 0 ? 0 : 2])));
    return sides;
}

} // namespace

void add_fold_groups(LoadedScene& scene) {
    if (!scene.scene.contacts) return;
    for (ContactSpec& contact : *scene.scene.contacts) {
        if (!contact.fold || contact.fold->joints.empty()) continue;
        LoadedObject& object = scene.objects[contact.between[0].object];
        joints_in_a_row(bones_of(object), *contact.fold);
        if (!contact.between[0].group.empty()) continue;
        TriangleMesh& mesh = object.source.mesh;
        auto sides = sides_of_joint(bones_of(object), *contact.fold, mesh.positions);
        for (const int side : {0, 1}) {
            std::string name = fmt::format("{} to {}", contact.fold->joints[1],
                                           contact.fold->joints[side == 0 ? 0 : 2]);
            while (mesh.groups.contains(name)) name += "'";
            contact.between[side].group = name;
            mesh.groups[name] = std::move(sides[side]);
        }
    }
}

} // namespace knead
