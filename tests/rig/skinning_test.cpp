#include "knead/base/parallel.hpp"
#include "knead/base/random.hpp"
#include "knead/mesh/measures.hpp"
#include "knead/mesh/primitives.hpp"
#include "knead/rig/bone_weights.hpp"
#include "knead/rig/skinning.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "input_error.hpp"

namespace knead {
namespace {

using enum SkinningMethod;
constexpr SkinningMethod methods[] = {lbs, dqs, cor};
using std::numbers::pi;

// A capsule of radius 0.5 along Y with a joint at its lower end and one in the middle.
struct Arm {
    TriangleMesh mesh = make_capsule(0.5, 4, 32);
    Skeleton skeleton;
    SkinWeights weights;

    explicit Arm(double radius = 1) {
        for (const double y : {-2.0, 0.0}) {
            Joint joint;
            joint.parent = skeleton.joint_count() - 1;
            joint.rest.translation = {0, skeleton.joints.empty() ? y : 2, 0};
            skeleton.joints.push_back(joint);
            skeleton.inverse_bind.push_back(Affine3(Eigen::Translation3d(0, -y, 0)));
        }
        weights = bone_weights(skeleton, mesh.positions, radius);
    }

    std::vector<Affine3> bent(double angle, const Vec3& axis) const {
        std::vector<JointPose> poses = rest_pose(skeleton);
        poses[1].rotation = Eigen::AngleAxisd(angle, axis);
        return skinning_matrices(skeleton, poses);
    }

    std::vector<Vec3> posed(SkinningMethod method, std::span<const Affine3> matrices) const {
        std::vector<Vec3> result;
        apply_skin(make_skin(method, weights, mesh), mesh.positions, matrices, result);
        return result;
    }

