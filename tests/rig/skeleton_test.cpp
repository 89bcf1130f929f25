#include "knead/base/random.hpp"
#include "knead/rig/skeleton.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <numbers>

#include "input_error.hpp"

namespace knead {
namespace {

Skeleton skeleton_of_parents(const std::vector<int>& parents) {
    Skeleton skeleton;
    for (std::size_t j = 0; j < parents.size(); ++j)
        skeleton.joints.push_back({fmt::format("j{}", j), parents[j], {}});
    skeleton.inverse_bind.assign(parents.size(), Affine3::Identity());
    return skeleton;
}

TEST(Skeleton, WorldMatricesFollowTheParentsInAnyOrder) {
    Random random(1);
    // 2 -> 0 -> 3 -> 1: parents come before and after their children.
    const Skeleton skeleton = skeleton_of_parents({2, 3, -1, 0});
    std::vector<JointPose> poses(4);
    for (JointPose& pose : poses)
        pose = {random.in_cube(2), random.rotation(), Vec3::Ones() + random.in_cube(0.5)};
    const std::vector<Affine3> world = world_matrices(skeleton, poses);
    Affine3 expected = Affine3::Identity();
    for (const int joint : {2, 0, 3, 1}) {
        expected = expected * poses[joint].matrix();
        EXPECT_LT((world[joint].matrix() - expected.matrix()).norm(), 1e-13);
    }
}

TEST(Skeleton, APoseScalesThenRotatesThenTranslates) {
    JointPose pose;
    pose.scale = {2, 1, 1};
    pose.rotation = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ());
    pose.translation = {0, 0, 5};
    EXPECT_LT((pose.matrix() * Vec3(1, 0, 0) - Vec3(0, 2, 5)).norm(), 1e-15);
}

TEST(Skeleton, SkinningMatricesAreTheIdentityAtTheBindPose) {
    Random random(5);
    Skeleton skeleton = skeleton_of_parents({-1, 0, 1});
    for (Joint& joint : skeleton.joints)
        joint.rest = {random.in_cube(1), random.rotation(), {1, 2, 3}};
    const std::vector<Affine3> world = world_matrices(skeleton, rest_pose(skeleton));
    for (std::size_t j = 0; j < 3; ++j) skeleton.inverse_bind[j] = world[j].inverse();
    for (const Affine3& matrix : skinning_matrices(skeleton, rest_pose(skeleton)))
        EXPECT_LT((matrix.matrix() - Mat4::Identity()).norm(), 1e-12);
}

TEST(Skeleton, ALongChainIsNoDeepRecursion) {
    std::vector<int> parents;
    for (int j = 0; j < 200000; ++j) parents.push_back(j + 1);
    parents.push_back(-1);
    const Skeleton skeleton = skeleton_of_parents(parents);
    EXPECT_NO_THROW(check_skeleton(skeleton));
    std::vector<JointPose> poses = rest_pose(skeleton);
    poses.back().translation = {1, 2, 3};
    EXPECT_EQ(world_matrices(skeleton, poses).front().translation(), Vec3(1, 2, 3));
}

TEST(Skeleton, BrokenOnesAreNamed) {
    EXPECT_EQ(input_error([] {
                  check_skeleton(skeleton_of_parents({-1, 0, 4}), "arm.glb");
              }),
              "arm.glb: joint 'j2' has the parent 4, expected -1 to 2");
    EXPECT_EQ(input_error([] {
                  check_skeleton(skeleton_of_parents({-1, 2, 3, 1}), "arm.glb");
              }),
              "arm.glb: joint 'j1' is its own ancestor");
    EXPECT_EQ(input_error([] { check_skeleton(skeleton_of_parents({0})); }),
              "skeleton: joint 'j0' is its own ancestor");
    Skeleton skeleton = skeleton_of_parents({-1, 0});
    skeleton.inverse_bind.pop_back();
    EXPECT_EQ(input_error([&] { check_skeleton(skeleton); }),
              "skeleton: found 1 inverse bind matrix, expected one for each of 2 joints");
}

} // namespace
} // namespace knead
