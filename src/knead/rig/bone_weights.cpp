#include "knead/rig/bone_weights.hpp"

#include "knead/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

struct Bone {
    int joint;
    Vec3 from, to;

    Vec3 closest_point(const Vec3& p) const {
        const Vec3 along = to - from;
        const double squared = along.squaredNorm();
        const double t = squared > 0 ? std::clamp((p - from).dot(along) / squared, 0.0, 1.0) : 0;
        return from + t * along;
    }
};

std::vector<Bone> bones_of(const Skeleton& skeleton) {
    std::vector<Vec3> places;
    for (const Affine3& inverse_bind : skeleton.inverse_bind)
        places.push_back(inverse_bind.inverse().translation());
    std::vector<Bone> bones;
    std::vector<char> has_child(skeleton.joints.size(), 0);
    for (int j = 0; j < skeleton.joint_count(); ++j)
        if (const int parent = skeleton.joints[j].parent; parent >= 0) {
            bones.push_back({parent, places[parent], places[j]});
            has_child[parent] = 1;
        }
    for (int j = 0; j < skeleton.joint_count(); ++j) {
        if (has_child[j]) continue;
        const int parent = skeleton.joints[j].parent;
        const Vec3 along = parent < 0 ? Vec3(Vec3::Zero()) : Vec3(places[j] - places[parent]);
        bones.push_back({j, places[j], places[j] + along});
    }
    return bones;
}

// A smooth step from 0 at -1 to 1 at 1, so that two bones' weights together are smooth.
double smooth_step(double t) {
    return 0.5 + 0.75 * t - 0.25 * t * t * t;
}

} // namespace

SkinWeights bone_weights(const Skeleton& skeleton, std::span<const Vec3> positions, double radius) {
    const std::vector<Bone> bones = bones_of(skeleton);
    if (bones.empty()) throw InputError("skeleton: it has no joints, expected at least one");
    if (radius <= 0) {
        for (const Bone& bone : bones)
            radius += 0.5 * (bone.to - bone.from).norm() / static_cast<double>(bones.size());
        radius = std::max(radius, std::numeric_limits<double>::min());
    }

    SkinWeights result;
    std::vector<Vec3> closest(bones.size());
    std::vector<double> weight_of_joint(skeleton.joints.size());
    for (const Vec3& p : positions) {
        std::size_t nearest = 0;
        for (std::size_t b = 0; b < bones.size(); ++b) {
            closest[b] = bones[b].closest_point(p);
            if ((p - closest[b]).squaredNorm() < (p - closest[nearest]).squaredNorm()) nearest = b;
        }
        std::fill(weight_of_joint.begin(), weight_of_joint.end(), 0);
        for (std::size_t b = 0; b < bones.size(); ++b) {
            // Twice the distance from the plane midway between the two closest points: the way
            // along a straight chain of bones, and linear across the gap between two bones.
            const double apart = (closest[b] - closest[nearest]).norm();
            const double excess =
                (p - closest[b]).squaredNorm() - (p - closest[nearest]).squaredNorm();
            const double t = apart > 0 ? std::max(0.0, excess / apart) / radius : 0;
            double& weight = weight_of_joint[bones[b].joint];
            if (t < 1) weight = std::max(weight, smooth_step(-t) / smooth_step(t));
        }
        for (std::size_t j = 0; j < weight_of_joint.size(); ++j) {
            if (weight_of_joint[j] == 0) continue;
            result.joints.push_back(static_cast<int>(j));
            result.weights.push_back(weight_of_joint[j]);
        }
        result.starts.push_back(static_cast<int>(result.joints.size()));
    }
    normalise_weights(result, static_cast<int>(positions.size()), skeleton.joint_count(),
                      "bone weights");
    return result;
}

} // namespace knead
