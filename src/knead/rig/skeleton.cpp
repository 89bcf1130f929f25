#include "knead/rig/skeleton.hpp"

#include "knead/base/error.hpp"
#include "knead/base/text.hpp"

#include <fmt/format.h>

namespace knead {
namespace {

// Joints that have not been visited yet, from `joint` up to the root or to one that has.
std::vector<int> unvisited_chain(const Skeleton& skeleton, int joint,
                                 const std::vector<char>& visited) {
    std::vector<int> chain;
    for (; joint >= 0 && !visited[joint]; joint = skeleton.joints[joint].parent)
        chain.push_back(joint);
    return chain;
}

std::string name_of(const Skeleton& skeleton, int joint) {
    const std::string& name = skeleton.joints[joint].name;
    return name.empty() ? fmt::format("joint {}", joint) : "joint " + single_quoted(name);
}

} // namespace

Affine3 JointPose::matrix() const {
    Affine3 result;
    result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
    result.translation() = translation;
    result.makeAffine();
    return result;
}

void check_skeleton(const Skeleton& skeleton, const std::string& where) {
    const int count = skeleton.joint_count();
    if (skeleton.inverse_bind.size() != skeleton.joints.size())
        throw InputError(fmt::format("{}: found {}, expected one for each of {}", where,
                                     counted(static_cast<long long>(skeleton.inverse_bind.size()),
                                             "inverse bind matrix", "inverse bind matrices"),
                                     counted(count, "joint", "joints")));
    for (int j = 0; j < count; ++j)
        if (const int parent = skeleton.joints[j].parent; parent < -1 || parent >= count)
            throw InputError(fmt::format("{}: {} has the parent {}, expected -1 to {}", where,
                                         name_of(skeleton, j), parent, count - 1));
    if (const std::optional<int> joint = find_cycle(skeleton))
        throw InputError(
            fmt::format("{}: {} is its own ancestor", where, name_of(skeleton, *joint)));
}

std::optional<int> find_cycle(const Skeleton& skeleton) {
    enum : char { unvisited, above, done };
    std::vector<char> state(skeleton.joints.size(), unvisited);
    for (int j = 0; j < skeleton.joint_count(); ++j) {
        int at = j;
        for (; at >= 0 && state[at] == unvisited; at = skeleton.joints[at].parent)
            state[at] = above;
        if (at >= 0 && state[at] == above) return at;
        for (at = j; at >= 0 && state[at] == above; at = skeleton.joints[at].parent)
            state[at] = done;
    }
    return std::nullopt;
}

std::vector<JointPose> rest_pose(const Skeleton& skeleton) {
    std::vector<JointPose> poses;
    poses.reserve(skeleton.joints.size());
    for (const Joint& joint : skeleton.joints) poses.push_back(joint.rest);
    return poses;
}

std::vector<Affine3> world_matrices(const Skeleton& skeleton, std::span<const JointPose> poses) {
    std::vector<Affine3> world(skeleton.joints.size());
    std::vector<char> visited(skeleton.joints.size(), 0);
    for (int j = 0; j < skeleton.joint_count(); ++j) {
        const std::vector<int> chain = unvisited_chain(skeleton, j, visited);
        for (auto joint = chain.rbegin(); joint != chain.rend(); ++joint) {
            const int parent = skeleton.joints[*joint].parent;
            world[*joint] =
                parent < 0 ? poses[*joint].matrix() : world[parent] * poses[*joint].matrix();
            visited[*joint] = 1;
        }
    }
    return world;
}

std::vector<Affine3> skinning_matrices(const Skeleton& skeleton, std::span<const JointPose> poses) {
    std::vector<Affine3> matrices = world_matrices(skeleton, poses);
    for (std::size_t j = 0; j < matrices.size(); ++j)
        matrices[j] = matrices[j] * skeleton.inverse_bind[j];
    return matrices;
}

} // namespace knead