    double volume(std::span<const Vec3> positions) const {
        return signed_volume(positions, mesh.faces, Vec3::Zero());
    }
    double volume_ratio(SkinningMethod method, double angle, const Vec3& axis) const {
        return volume(posed(method, bent(angle, axis))) / volume(mesh.positions);
    }
};

Affine3 random_rigid(Random& random) {
    return Eigen::Translation3d(random.in_cube(3)) * random.rotation();
}

double largest_difference(std::span<const Vec3> a, std::span<const Vec3> b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, (a[i] - b[i]).norm());
    return largest;
}

std::vector<Vec3> moved(const Affine3& motion, std::span<const Vec3> points) {
    std::vector<Vec3> result;
    for (const Vec3& point : points) result.push_back(motion * point);
    return result;
}

SkinWeights random_weights(Random& random, int vertices, int joints) {
    SkinWeights weights;
    for (int v = 0; v < vertices; ++v) {
        for (int j = 0; j < joints; ++j) {
            weights.joints.push_back(j);
            weights.weights.push_back(random.uniform());
        }
        weights.starts.push_back(static_cast<int>(weights.joints.size()));
    }
    normalise_weights(weights, vertices, joints, "random");
    return weights;
}

TEST(Skinning, OneJointIsItsMotionScaleIncluded) {
    const TriangleMesh mesh = make_sphere(1, 2);
    Random random(11);
    for (int trial = 0; trial < 20; ++trial) {
        Affine3 motion = random_rigid(random);
        if (trial % 2 == 1) motion.linear() *= Mat3::Identity() + 0.5 * Mat3::Random();
        if (trial % 4 == 3) motion.linear() *= -1;
        SkinWeights weights = random_weights(random, mesh.vertex_count(), 1);
        for (const SkinningMethod method : methods) {
            std::vector<Vec3> posed;
            apply_skin(make_skin(method, weights, mesh), mesh.positions, std::vector{motion},
                       posed);
            EXPECT_LT(largest_difference(posed, moved(motion, mesh.positions)), 1e-13);
        }
    }
}

TEST(Skinning, AllJointsWithOneMotionMoveTheMeshWithIt) {
    const TriangleMesh mesh = make_sphere(1, 2);
    Random random(12);
    const SkinWeights weights = random_weights(random, mesh.vertex_count(), 4);
    for (const bool stretched : {false, true}) {
        Affine3 motion = random_rigid(random);
        if (stretched) motion.linear() *= Vec3(1, 2, 0.5).asDiagonal();
        for (const SkinningMethod method : methods) {
            std::vector<Vec3> posed;
            apply_skin(make_skin(method, weights, mesh), mesh.positions,
                       std::vector<Affine3>(4, motion), posed);
            EXPECT_LT(largest_difference(posed, moved(motion, mesh.positions)), 1e-13);
        }
    }
}

TEST(Skinning, EquivariantUnderRigidMotionOfRestAndPose) {
    Random random(13);
    for (int trial = 0; trial < 10; ++trial) {
        TriangleMesh mesh = make_capsule(0.5, 2, 12);
        const SkinWeights weights = random_weights(random, mesh.vertex_count(), 3);
        std::vector<Affine3> matrices;
        for (int j = 0; j < 3; ++j) {
            matrices.push_back(random_rigid(random));
            if (trial % 2 == 1) matrices[j].linear() *= Mat3::Identity() + 0.3 * Mat3::Random();
        }
        const Affine3 before = random_rigid(random), after = random_rigid(random);
        TriangleMesh turned = mesh;
        transform(turned, before);
        std::vector<Affine3> turned_matrices;
        for (const Affine3& matrix : matrices)
            turned_matrices.push_back(after * matrix * before.inverse());
        for (const SkinningMethod method : methods) {
            std::vector<Vec3> posed, turned_posed;
            apply_skin(make_skin(method, weights, mesh), mesh.positions, matrices, posed);
            apply_skin(make_skin(method, weights, turned), turned.positions, turned_matrices,
                       turned_posed);
            EXPECT_LT(largest_difference(turned_posed, moved(after, posed)), 1e-12);
        }
    }
}

TEST(Skinning, ATwistCollapsesLinearBlendingOnly) {
    const Arm arm;
    EXPECT_NEAR(arm.volume_ratio(lbs, pi, Vec3::UnitY()), 0.78, 0.01);
    EXPECT_NEAR(arm.volume_ratio(dqs, pi, Vec3::UnitY()), 1, 0.02);
    EXPECT_NEAR(arm.volume_ratio(cor, pi, Vec3::UnitY()), 1, 0.02);
    double thinnest[3] = {1, 1, 1};
    for (const SkinningMethod method : methods)
        for (const Vec3& p : arm.posed(method, arm.bent(pi, Vec3::UnitY())))
            if (std::abs(p.y()) < 1.9)
                thinnest[static_cast<int>(method)] =
                    std::min(thinnest[static_cast<int>(method)], std::hypot(p.x(), p.z()));
    EXPECT_LT(thinnest[0], 0.05);
    EXPECT_NEAR(thinnest[1], 0.5, 1e-9);
    EXPECT_NEAR(thinnest[2], 0.5, 0.02);
}

TEST(Skinning, ABendLosesVolumeMostWithLinearBlending) {
    const Arm arm;
    const double bend = 100 * pi / 180;
    const double linear = arm.volume_ratio(lbs, bend, Vec3::UnitX());
    const double dual = arm.volume_ratio(dqs, bend, Vec3::UnitX());
    const double centers = arm.volume_ratio(cor, bend, Vec3::UnitX());
    EXPECT_NEAR(linear, 0.935, 0.005);
    EXPECT_GT(centers, linear + 0.05);
    EXPECT_LT(centers, dual);
    EXPECT_NEAR(dual, 1, 0.005);
}

TEST(Skinning, OppositeQuaternionsAreTheSameRotation) {
    // Rotations by just under and just over half a turn, whose quaternions have opposite signs.
    const TriangleMesh mesh = make_sphere(1, 1);
    SkinWeights weights;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        weights.joints.insert(weights.joints.end(), {0, 1});
        weights.weights.insert(weights.weights.end(), {0.5, 0.5});
        weights.starts.push_back(2 * v + 2);
    }
    const auto turn = [](double degrees) {
        return Affine3(Eigen::AngleAxisd(degrees * pi / 180, Vec3::UnitY()));
    };
    for (const SkinningMethod method : {dqs, cor}) {
        std::vector<Vec3> posed;
        apply_skin(make_skin(method, weights, mesh), mesh.positions,
                   std::vector{turn(179), turn(-179)}, posed);
        EXPECT_LT(largest_difference(posed, moved(turn(180), mesh.positions)), 1e-3);
    }
}

TEST(Skinning, CentersLieOnTheAxisOfACapsule) {
    const Arm arm;
    const Skin skin = make_skin(cor, arm.weights, arm.mesh);
    for (int v = 0; v < arm.mesh.vertex_count(); ++v) {
        const Vec3 &p = arm.mesh.positions[v], &center = skin.centers_of_rotation[v];
        if (arm.weights.starts[v + 1] - arm.weights.starts[v] == 1) {
            EXPECT_EQ(center, p);
        } else if (std::abs(p.y()) < 0.6) {
            EXPECT_LT(std::hypot(center.x(), center.z()), 0.02);
            EXPECT_NEAR(center.y(), p.y(), 0.1);
        }
    }
}

