#include "knead/io/mesh_rig.hpp"

#include <algorithm>

namespace knead {
namespace {

std::vector<JointPose> poses_at(const Rig& rig, int clip, double time) {
    return clip < 0 ? rest_pose(rig.skeleton) : pose_at(rig.clips[clip], rig.skeleton, time);
}

} // namespace

double duration(const Rig& rig, int clip) {
    if (clip < 0) return 0;
    double longest = rig.clips[clip].duration();
    for (const MorphSet& set : rig.morphs) longest = std::max(longest, set.clips[clip].duration());
    return longest;
}

std::vector<Vec3> morphed_positions(const Rig& rig, int clip, double time) {
    std::vector<Vec3> positions = rig.bind_positions;
    for (const MorphSet& set : rig.morphs) {
        const std::vector<double> weights =
            clip < 0 ? set.rest_weights : morph_weights_at(set.clips[clip], set.rest_weights, time);
        for (std::size_t t = 0; t < set.targets.size(); ++t) {
            if (weights[t] == 0) continue;
            const std::vector<Vec3>& offsets = set.targets[t].offsets;
            for (std::size_t v = 0; v < offsets.size(); ++v)
                positions[set.first_vertex + v] += weights[t] * offsets[v];
        }
    }
    return positions;
}

std::vector<Affine3> world_joints(const Rig& rig, int clip, double time) {
    return world_matrices(rig.skeleton, poses_at(rig, clip, time));
}

std::vector<Affine3> joint_matrices(const Rig& rig, int clip, double time) {
    return skinning_matrices(rig.skeleton, poses_at(rig, clip, time));
}

void posed_positions(const Rig& rig, int clip, double time, std::vector<Vec3>& positions) {
    apply_skin(rig.skin, morphed_positions(rig, clip, time), joint_matrices(rig, clip, time),
               positions);
}

} // namespace knead
