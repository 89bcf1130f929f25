#pragma once

#include "knead/base/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace knead {

/// A joint's place relative to its parent: scale, then rotate, then translate.
struct JointPose {
    Vec3 translation = Vec3::Zero();
    Quat rotation = Quat::Identity();
    Vec3 scale = Vec3::Ones();

    Affine3 matrix() const;
};

struct Joint {
    std::string name = {};
    int parent = -1; ///< index of the parent, or -1; parents may come after their children
    JointPose rest = {};
};

struct Skeleton {
    std::vector<Joint> joints = {};
    /// Mesh space -> joint space at the pose the mesh was bound in, one a joint. What is given for
    /// a joint that moves no vertex does not matter.
    std::vector<Affine3> inverse_bind = {};

    int joint_count() const { return static_cast<int>(joints.size()); }
};

/// Throws an InputError naming the joint when a parent is out of range or the hierarchy is cyclic,
/// or when there is not one inverse bind matrix a joint. `where` begins the message. For programs
/// that make skeletons of their own: the readers of files have checked theirs.
void check_skeleton(const Skeleton& skeleton, const std::string& where = "skeleton");

/// A joint that is its own ancestor, if the hierarchy is cyclic. Parents must be in range.
std::optional<int> find_cycle(const Skeleton& skeleton);

std::vector<JointPose> rest_pose(const Skeleton& skeleton);

// The functions below expect a skeleton that passed `check_skeleton`, and one local pose a joint.

/// Joint space -> world, for every joint.
std::vector<Affine3> world_matrices(const Skeleton& skeleton, std::span<const JointPose> poses);

/// Mesh space at rest -> posed, for every joint: world matrix times inverse bind matrix.
std::vector<Affine3> skinning_matrices(const Skeleton& skeleton, std::span<const JointPose> poses);

} // namespace knead