// The definition, face by face for every vertex, without bins.
TEST(Skinning, CentersAgreeWithTheSumOverAllFaces) {
    const Arm arm;
    const auto weight = [&](int v, int joint) {
        for (int i = arm.weights.starts[v]; i < arm.weights.starts[v + 1]; ++i)
            if (arm.weights.joints[i] == joint) return arm.weights.weights[i];
        return 0.0;
    };
    const Skin skin = make_skin(cor, arm.weights, arm.mesh);
    for (int v = 0; v < arm.mesh.vertex_count(); v += 7) {
        const double a = weight(v, 0), b = weight(v, 1);
        if (std::min(a, b) < 2e-3) continue;
        double total = 0;
        Vec3 sum = Vec3::Zero();
        for (const Triangle& f : arm.mesh.faces) {
            double wa = 0, wb = 0;
            Vec3 middle = Vec3::Zero();
            for (const int corner : f) {
                wa += weight(corner, 0) / 3;
                wb += weight(corner, 1) / 3;
                middle += arm.mesh.positions[corner] / 3;
            }
            const double similarity =
                a * b * wa * wb * std::exp(-std::pow((a * wb - b * wa) / 0.1, 2)) *
                area_vector(arm.mesh.positions[f[0]], arm.mesh.positions[f[1]],
                            arm.mesh.positions[f[2]])
                    .norm();
            total += similarity;
            sum += similarity * middle;
        }
        EXPECT_LT((skin.centers_of_rotation[v] - sum / total).norm(), 2e-3);
    }
}

TEST(Skinning, TheSameBitsForAnyNumberOfThreads) {
    const Arm arm;
    for (const SkinningMethod method : methods) {
        std::vector<std::vector<Vec3>> results;
        for (const int threads : {1, 2, 8}) {
            const ThreadLimit limit(threads);
            results.push_back(arm.posed(method, arm.bent(1, Vec3::UnitX())));
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
    }
}

TEST(BoneWeights, GoOverSmoothlyAndSumToOne) {
    const double radius = 0.8;
    const Arm arm(radius);
    for (int v = 0; v < arm.mesh.vertex_count(); ++v) {
        double sum = 0, lower = 0;
        for (int i = arm.weights.starts[v]; i < arm.weights.starts[v + 1]; ++i) {
            sum += arm.weights.weights[i];
            if (arm.weights.joints[i] == 0) lower = arm.weights.weights[i];
        }
        EXPECT_NEAR(sum, 1, 1e-15);
        const double t = std::clamp(-arm.mesh.positions[v].y() / radius, -1.0, 1.0);
        EXPECT_NEAR(lower, 0.5 + 0.75 * t - 0.25 * t * t * t, 1e-12);
    }
}

TEST(BoneWeights, ASingleJointTakesAll) {
    Skeleton skeleton;
    skeleton.joints.resize(1);
    skeleton.inverse_bind.push_back(Affine3::Identity());
    const std::vector<Vec3> points = {Vec3(0, 0, 0), Vec3(1, 2, 3)};
    const SkinWeights weights = bone_weights(skeleton, points);
    EXPECT_EQ(weights.weights, (std::vector<double>{1, 1}));
}

TEST(SkinWeights, AreMergedSortedAndNormalised) {
    SkinWeights weights{{0, 4, 6}, {2, 0, 2, 1, 1, 0}, {1, 3, 1, 0, 1e308, 1e308}};
    normalise_weights(weights, 2, 3, "w");
    EXPECT_EQ(weights.starts, (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(weights.joints, (std::vector<int>{0, 2, 0, 1}));
    const double expected[] = {0.6, 0.4, 0.5, 0.5};
    for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(weights.weights[i], expected[i]);
}

TEST(SkinWeights, BrokenOnesAreNamed) {
    const auto message = [](SkinWeights weights) {
        return input_error([&] { normalise_weights(weights, 2, 3, "arm.glb"); });
    };
    EXPECT_EQ(message({{0, 1}, {0}, {1}}), "arm.glb: found weights of 1 vertex, expected 2");
    EXPECT_EQ(message({{0, 1, 2}, {0, 3}, {1, 1}}),
              "arm.glb: vertex 1 follows joint 3, expected 0 to 2");
    EXPECT_EQ(message({{0, 1, 2}, {0, 1}, {1, -0.5}}),
              "arm.glb: vertex 1 has the weight -0.5, expected zero or more");
    EXPECT_EQ(message({{0, 1, 2}, {0, 1}, {std::nan(""), 1}}),
              "arm.glb: vertex 0 has the weight nan, expected zero or more");
    EXPECT_EQ(message({{0, 1, 2}, {0, 1}, {1, 0}}),
              "arm.glb: vertex 1 has no weight, expected at least one joint to follow");
    const TriangleMesh mesh = make_sphere(1, 0);
    EXPECT_EQ(input_error([&] {
                  make_skin(lbs, {{0, 1}, {0}, {1}}, mesh);
              }),
              "skin: found weights of 1 vertex, expected 12");
}

} // namespace
} // namespace knead
